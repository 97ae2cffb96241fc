//! The few things the store asks of a file system, so that tests can stand in for one that fails or loses power.

mod directory;
#[cfg(test)]
pub(crate) mod memory;
mod observer;

use std::io;

pub(crate) use directory::Directory;
pub(crate) use observer::Observer;

/// One directory of small files.
pub(crate) trait Disk: Send {
    /// A file's content; `None` if there is none of that name.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a file anew; it is durable on return, its name not yet.
    fn write(&mut self, name: &str, content: &[u8]) -> io::Result<()>;

    /// Gives a file another name, replacing what had it; durable on return.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file, if it is there.
    fn remove(&mut self, name: &str) -> io::Result<()>;

    /// Opens an existing file for appending.
    fn open(&mut self, name: &str) -> io::Result<Box<dyn AppendFile>>;

    /// Writes the file that a rename of [`TEMPORARY`] will put in place; what fails leaves nothing behind that
    /// takes up room.
    fn prepare(&mut self, content: &[u8]) -> io::Result<()> {
        self.write(TEMPORARY, content).inspect_err(|_| {
            // Should this fail too, the next one writes over it.
            let _ = self.remove(TEMPORARY);
        })
    }

    /// Makes `content` the content of `name`: after a crash it is the old or the new, whole.
    fn replace(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        self.prepare(content)?;
        self.rename(TEMPORARY, name)
    }
}

/// An open log.
pub(crate) trait AppendFile: Send {
    /// Writes all of `content` at `offset`; on an error any part of it may be there.
    fn write_at(&mut self, offset: u64, content: &[u8]) -> io::Result<()>;

    /// Makes what was written durable (fdatasync).
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to `length` octets.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// What is written under this name is in the making; whatever is found under it is of no use.
pub(crate) const TEMPORARY: &str = "new";
