//! The reads of the files of one target, on threads that may wait for a file system.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use portreeve_channel::{FileRead, FileReadFuture, FileReads};
use tokio::task::spawn_blocking;

/// Executes the reads of the files of one target, one at a time, on threads that may block. While a
/// read does not end, no other one begins: a file system that hangs occupies at most one thread for
/// each target.
#[derive(Debug, Default)]
pub(crate) struct TargetFileReads {
    is_reading: Arc<AtomicBool>,
}

impl TargetFileReads {
    /// Returns true while a read has not ended.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.is_reading.load(Ordering::Relaxed)
    }
}

impl FileReads for TargetFileReads {
    fn execute(&self, read: FileRead) -> FileReadFuture<'_> {
        Box::pin(async move {
            let turn = Turn::take(&self.is_reading).ok_or("an earlier read of the files has not ended")?;
            let reading = spawn_blocking(move || {
                read();
                drop(turn);
            });
            // A panic has already been printed.
            reading.await.map_err(|_| "the files were not read, because of an internal error".to_owned())
        })
    }
}

/// The only read of a target. Dropped when it has ended, also with a panic.
struct Turn(Arc<AtomicBool>);

impl Turn {
    fn take(is_reading: &Arc<AtomicBool>) -> Option<Self> {
        (!is_reading.swap(true, Ordering::Relaxed)).then(|| Self(Arc::clone(is_reading)))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use portreeve_channel::{ChannelStep, read_files};
    use tokio::{runtime::Builder, time::timeout};

    use super::*;

    const STEP: ChannelStep = ChannelStep::ClientIdentity;

    #[test]
    fn read_that_does_not_end_occupies_one_thread_until_it_ends() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let (begun, begins) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let reads = TargetFileReads::default();
        runtime.block_on(async {
            let hang = move || {
                begun.send(()).unwrap();
                released.recv().unwrap_err();
            };
            let waited = timeout(Duration::from_millis(20), read_files(&reads, STEP, hang)).await;
            assert!(waited.is_err(), "the thread of the caller is not blocked");
            begins.recv().unwrap();
            for _ in 0..3 {
                assert!(reads.is_unfinished());
                let refused = read_files(&reads, STEP, || panic!("a second read")).await.unwrap_err();
                assert_eq!(refused.cause, "an earlier read of the files has not ended");
            }
            drop(release);
            while reads.is_unfinished() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert_eq!(read_files(&reads, STEP, || 7).await, Ok(7));
        });
    }

    #[test]
    fn read_that_panics_fails_and_the_next_one_succeeds() {
        let runtime = Builder::new_current_thread().build().unwrap();
        let reads = TargetFileReads::default();
        runtime.block_on(async {
            let error = read_files(&reads, STEP, || -> u8 { panic!("on purpose") }).await.unwrap_err();
            assert!(error.cause.contains("internal error"), "{error}");
            assert_eq!(read_files(&reads, STEP, || 7).await, Ok(7));
        });
    }
}
