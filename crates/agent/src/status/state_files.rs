//! The sizes of the files in the state directory.
//!
//! A thread reads the directory, because a disk that fails can block it for ever. It is then that
//! an operator wants to see the status.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::mpsc::{SyncSender, sync_channel},
    thread,
    time::Duration,
};

/// Passes requests to the thread that reads the directory.
pub(crate) struct StateFiles {
    directory: PathBuf,
    requests: SyncSender<SyncSender<Files>>,
    max_wait: Duration,
}

/// The name and the size in bytes of each file.
type Files = Vec<(String, u64)>;

impl StateFiles {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start(directory: &Path) -> io::Result<Self> {
        Self::start_with(directory, MAX_WAIT, list)
    }

    /// Starts the thread, which calls `list` to read the directory.
    pub(crate) fn start_with(
        directory: &Path,
        max_wait: Duration,
        list: impl Fn(&Path) -> Files + Send + 'static,
    ) -> io::Result<Self> {
        // One request can wait: if the disk does not respond, further requests fail at once.
        let (requests, receiver) = sync_channel::<SyncSender<Files>>(1);
        let listed = directory.to_owned();
        // The thread is not joined, because the disk must not delay the end of the agent.
        thread::Builder::new().name("state-files".into()).spawn(move || {
            for reply in receiver {
                // If the requester has not waited, it has reported that the disk does not respond.
                let _ = reply.try_send(list(&listed));
            }
        })?;
        Ok(Self { directory: directory.to_owned(), requests, max_wait })
    }

    /// Returns the state directory.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the files, ordered by name; `None` if the disk does not respond.
    pub(crate) fn read(&self) -> Option<Files> {
        let (reply, files) = sync_channel(1);
        self.requests.try_send(reply).ok()?;
        files.recv_timeout(self.max_wait).ok()
    }
}

/// Reads the directory. Files that cannot be examined are left out.
fn list(directory: &Path) -> Files {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().take(MAX_FILES);
    let file = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((entry.file_name().to_string_lossy().into_owned(), metadata.size()))
    };
    let mut files: Files = entries.filter_map(file).collect();
    files.sort();
    files
}

/// The time after which the status is reported without the files.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The maximum number of files that are listed. The store has less than twenty.
const MAX_FILES: usize = 64;

#[cfg(test)]
mod tests;
