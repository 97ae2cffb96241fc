//! A collector reads one part of the machine on its own thread and publishes snapshots.
//!
//! ```text
//! SnapshotView::read
//!   snapshot older than half its maximum age: request a refresh ──▶ thread: collect ─▶ publish
//!   snapshot older than its maximum age: Later(token)                                      │
//!                                           ▲                                              ▼
//!                                           └──────── repeat the lookup ◀──────────── announce
//! ```
//! While requests arrive, the thread refreshes the snapshot before it becomes stale, so that no
//! request waits. Without requests it sleeps. New snapshots reuse the memory of earlier ones that
//! no view holds any more.

use std::{
    io,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use portreeve_mib::LookupToken;
use portreeve_smi::Timestamp;

use crate::SnapshotView;

/// Reads one part of the machine. Dropping the collector ends its thread; views retain the last
/// snapshot.
pub struct Collector<S> {
    shared: Arc<Shared<S>>,
    thread: Option<JoinHandle<()>>,
}

/// Reads the machine into a snapshot.
pub trait Collect: Send + 'static {
    /// The data that is read.
    type Snapshot: Default + Send + Sync + 'static;

    /// Reads the machine into `next`, which contains old data whose memory should be reused.
    ///
    /// `last` is the previous snapshot, initially an empty one.
    ///
    /// # Errors
    /// Returns an error if the machine cannot be read. `last` then remains the published snapshot.
    fn collect(&mut self, now: Timestamp, last: &Self::Snapshot, next: &mut Self::Snapshot)
    -> io::Result<()>;
}

/// The refresh policy of a collector.
#[derive(Clone, Copy, Debug)]
pub struct RefreshPolicy {
    /// The maximum age of a snapshot from which a request is answered.
    pub max_age: Duration,
    /// The token that deferred requests wait for; announced after every refresh.
    pub token: LookupToken,
}

impl RefreshPolicy {
    /// Returns the age after which requests trigger a refresh in the background.
    pub(crate) fn due_after(&self) -> Duration {
        self.max_age / 2
    }
}

impl<S: Default + Send + Sync + 'static> Collector<S> {
    /// Reads the machine once, and then whenever a view requests it.
    ///
    /// `clock` must be the clock that workers use for requests. After each refresh, `announce` is
    /// called on the collector's thread with the token and the result. If the machine could not be
    /// read, the result is the error, and lookups fail until a refresh succeeds. `announce` must
    /// put the announcement into a queue for each worker. A worker that defers a request just when
    /// the refresh ends then finds the announcement in its queue.
    ///
    /// # Errors
    /// Returns an error if the machine cannot be read or the thread cannot be started.
    pub fn start<C: Collect<Snapshot = S>>(
        mut collect: C,
        refresh: RefreshPolicy,
        clock: impl Fn() -> Timestamp + Send + 'static,
        announce: impl Fn(LookupToken, io::Result<()>) + Send + 'static,
    ) -> io::Result<Self> {
        let mut first = S::default();
        let now = clock();
        collect.collect(now, &S::default(), &mut first)?;
        let shared = Arc::new(Shared::new(first, now, refresh));
        let thread_shared = Arc::clone(&shared);
        let thread = thread::Builder::new().name("collector".into()).spawn(move || {
            let mut retired = Vec::new();
            while thread_shared.next_command() == Command::Refresh {
                let now = clock();
                // If the command arrived during the last refresh, no further refresh is needed: the
                // announcement of that refresh is still in the workers' queues.
                if now.since(thread_shared.last_read().0) > refresh.due_after() {
                    announce(refresh.token, thread_shared.refresh(&mut collect, now, &mut retired));
                }
            }
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Creates a view of the newest snapshot, for one worker.
    pub fn view(&self) -> SnapshotView<S> {
        SnapshotView::new(Arc::clone(&self.shared))
    }
}

impl<S> Drop for Collector<S> {
    fn drop(&mut self) {
        self.shared.send_command(Command::Stop);
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, the panic has already been reported.
            let _ = thread.join();
        }
    }
}

/// The state shared by a collector's thread and its views.
pub(crate) struct Shared<S> {
    pub(crate) refresh: RefreshPolicy,
    newest: Mutex<Arc<S>>,
    /// Incremented with each published snapshot.
    generation: AtomicU64,
    /// The time in microseconds when the machine was last read or found unreadable. Written after
    /// the generation and read before it, so that a thread that reads a new time also sees the new
    /// snapshot.
    read_at: AtomicU64,
    /// True if the last read failed.
    failed: AtomicBool,
    command: Mutex<Command>,
    command_changed: Condvar,
}

impl<S> Shared<S> {
    fn new(first: S, now: Timestamp, refresh: RefreshPolicy) -> Self {
        Self {
            refresh,
            newest: Mutex::new(Arc::new(first)),
            generation: AtomicU64::new(0),
            read_at: AtomicU64::new(now.as_micros()),
            failed: AtomicBool::new(false),
            command: Mutex::new(Command::Idle),
            command_changed: Condvar::new(),
        }
    }

    /// Returns the time of the last read, and true if it succeeded.
    pub(crate) fn last_read(&self) -> (Timestamp, bool) {
        let read_at = Timestamp::from_micros(self.read_at.load(Ordering::Acquire));
        (read_at, !self.failed.load(Ordering::Acquire))
    }

    /// Returns the generation, which increases with each published snapshot.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Returns the newest snapshot.
    pub(crate) fn newest(&self) -> Arc<S> {
        Arc::clone(&lock(&self.newest))
    }

    /// Sends a command to the thread. No command overrides `Stop`.
    pub(crate) fn send_command(&self, command: Command) {
        let mut current = lock(&self.command);
        if *current != Command::Stop && *current != command {
            *current = command;
            self.command_changed.notify_one();
        }
    }

    /// Waits for the next command.
    fn next_command(&self) -> Command {
        let command = lock(&self.command);
        let mut command = self
            .command_changed
            .wait_while(command, |command| *command == Command::Idle)
            .unwrap_or_else(PoisonError::into_inner);
        let received = *command;
        if received == Command::Refresh {
            *command = Command::Idle;
        }
        received
    }

    /// Reads the machine and publishes the result. `retired` contains earlier snapshots: at most
    /// one for each view, and one more.
    fn refresh<C>(&self, collect: &mut C, now: Timestamp, retired: &mut Vec<Arc<S>>) -> io::Result<()>
    where
        C: Collect<Snapshot = S>,
        S: Default,
    {
        let last = self.newest();
        let free = retired.iter_mut().position(|snapshot| Arc::get_mut(snapshot).is_some());
        let mut next = free.map(|position| retired.swap_remove(position)).unwrap_or_default();
        let outcome = match Arc::get_mut(&mut next) {
            Some(snapshot) => collect.collect(now, &last, snapshot),
            None => Err(io::Error::other("a retired snapshot is still in use")),
        };
        if outcome.is_ok() {
            *lock(&self.newest) = next;
            retired.push(last);
            self.generation.fetch_add(1, Ordering::Release);
        } else {
            retired.push(next);
        }
        self.failed.store(outcome.is_err(), Ordering::Release);
        self.read_at.store(now.as_micros(), Ordering::Release);
        outcome
    }
}

/// A command for a collector's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Idle,
    Refresh,
    Stop,
}

/// Locks a mutex, even if it is poisoned: its data is consistent after a panic too.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
