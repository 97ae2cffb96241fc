//! A disk in memory that forgets: what was not synced may be lost in any combination when the power
//! is cut.
//!
//! Each file has a volatile content, which the program sees, and a durable one. Writes, truncations
//! and changes of names are pending until they are synced. [`MemoryDisk::images`] returns the disks
//! that may be found after a power cut: each has the durable state and a subset of what is pending.

mod crash;
mod random;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{AppendFile, Disk, Input};
use crash::{Contents, NameChange, Names, Write};

/// A directory in memory. Clones share the files.
#[derive(Clone, Default)]
pub(crate) struct MemoryDisk {
    state: Arc<Mutex<State>>,
}

#[derive(Clone, Default)]
struct State {
    files: Contents,
    names: Names,
    operations: usize,
    power_cut_at: Option<usize>,
    capacity: Option<usize>,
    failing_syncs: usize,
    failing_sync: Option<usize>,
    failing_truncations: usize,
    /// The numbers of the operations that were syncs.
    syncs: Vec<usize>,
    ignored_sync: Option<usize>,
}

/// The files of a disk by their names.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

impl MemoryDisk {
    /// Creates a disk on which these files are durable.
    pub(crate) fn with(files: Files) -> Self {
        let disk = Self::default();
        let mut state = disk.state();
        for (name, content) in files {
            let file = state.files.create();
            state.files.write(file, Write { offset: 0, octets: content });
            state.files.sync(file);
            state.names.change(NameChange::Create { name, file });
        }
        state.names.sync();
        drop(state);
        disk
    }

    pub(crate) fn shared(&self) -> Arc<dyn Disk> {
        Arc::new(self.clone())
    }

    /// Returns the files as the program sees them.
    pub(crate) fn files(&self) -> Files {
        let state = self.state();
        let names = state.names.volatile();
        names.iter().map(|(name, file)| (name.clone(), state.files.volatile(*file).to_vec())).collect()
    }

    /// Returns the disks that may be found if the power is cut now: all combinations if there are
    /// few, otherwise a selection that depends on `seed`.
    pub(crate) fn images(&self, seed: u64) -> Vec<Files> {
        let state = self.state();
        crash::images(&state.files, &state.names, seed)
    }

    /// Returns the number of changes and syncs so far.
    pub(crate) fn operations(&self) -> usize {
        self.state().operations
    }

    /// Leaves the change with this number pending, and fails all later changes and syncs.
    pub(crate) fn cut_power_at(&self, operation: usize) {
        self.state().power_cut_at = Some(operation);
    }

    /// Limits the total size of all files; `None` removes the limit.
    pub(crate) fn set_capacity(&self, capacity: Option<usize>) {
        self.state().capacity = capacity;
    }

    /// Makes the next `count` syncs of files fail. Afterwards a part of what was pending is lost,
    /// although the program still sees it.
    pub(crate) fn fail_syncs(&self, count: usize) {
        self.state().failing_syncs = count;
    }

    /// Makes the sync with this operation number fail, of a file or of names. What was pending then
    /// is lost in part, or remains pending.
    pub(crate) fn fail_sync_at(&self, operation: usize) {
        self.state().failing_sync = Some(operation);
    }

    /// Makes the next `count` truncations fail.
    pub(crate) fn fail_truncations(&self, count: usize) {
        self.state().failing_truncations = count;
    }

    /// Returns the numbers of the operations so far that were syncs.
    pub(crate) fn syncs(&self) -> Vec<usize> {
        self.state().syncs.clone()
    }

    /// Makes the sync with this operation number succeed without an effect.
    pub(crate) fn ignore_sync(&self, operation: usize) {
        self.state().ignored_sync = Some(operation);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl State {
    /// Counts a change or a sync. Returns true if the power is cut during it.
    fn start_operation(&mut self) -> io::Result<bool> {
        let number = self.operations;
        self.operations += 1;
        match self.power_cut_at {
            Some(cut) if number > cut => Err(power_cut()),
            cut => Ok(cut == Some(number)),
        }
    }

    fn change_names(&mut self, change: NameChange) -> io::Result<()> {
        let is_cut = self.start_operation()?;
        self.names.change(change);
        if is_cut { Err(power_cut()) } else { Ok(()) }
    }

    fn write(&mut self, file: usize, offset: usize, content: &[u8]) -> io::Result<()> {
        let is_cut = self.start_operation()?;
        let mut written = content.len();
        if let Some(capacity) = self.capacity {
            let names = self.names.volatile();
            let others = names.values().filter(|other| **other != file);
            let used: usize = others.map(|other| self.files.volatile(*other).len()).sum();
            written = written.min(capacity.saturating_sub(used + offset));
        }
        // Two writes, because each part may be lost.
        let (first, second) = content[..written].split_at(written / 2);
        self.files.write(file, Write { offset, octets: first.to_vec() });
        self.files.write(file, Write { offset: offset + first.len(), octets: second.to_vec() });
        if is_cut {
            Err(power_cut())
        } else if written < content.len() {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(())
        }
    }

    /// Returns the effect of the sync.
    fn start_sync(&mut self) -> io::Result<SyncEffect> {
        if self.start_operation()? {
            return Err(power_cut());
        }
        let number = Some(self.operations - 1);
        self.syncs.extend(number);
        Ok(match number {
            _ if number == self.ignored_sync => SyncEffect::Ignored,
            _ if number == self.failing_sync => SyncEffect::Fails,
            _ => SyncEffect::Succeeds,
        })
    }
}

impl Disk for MemoryDisk {
    fn read(&self, name: &str) -> io::Result<Option<Input>> {
        let state = self.state();
        let file = state.names.volatile().get(name).copied();
        Ok(file.map(|file| Input::from_octets(state.files.volatile(file).to_vec())))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn AppendFile>> {
        let mut state = self.state();
        if state.names.volatile().contains_key(name) {
            drop(state);
            let mut file = self.open(name)?;
            file.truncate(0)?;
            return Ok(file);
        }
        let file = state.files.create();
        state.change_names(NameChange::Create { name: name.into(), file })?;
        Ok(Box::new(MemoryFile { disk: self.clone(), file }))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn AppendFile>> {
        let file = *self.state().names.volatile().get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(MemoryFile { disk: self.clone(), file }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.state();
        let file = *state.names.volatile().get(from).ok_or(io::ErrorKind::NotFound)?;
        state.change_names(NameChange::Rename { from: from.into(), to: to.into(), file })
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let mut state = self.state();
        match state.names.volatile().get(name).copied() {
            Some(file) => state.change_names(NameChange::Remove { name: name.into(), file }),
            None => Ok(()),
        }
    }

    fn sync_names(&self) -> io::Result<()> {
        let mut state = self.state();
        match state.start_sync()? {
            SyncEffect::Succeeds => state.names.sync(),
            SyncEffect::Ignored => {}
            SyncEffect::Fails => return Err(failed_call()),
        }
        Ok(())
    }
}

enum SyncEffect {
    Succeeds,
    Ignored,
    Fails,
}

struct MemoryFile {
    disk: MemoryDisk,
    file: usize,
}

impl AppendFile for MemoryFile {
    fn write_at(&mut self, offset: u64, content: &[u8]) -> io::Result<()> {
        self.disk.state().write(self.file, offset as usize, content)
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.state();
        let mut effect = state.start_sync()?;
        if take_one(&mut state.failing_syncs) {
            effect = SyncEffect::Fails;
        }
        match effect {
            SyncEffect::Succeeds => state.files.sync(self.file),
            SyncEffect::Ignored => {}
            SyncEffect::Fails => {
                state.files.lose_pending(self.file);
                return Err(failed_call());
            }
        }
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut state = self.disk.state();
        let is_cut = state.start_operation()?;
        if take_one(&mut state.failing_truncations) {
            return Err(failed_call());
        }
        state.files.truncate(self.file, length as usize);
        if is_cut { Err(power_cut()) } else { Ok(()) }
    }
}

/// Returns true and decrements `count` unless it is 0.
fn take_one(count: &mut usize) -> bool {
    let is_left = *count > 0;
    *count = count.saturating_sub(1);
    is_left
}

fn failed_call() -> io::Error {
    io::Error::other("the call failed")
}

fn power_cut() -> io::Error {
    io::Error::other("power cut")
}
