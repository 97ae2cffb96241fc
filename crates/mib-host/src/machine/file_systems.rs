//! Mounted file systems, from `/proc/self/mounts`, and how full they are.

use std::{ffi::OsString, io, os::unix::ffi::OsStringExt, path::Path};

use super::{MachineSource, Usage};

/// One mounted file system with room of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSystem {
    /// Counts from 1; stays with the place it is mounted at as long as something is mounted there.
    pub index: [u32; 1],
    /// hrStorageIndex: behind those of memory.
    pub storage_index: [u32; 1],
    /// Where it is mounted.
    pub path: Vec<u8>,
    /// What is mounted.
    pub device: Vec<u8>,
    /// Whether it lies in main memory.
    pub is_memory: bool,
    /// How full it is.
    pub usage: Usage,
}

impl FileSystem {
    /// Reads all of them, in order of their indexes. `last` are those of the reading before.
    pub(super) fn read(text: &str, last: &[Self], source: &mut impl MachineSource) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for line in text.lines() {
            let mut words = line.split(' ');
            let (Some(device), Some(path), Some(kind)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            if is_skipped(kind) {
                continue;
            }
            let path = unescape(path);
            // Whoever may not look into it does not get to know how full it is.
            let Ok(usage) = usage(source, &path) else { continue };
            // What is mounted later at the same place hides what was there.
            found.retain(|other| other.path != path);
            if usage.blocks == 0 || usage.block_size == 0 {
                continue;
            }
            let is_memory = matches!(kind, "tmpfs" | "ramfs" | "devtmpfs");
            let (index, storage_index) = ([0], [0]);
            found.push(Self { index, storage_index, path, device: unescape(device), is_memory, usage });
        }
        number(&mut found, last);
        found
    }

    /// A number of blocks in kibibytes.
    pub fn kibibytes(&self, blocks: u64) -> u64 {
        let octets = u128::from(blocks) * u128::from(self.usage.block_size);
        u64::try_from(octets / 1024).unwrap_or(u64::MAX)
    }

    /// Blocks in use.
    pub fn used(&self) -> u64 {
        self.usage.blocks.saturating_sub(self.usage.free)
    }

    /// The allocation unit in octets, and size and use counted in it: the unit is a multiple of a block where blocks
    /// would be more than 31 bits can count.
    pub fn in_allocation_units(&self) -> (i32, i32, i32) {
        let mut shift = 0;
        while self.usage.blocks >> shift > i32::MAX.unsigned_abs().into() {
            shift += 1;
        }
        let small = |number: u64| i32::try_from(number).unwrap_or(i32::MAX);
        let unit = self.usage.block_size.saturating_mul(1 << shift);
        (small(unit), small(self.usage.blocks >> shift), small(self.used() >> shift))
    }
}

fn usage(source: &mut impl MachineSource, path: &[u8]) -> io::Result<Usage> {
    source.usage(Path::new(&OsString::from_vec(path.to_vec())))
}

/// Gives places their numbers again, and the others free ones.
fn number(found: &mut [FileSystem], last: &[FileSystem]) {
    let mut taken: Vec<u32> = Vec::with_capacity(found.len());
    for system in found.iter_mut() {
        if let Some(before) = last.iter().find(|before| before.path == system.path) {
            system.index = before.index;
            taken.extend(before.index);
        }
    }
    taken.sort_unstable();
    let mut free = (1_u32..).filter(|number| taken.binary_search(number).is_err());
    for system in found.iter_mut() {
        if system.index == [0] {
            system.index = [free.next().unwrap_or_default()];
        }
        system.storage_index = system.index.map(|index| index + STORAGE_INDEX_OFFSET);
    }
    found.sort_by_key(|system| system.index);
}

/// Another machine's, or one that is mounted by being looked at.
fn is_skipped(kind: &str) -> bool {
    const NETWORK: [&str; 13] = [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "ncpfs",
        "afs",
        "coda",
        "ceph",
        "glusterfs",
        "9p",
        "autofs",
        "lustre",
    ];
    // What a program serves may be anywhere, and the program may have stopped.
    NETWORK.contains(&kind) || kind == "fuse" || kind.starts_with("fuse.")
}

/// Blanks and the like are written as a backslash and three octal digits.
fn unescape(word: &str) -> Vec<u8> {
    let mut octets = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|digits| digits.iter().all(|digit| (b'0'..=b'7').contains(digit)));
        match digits {
            Some(digits) if first == b'\\' => {
                let value = digits.iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                octets.push((value & 0xff) as u8);
                rest = after.get(3..).unwrap_or_default();
            }
            _ => {
                octets.push(first);
                rest = after;
            }
        }
    }
    octets
}

/// The numbers up to here are memory's in hrStorageTable.
const STORAGE_INDEX_OFFSET: u32 = 30;
