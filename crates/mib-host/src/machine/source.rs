//! The source of machine data: `/proc`, or a test.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use rustix::fs::statvfs;

/// A source of files with machine data and of the usage of file systems.
pub trait MachineSource: Send + 'static {
    /// Reads a complete file into `text`, which must be empty.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    fn read(&mut self, which: ProcText, text: &mut String) -> io::Result<()>;

    /// Returns the number of processes.
    ///
    /// # Errors
    /// Returns an error if the processes cannot be listed.
    fn processes(&mut self) -> io::Result<u32>;

    /// Returns the usage of the file system mounted at `path`.
    ///
    /// # Errors
    /// Returns an error if the file system cannot be queried.
    fn usage(&mut self, path: &Path) -> io::Result<Usage>;
}

/// A file in `/proc` with data about the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcText {
    /// The file `meminfo`: main memory and swap space.
    Memory,
    /// The file `mounts`: the mounted file systems.
    Mounts,
    /// The file `loadavg`: the load averages.
    Load,
    /// The file `stat`: processor times and counters.
    Statistics,
    /// The file `uptime`: the time since the system was started.
    UpTime,
    /// The file `cpuinfo`: the names of processors.
    Processors,
}

impl ProcText {
    /// Returns the path of the file.
    pub fn path(self) -> &'static str {
        match self {
            Self::Memory => "/proc/meminfo",
            Self::Mounts => "/proc/self/mounts",
            Self::Load => "/proc/loadavg",
            Self::Statistics => "/proc/stat",
            Self::UpTime => "/proc/uptime",
            Self::Processors => "/proc/cpuinfo",
        }
    }
}

/// The size and the usage of a file system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The size of a block, in bytes.
    pub block_size: u64,
    /// The total number of blocks.
    pub blocks: u64,
    /// The number of free blocks.
    pub free: u64,
    /// The number of blocks available to unprivileged users; the others are reserved for root.
    pub available: u64,
    /// The total number of inodes.
    pub inodes: u64,
    /// The number of free inodes.
    pub free_inodes: u64,
}

/// The machine on which this program runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcMachineSource;

impl MachineSource for ProcMachineSource {
    fn read(&mut self, which: ProcText, text: &mut String) -> io::Result<()> {
        File::open(which.path())?.read_to_string(text).map(drop)
    }

    fn processes(&mut self) -> io::Result<u32> {
        let is_process = |name: &[u8]| name.iter().all(u8::is_ascii_digit);
        let names = fs::read_dir("/proc")?.filter_map(|entry| Some(entry.ok()?.file_name()));
        let count = names.filter(|name| is_process(name.as_encoded_bytes())).count();
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn usage(&mut self, path: &Path) -> io::Result<Usage> {
        let found = statvfs(path)?;
        Ok(Usage {
            block_size: found.f_frsize,
            blocks: found.f_blocks,
            free: found.f_bfree,
            available: found.f_bavail,
            inodes: found.f_files,
            free_inodes: found.f_ffree,
        })
    }
}
