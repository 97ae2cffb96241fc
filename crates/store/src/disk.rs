//! The few file system operations that the store needs, as a trait, so that tests can simulate
//! failures and power loss.

mod directory;
#[cfg(test)]
pub(crate) mod memory;
mod observer;

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use zeroize::Zeroizing;

pub(crate) use directory::Directory;
pub(crate) use observer::Observer;

/// The content of a file. It is wiped when dropped, because it may contain cryptographic keys.
pub(crate) type Content = Zeroizing<Vec<u8>>;

/// A directory of small files.
pub(crate) trait Disk: Send {
    /// Returns the content of a file, or `None` if the file does not exist.
    fn read(&self, name: &str) -> io::Result<Option<Content>>;

    /// Writes a new file. On return its content is durable, but its name is not.
    fn write(&mut self, name: &str, content: &[u8]) -> io::Result<()>;

    /// Renames a file, replacing an existing file. On return the change is durable.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file if it exists.
    fn remove(&mut self, name: &str) -> io::Result<()>;

    /// Opens an existing file for appending.
    fn open(&mut self, name: &str) -> io::Result<Box<dyn AppendFile>>;

    /// Writes the file [`TEMPORARY`], which is renamed later. On failure, the partial file is
    /// removed to free its space.
    fn prepare(&mut self, content: &[u8]) -> io::Result<()> {
        self.write(TEMPORARY, content).inspect_err(|_| {
            // If the removal fails as well, the next write overwrites the file.
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
    /// Writes `content` at `offset`. After an error, any part of `content` may have been written.
    fn write_at(&mut self, offset: u64, content: &[u8]) -> io::Result<()>;

    /// Makes the writes durable (fdatasync).
    fn sync(&mut self) -> io::Result<()>;

    /// Truncates the file to `length` bytes.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// Reads a regular file without following a link; `None` if it does not exist.
fn read_file(path: &Path) -> io::Result<Option<Content>> {
    let mut file = match open_options().read(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    // Allocate the full size: a growing buffer would leave unwiped copies in memory.
    let size = usize::try_from(metadata.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let mut content = Content::new(Vec::with_capacity(size));
    file.read_to_end(&mut content)?;
    Ok(Some(content))
}

/// Options for opening a state file. Links are not followed, and a FIFO does not block.
fn open_options() -> OpenOptions {
    let flags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).bits();
    let mut options = OpenOptions::new();
    options.mode(0o600).custom_flags(flags.cast_signed());
    options
}

/// The name of files that are still being written. Content found under this name is never used.
pub(crate) const TEMPORARY: &str = "new";
