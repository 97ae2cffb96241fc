//! The durable state of a disk, and the states that may be found after a power cut.

use std::collections::{BTreeMap, BTreeSet};

use super::Files;
use super::random::Random;

/// The contents of all files that ever existed.
#[derive(Clone, Default)]
pub(super) struct Contents(Vec<File>);

#[derive(Clone, Default)]
struct File {
    volatile: Vec<u8>,
    durable: Vec<u8>,
    pending: Vec<Change>,
}

/// A write to a file.
#[derive(Clone)]
pub(super) struct Write {
    pub(super) offset: usize,
    pub(super) octets: Vec<u8>,
}

#[derive(Clone)]
enum Change {
    Write(Write),
    Truncate(usize),
}

impl Contents {
    pub(super) fn create(&mut self) -> usize {
        self.0.push(File::default());
        self.0.len() - 1
    }

    pub(super) fn volatile(&self, file: usize) -> &[u8] {
        &self.0[file].volatile
    }

    pub(super) fn write(&mut self, file: usize, write: Write) {
        if !write.octets.is_empty() {
            self.0[file].change(Change::Write(write));
        }
    }

    pub(super) fn truncate(&mut self, file: usize, length: usize) {
        if self.0[file].volatile.len() != length {
            self.0[file].change(Change::Truncate(length));
        }
    }

    /// Makes the content durable. Changes that [`lose_pending`](Self::lose_pending) has removed are
    /// not among them.
    pub(super) fn sync(&mut self, file: usize) {
        let file = &mut self.0[file];
        for change in std::mem::take(&mut file.pending) {
            change.apply(&mut file.durable);
        }
    }

    /// Makes every second pending change durable and forgets the others, as a kernel does that
    /// cannot write some pages.
    pub(super) fn lose_pending(&mut self, file: usize) {
        let file = &mut self.0[file];
        for change in std::mem::take(&mut file.pending).into_iter().step_by(2) {
            change.apply(&mut file.durable);
        }
    }
}

impl File {
    fn change(&mut self, change: Change) {
        change.apply(&mut self.volatile);
        self.pending.push(change);
    }
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write(Write { offset, octets }) => {
                let end = offset + octets.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[*offset..end].copy_from_slice(octets);
            }
            Self::Truncate(length) => content.resize(*length, 0),
        }
    }
}

/// The names of the files.
#[derive(Clone, Default)]
pub(super) struct Names {
    volatile: BTreeMap<String, usize>,
    durable: BTreeMap<String, usize>,
    pending: Vec<NameChange>,
}

/// A change of the names of a directory.
#[derive(Clone)]
pub(super) enum NameChange {
    Create { name: String, file: usize },
    Rename { from: String, to: String, file: usize },
    Remove { name: String, file: usize },
}

impl Names {
    pub(super) fn volatile(&self) -> &BTreeMap<String, usize> {
        &self.volatile
    }

    pub(super) fn change(&mut self, change: NameChange) {
        change.apply(&mut self.volatile);
        self.pending.push(change);
    }

    pub(super) fn sync(&mut self) {
        for change in std::mem::take(&mut self.pending) {
            change.apply(&mut self.durable);
        }
    }
}

impl NameChange {
    /// Applies a change, even if earlier changes were lost.
    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Self::Create { name, file } => drop(names.insert(name.clone(), *file)),
            Self::Rename { from, to, file } => {
                remove(names, from, *file);
                names.insert(to.clone(), *file);
            }
            Self::Remove { name, file } => remove(names, name, *file),
        }
    }
}

fn remove(names: &mut BTreeMap<String, usize>, name: &str, file: usize) {
    if names.get(name) == Some(&file) {
        names.remove(name);
    }
}

/// Returns the disks that may be found after a power cut, without duplicates.
pub(super) fn images(contents: &Contents, names: &Names, seed: u64) -> Vec<Files> {
    let pending: usize = contents.0.iter().map(|file| file.pending.len()).sum();
    let pending = pending + names.pending.len();
    let mut random = Random::new(seed);
    let mut found = BTreeSet::new();
    if pending <= MAX_ENUMERATED {
        for subset in 0..1_u64 << pending {
            found.insert(image(contents, names, &mut |number| subset >> number & 1 == 1));
        }
    } else {
        found.insert(image(contents, names, &mut |_| false));
        found.insert(image(contents, names, &mut |_| true));
        for _ in 0..1 << MAX_ENUMERATED {
            let one_in = 1 << random.below(3);
            let is_sparse = random.below(2) == 0;
            found.insert(image(contents, names, &mut |_| (random.below(one_in * 2) == 0) == is_sparse));
        }
    }
    found.into_iter().collect()
}

/// Returns the disk on which the pending changes for which `is_kept` returns true are durable.
fn image(contents: &Contents, names: &Names, is_kept: &mut dyn FnMut(usize) -> bool) -> Files {
    let mut number = 0;
    let mut is_next_kept = || {
        number += 1;
        is_kept(number - 1)
    };
    let mut durable = names.durable.clone();
    names.pending.iter().filter(|_| is_next_kept()).for_each(|change| change.apply(&mut durable));
    let mut files: Vec<_> = contents.0.iter().map(|file| file.durable.clone()).collect();
    for (file, content) in contents.0.iter().zip(&mut files) {
        file.pending.iter().filter(|_| is_next_kept()).for_each(|change| change.apply(content));
    }
    durable.into_iter().map(|(name, file)| (name, files[file].clone())).collect()
}

/// The maximum number of pending changes of which all combinations are tried.
const MAX_ENUMERATED: usize = 8;
