//! The thread that reads the status. It may wait for the disk for a short time; the main thread
//! never does.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::mpsc::{SyncSender, sync_channel},
    thread,
};

use super::{Status, StatusSource};
use crate::reload_thread::LoadHistory;

/// Passes requests to the thread, which handles one after the other.
pub(crate) struct StatusThread(SyncSender<Box<dyn FnOnce(Status) + Send>>);

impl StatusThread {
    /// Starts the thread. It reads the status of the agent that has loaded `file`.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start(source: StatusSource, file: PathBuf, loads: LoadHistory) -> io::Result<Self> {
        let (requests, receiver) = sync_channel::<Box<dyn FnOnce(Status) + Send>>(MAX_WAITING_REQUESTS);
        // The thread ends after the last request. It is not joined, because the disk must not delay
        // the end of the agent.
        thread::Builder::new().name("status".into()).spawn(move || {
            for done in receiver {
                let read = || done(source.read(file.clone(), loads.read()));
                if catch_unwind(AssertUnwindSafe(read)).is_err() {
                    tracing::error!("a panic occurred while the status was read");
                }
            }
        })?;
        Ok(Self(requests))
    }

    /// Requests the status, and returns at once. `done` is called with the status, on the thread;
    /// it is dropped if too many requests wait.
    pub(crate) fn request(&self, done: impl FnOnce(Status) + Send + 'static) {
        let _ = self.0.try_send(Box::new(done));
    }
}

/// The maximum number of requests that wait: as many as the control socket has connections.
const MAX_WAITING_REQUESTS: usize = 16;
