//! The reads of files while a channel is opened, and the place where they are executed.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{ChannelError, ChannelStep};

/// Executes the reads of files: a disk or a network file system that fails can block a read for
/// ever. A program with other work on its thread executes them elsewhere.
pub trait FileReads: fmt::Debug + Send + Sync {
    /// Executes a read. Returns when it has ended, or the reason why it was not executed.
    fn execute(&self, read: FileRead) -> FileReadFuture<'_>;
}

/// A read of files.
pub type FileRead = Box<dyn FnOnce() + Send>;

/// A future that ends with a read of files.
pub type FileReadFuture<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// Executes each read at once, on the thread that opens the channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineReads;

impl FileReads for InlineReads {
    fn execute(&self, read: FileRead) -> FileReadFuture<'_> {
        Box::pin(async move {
            read();
            Ok(())
        })
    }
}

/// Executes a read and returns its result.
///
/// # Errors
/// If the read was not executed; `step` is the step that needs it.
pub async fn read_files<T: Send + 'static>(
    reads: &dyn FileReads,
    step: ChannelStep,
    read: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ChannelError> {
    let result = Arc::new(Mutex::new(None));
    let for_read = Arc::clone(&result);
    let store = move || *for_read.lock().unwrap_or_else(PoisonError::into_inner) = Some(read());
    reads.execute(Box::new(store)).await.map_err(|cause| ChannelError::at(step, cause))?;
    let result = result.lock().unwrap_or_else(PoisonError::into_inner).take();
    result.ok_or_else(|| ChannelError::at(step, "the files were not read, because of an internal error"))
}
