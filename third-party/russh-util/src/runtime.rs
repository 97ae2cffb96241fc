//! Spawns tasks.

use std::{
    cell::Cell,
    error::Error,
    fmt,
    future::poll_fn,
    pin::{Pin, pin},
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
};

use tokio::sync::oneshot;

/// Spawns a future as a task; or, within [`adopting`], runs it while the returned handle is polled.
pub fn spawn<F, T>(future: F) -> JoinHandle<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let future: Pin<Box<dyn Future<Output = T> + Send>> = Box::pin(future);
    if ADOPTING.get() {
        return JoinHandle(Way::Adopted(Mutex::new(future)));
    }
    let (sender, receiver) = oneshot::channel();
    tokio::spawn(async move {
        // Fails if the handle was dropped.
        drop(sender.send(future.await));
    });
    JoinHandle(Way::Spawned(receiver))
}

/// Runs `future`. Futures that it spawns do not become tasks: they run while their handle is
/// polled, and end when it is dropped.
pub async fn adopting<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|context| {
        let before = ADOPTING.replace(true);

        let _restore = Restore(before);
        future.as_mut().poll(context)
    })
    .await
}

/// A handle to a spawned future.
pub struct JoinHandle<T: Send>(Way<T>);

enum Way<T> {
    Spawned(oneshot::Receiver<T>),
    /// The future is in a mutex, because the handle of the original crate can be shared between
    /// threads. No two threads ever lock it at the same time.
    Adopted(Mutex<Pin<Box<dyn Future<Output = T> + Send>>>),
}

impl<T: Send> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Way::Spawned(receiver) => Pin::new(receiver).poll(context).map_err(|_| JoinError),
            Way::Adopted(future) => {
                future.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().poll(context).map(Ok)
            }
        }
    }
}

/// Error for a task that ended without a result, because it panicked or its runtime was shut down.
#[derive(Debug)]
pub struct JoinError;

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task ended without a result")
    }
}

impl Error for JoinError {}

/// Restores [`ADOPTING`], also if the poll panics.
struct Restore(bool);

impl Drop for Restore {
    fn drop(&mut self) {
        ADOPTING.set(self.0);
    }
}

thread_local! {
    static ADOPTING: Cell<bool> = const { Cell::new(false) };
}
