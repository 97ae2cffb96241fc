//! A file to which lines are appended.

mod readers;

use std::{
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io::{self, ErrorKind, Seek, SeekFrom, Write},
    os::{
        fd::AsFd,
        unix::fs::{MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    io::Errno,
};

use super::outputs::LineFile;
use readers::warn_about_readers;

/// A file to which lines are appended, or standard output.
pub(crate) struct OutputFile {
    /// `None` for standard output.
    path: Option<PathBuf>,
    file: File,
    /// Other files, for example pipes, are neither synced nor shortened.
    is_regular: bool,
    /// The lines in a regular file that can be removed.
    appended: Option<Appended>,
    reopen: Reopen,
}

/// The lines of a group in a file.
struct Appended {
    /// The length of the file before them.
    start: u64,
    octets: u64,
}

/// The state of a request to open the file again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reopen {
    NotRequested,
    Requested,
    /// It has failed at least once, which was logged, and is tried again.
    Failed,
}

impl OutputFile {
    /// Opens and locks the file `path`; standard output without one.
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        let file = match path {
            Some(path) => append_to(path)?,
            None => File::from(io::stdout().as_fd().try_clone_to_owned()?),
        };
        let is_regular = file.metadata()?.is_file();
        if is_regular {
            lock(&file)?;
            match path {
                Some(path) => sync_name(path)?,
                // It can have no name.
                None => drop(fs::read_link(STANDARD_OUTPUT).map(|path| sync_name(&path))),
            }
        }
        if let Some(path) = path {
            warn_about_readers(path, &file.metadata()?);
        }
        let path = path.map(Path::to_owned);
        Ok(Self { path, file, is_regular, appended: None, reopen: Reopen::NotRequested })
    }

    /// Replaces the file by the one that is at its path now, unless it is the same.
    fn open_again(&mut self, path: &Path) -> io::Result<()> {
        // Opened again, the same file would be locked by this program. A file without metadata is
        // on a file system that has gone.
        if !self.is_regular || !self.file.metadata().is_ok_and(|own| is_at(path, &own)) {
            *self = Self::open(Some(path))?;
        }
        self.reopen = Reopen::NotRequested;
        Ok(())
    }

    /// Returns whether the file is at no path any more, so that its lines would be lost.
    fn is_removed(&self, path: &Path) -> bool {
        // Some file systems report no links for every file.
        let has_no_name = |own: &Metadata| own.nlink() == 0 && !is_at(path, own);
        self.is_regular && self.file.metadata().is_ok_and(|own| has_no_name(&own))
    }

    /// Appends lines, and counts the octets that the file has accepted.
    fn append_counted(&mut self, mut lines: &[u8]) -> io::Result<()> {
        if self.is_regular {
            // Standard output is not always open for appending.
            let start = self.file.seek(SeekFrom::End(0))?;
            self.appended = Some(Appended { start, octets: 0 });
        }
        while !lines.is_empty() {
            match self.file.write(lines) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(length) => {
                    self.appended.iter_mut().for_each(|appended| appended.octets += length as u64);
                    lines = lines.get(length..).unwrap_or_default();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Removes these lines, unless another program has written after them.
    fn remove(&mut self, appended: &Appended) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        if length == appended.start + appended.octets {
            self.file.set_len(appended.start)?;
            // Standard error can be the same open file.
            self.file.seek(SeekFrom::End(0))?;
        }
        Ok(())
    }

    /// Adds the name of the file to an error.
    fn name_error(&self, error: &io::Error) -> io::Error {
        let path = self.path.as_deref().unwrap_or(Path::new("standard output"));
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    }
}

impl LineFile for OutputFile {
    fn request_reopen(&mut self) {
        if self.path.is_some() {
            self.reopen = Reopen::Requested;
        }
    }

    /// Opens the file again if that was requested or if it has been removed. If that fails, the old
    /// one stays in use, unless it has been removed.
    fn prepare(&mut self) -> io::Result<()> {
        let Some(path) = self.path.clone() else { return Ok(()) };
        let is_removed = self.is_removed(&path);
        if !is_removed && self.reopen == Reopen::NotRequested {
            return Ok(());
        }
        let (shown, reopen) = (path.display(), self.reopen);
        match self.open_again(&path) {
            Ok(()) if reopen == Reopen::Failed => tracing::info!(path = %shown, "the file is open again"),
            Ok(()) if reopen == Reopen::NotRequested => {
                tracing::warn!(path = %shown, "the file has been removed: lines are written to a new one");
            }
            Ok(()) => {}
            Err(error) if is_removed => {
                let error =
                    io::Error::new(error.kind(), format!("removed, and cannot be opened again: {error}"));
                return Err(self.name_error(&error));
            }
            Err(error) => {
                if reopen == Reopen::Requested {
                    tracing::error!(path = %shown, %error, "cannot open the file again: lines are written to the old one until it can be opened");
                }
                self.reopen = Reopen::Failed;
            }
        }
        Ok(())
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.append_counted(lines).map_err(|error| self.name_error(&error))
    }

    fn sync(&mut self) -> io::Result<()> {
        match &self.appended {
            Some(_) => self.file.sync_data().map_err(|error| self.name_error(&error)),
            None => Ok(()),
        }
    }

    fn commit(&mut self) {
        self.appended = None;
    }

    fn undo(&mut self) {
        if let Some(appended) = self.appended.take() {
            // If this fails as well, the file contains a line without its end.
            let _ = self.remove(&appended);
        }
    }
}

/// Opens a file for appending. A pipe that no program reads is an error: to wait for a reader would
/// block this program.
fn append_to(path: &Path) -> io::Result<File> {
    let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    // The lines contain communities.
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(nonblocking).open(path);
    let file = file.map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NXIO) => {
            io::Error::new(error.kind(), "a pipe that no program reads: start its reader first")
        }
        _ => error,
    })?;
    // Writing waits for the reader.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Locks a file, so that no other receiver removes lines of this one.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::new(ErrorKind::WouldBlock, LOCKED)),
        // Some file systems have no locks.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

/// Makes the name of a file durable: a new file is durable only with its name.
fn sync_name(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    // A directory that cannot be read cannot be synced.
    match File::open(parent.unwrap_or(Path::new("."))) {
        Ok(directory) => directory.sync_all(),
        Err(_) => Ok(()),
    }
}

/// Returns whether the file at `path` is the one with this metadata.
fn is_at(path: &Path, own: &Metadata) -> bool {
    fs::metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == (own.dev(), own.ino()))
}

/// The link to the file that is standard output.
const STANDARD_OUTPUT: &str = "/proc/self/fd/1";
const LOCKED: &str = "locked by another program, or used for both the lines and JSON: use a file for each";

#[cfg(test)]
mod tests;
