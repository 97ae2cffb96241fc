//! The thread of the writer, and its end.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread::{self, JoinHandle},
    time::Duration,
};

/// The thread of the writer.
pub(crate) struct WriterThread {
    thread: JoinHandle<()>,
    /// Disconnected when the writer has ended.
    progress: Receiver<()>,
}

/// Reports that the writer does not stall.
pub(crate) struct Progress(SyncSender<()>);

impl WriterThread {
    /// Starts the thread, which calls `write`.
    pub(crate) fn start(write: impl FnOnce(Progress) + Send + 'static) -> Result<Self, String> {
        let (sender, progress) = sync_channel(1);
        let thread = thread::Builder::new().name("writer".into()).spawn(move || {
            if catch_unwind(AssertUnwindSafe(|| write(Progress(sender)))).is_err() {
                // Without the writer, every notification would be discarded.
                tracing::error!("the thread that writes notifications has panicked: the program ends");
                std::process::exit(1);
            }
        });
        let thread = thread.map_err(|error| format!("cannot start the thread that writes: {error}"))?;
        Ok(Self { thread, progress })
    }

    /// Waits until the writer has ended.
    ///
    /// # Errors
    /// The writer makes no progress for `max_stall`, for example because its output is a pipe that
    /// is not read. Its thread then continues.
    pub(crate) fn finish(self, max_stall: Duration) -> Result<(), String> {
        loop {
            match self.progress.recv_timeout(max_stall) {
                Ok(()) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = max_stall.as_secs();
                    return Err(format!(
                        "the program ends without writing all notifications: its output has not accepted lines for {seconds} seconds"
                    ));
                }
            }
        }
        // A panic of the thread ends the program.
        let _ = self.thread.join();
        Ok(())
    }
}

impl Progress {
    /// Records that the writer has done a part of its work.
    pub(crate) fn record(&self) {
        // If the last report has not been read, it is enough.
        let _ = self.0.try_send(());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn end_of_writer_is_awaited() {
        let (sender, receiver) = mpsc::channel();
        let thread = WriterThread::start(move |progress| {
            (0..3).for_each(|_| progress.record());
            sender.send(()).unwrap();
        });
        assert_eq!(thread.unwrap().finish(Duration::from_secs(60)), Ok(()));
        assert_eq!(receiver.try_recv(), Ok(()));
    }

    #[test]
    fn writer_that_stalls_is_not_awaited() {
        let (release, stall) = mpsc::channel::<()>();
        let thread = WriterThread::start(move |progress| {
            progress.record();
            let _ = stall.recv();
        });
        let error = thread.unwrap().finish(Duration::from_millis(20)).unwrap_err();
        assert!(error.contains("has not accepted lines"), "{error}");
        drop(release);
    }
}
