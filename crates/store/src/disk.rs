//! The few file system operations that the store needs, as a trait, so that tests can simulate
//! failures and power loss.

mod directory;
#[cfg(test)]
pub(crate) mod memory;
mod observer;
mod path;

use std::io::{self, Read};

use rustix::fd::BorrowedFd;
use rustix::fs::{Mode, OFlags, openat};
use zeroize::Zeroizing;

pub(crate) use directory::Directory;
pub(crate) use observer::Observer;

/// The content of a buffer. It is wiped when dropped, because it may contain cryptographic keys.
pub(crate) type Content = Zeroizing<Vec<u8>>;

/// A directory of files. A change of its names is durable only after
/// [`sync_names`](Self::sync_names).
pub(crate) trait Disk: Send + Sync {
    /// Opens a file for reading. Returns `None` if it does not exist.
    fn read(&self, name: &str) -> io::Result<Option<Input>>;

    /// Creates an empty file, or empties an existing one.
    fn create(&self, name: &str) -> io::Result<Box<dyn AppendFile>>;

    /// Opens an existing file for appending.
    fn open(&self, name: &str) -> io::Result<Box<dyn AppendFile>>;

    /// Renames a file, replacing an existing file.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file if it exists.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Makes all changes of names durable.
    fn sync_names(&self) -> io::Result<()>;

    /// Returns false if the directory is only observed, and must not be repaired.
    fn is_owned(&self) -> bool {
        true
    }

    /// Copies a file, if it exists. On return the content of the copy is durable, its name is not.
    fn copy(&self, from: &str, to: &str) -> io::Result<()> {
        let Some(mut input) = self.read(from)? else { return Ok(()) };
        let mut output = self.create(to)?;
        let mut buffer = Zeroizing::new(vec![0; COPY_BUFFER]);
        let mut offset = 0;
        loop {
            match input.content.read(&mut buffer)? {
                0 => return output.sync(),
                length => {
                    output.write_at(offset, buffer.get(..length).unwrap_or_default())?;
                    offset += length as u64;
                }
            }
        }
    }
}

/// An open file that is written.
pub(crate) trait AppendFile: Send {
    /// Writes `content` at `offset`. After an error, any part of `content` may have been written.
    fn write_at(&mut self, offset: u64, content: &[u8]) -> io::Result<()>;

    /// Makes the content durable (fdatasync).
    fn sync(&mut self) -> io::Result<()>;

    /// Truncates the file to `length` bytes.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// An open file that is read.
pub(crate) struct Input {
    /// The length of the file when it was opened.
    pub(crate) length: u64,
    pub(crate) content: Box<dyn Read>,
}

impl Input {
    /// Creates an input from the content of a file.
    pub(crate) fn from_octets(octets: Vec<u8>) -> Self {
        Self { length: octets.len() as u64, content: Box::new(io::Cursor::new(Zeroizing::new(octets))) }
    }
}

/// Opens a regular file of a directory for reading. Returns `None` if it does not exist.
fn read_file(directory: BorrowedFd<'_>, name: &str) -> io::Result<Option<Input>> {
    let file = match open_file(directory, name, OFlags::RDONLY) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok(Some(Input { length: metadata.len(), content: Box::new(file) }))
}

/// Opens a file of a directory. Links are not followed, and a FIFO does not block.
fn open_file(directory: BorrowedFd<'_>, name: &str, flags: OFlags) -> io::Result<std::fs::File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(openat(directory, name, flags, Mode::RUSR | Mode::WUSR)?.into())
}

/// The name of a log or an engine file that is being written. Content found under this name is
/// never used.
pub(crate) const TEMPORARY: &str = "new";

/// The name of a snapshot that is being written. Content found under this name is used only if it
/// is complete and there is no other snapshot under the final name.
pub(crate) const TEMPORARY_SNAPSHOT: &str = "state.snapshot.new";

/// The size of the buffer with which files are copied.
const COPY_BUFFER: usize = 64 << 10;

#[cfg(test)]
mod tests;
