//! Mounted file systems, from `/proc/self/mounts`, and their usage.

use std::{ffi::OsString, io, os::unix::ffi::OsStringExt, path::Path};

use super::{MachineSource, Usage};

/// A mounted file system with capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSystem {
    /// The index of the file system, counted from 1. A mount point keeps its index while a file
    /// system is mounted there.
    pub index: [u32; 1],
    /// The hrStorageIndex. It is greater than the indexes of memory.
    pub storage_index: [u32; 1],
    /// The path of the mount point.
    pub path: Vec<u8>,
    /// The device that contains the file system.
    pub device: Vec<u8>,
    /// True if the file system is in main memory.
    pub is_memory: bool,
    /// The size and the usage of the file system.
    pub usage: Usage,
}

impl FileSystem {
    /// Reads all file systems, sorted by index. `last` contains the file systems of the previous
    /// read.
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
            // A mount point to which this process has no access is skipped, because its usage is
            // unknown.
            let Ok(usage) = usage(source, &path) else { continue };
            // A later mount at the same path hides the earlier one.
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

    /// Converts a number of blocks to kibibytes.
    pub fn kibibytes(&self, blocks: u64) -> u64 {
        let octets = u128::from(blocks) * u128::from(self.usage.block_size);
        u64::try_from(octets / 1024).unwrap_or(u64::MAX)
    }

    /// Returns the number of used blocks.
    pub fn used(&self) -> u64 {
        self.usage.blocks.saturating_sub(self.usage.free)
    }

    /// Returns the allocation unit in bytes, and the size and the usage in units. A unit consists
    /// of several blocks if the number of blocks exceeds 31 bits.
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

/// Assigns the previous indexes to known mount points, and free indexes to all others.
fn number(found: &mut [FileSystem], last: &[FileSystem]) {
    let mut used_indexes: Vec<u32> = Vec::with_capacity(found.len());
    for system in found.iter_mut() {
        if let Some(before) = last.iter().find(|before| before.path == system.path) {
            system.index = before.index;
            used_indexes.extend(before.index);
        }
    }
    used_indexes.sort_unstable();
    let mut free = (1_u32..).filter(|number| used_indexes.binary_search(number).is_err());
    for system in found.iter_mut() {
        if system.index == [0] {
            system.index = [free.next().unwrap_or_default()];
        }
        system.storage_index = system.index.map(|index| index + STORAGE_INDEX_OFFSET);
    }
    found.sort_by_key(|system| system.index);
}

/// Returns true for network file systems and for file systems that are mounted on first access.
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
    // FUSE file systems are skipped, because their server may be remote or may not respond.
    NETWORK.contains(&kind) || kind == "fuse" || kind.starts_with("fuse.")
}

/// Decodes blanks and similar characters, which are written as a backslash and three octal digits.
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

/// The difference between hrStorageIndex and the index of a file system. Lower values of
/// hrStorageIndex belong to memory.
const STORAGE_INDEX_OFFSET: u32 = 30;
