//! The few file system operations that the store needs, as a trait, so that tests can simulate
//! failures and power loss.

mod directory;
#[cfg(test)]
pub(crate) mod memory;
mod observer;

use std::io;

pub(crate) use directory::Directory;
pub(crate) use observer::Observer;

/// A directory of small files.
pub(crate) trait Disk: Send {
    /// Returns the content of a file, or `None` if the file does not exist.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a new file. On return its content is durable, but its name is not.
    fn write(&mut self, name: &str, content: &[u8]) -> io::Result<()>;

    /// Renames a file, replacing an existing one. Durable on return.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file if it exists.
    fn remove(&mut self, name: &str) -> io::Result<()>;

    /// Opens an existing file for appending.
    fn open(&mut self, name: &str) -> io::Result<Box<dyn AppendFile>>;

    /// Writes the temporary file for a later rename of [`TEMPORARY`]. On failure it removes the
    /// partial file to free the space.
    fn prepare(&mut self, content: &[u8]) -> io::Result<()> {
        self.write(TEMPORARY, content).inspect_err(|_| {
            // If this fails too, the next write overwrites the file.
            let _ = self.remove(TEMPORARY);
        })
    }

    /// Replaces the content of `name` atomically: after a crash it is either the old or the new
    /// content.
    fn replace(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        self.prepare(content)?;
        self.rename(TEMPORARY, name)
    }
}

/// An open log file.
pub(crate) trait AppendFile: Send {
    /// Writes `content` at `offset`. After an error, any part of it may have been written.
    fn write_at(&mut self, offset: u64, content: &[u8]) -> io::Result<()>;

    /// Makes the writes durable (fdatasync).
    fn sync(&mut self) -> io::Result<()>;

    /// Truncates the file to `length` bytes.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// The name of files that are still being written. Content found under this name is never used.
pub(crate) const TEMPORARY: &str = "new";
