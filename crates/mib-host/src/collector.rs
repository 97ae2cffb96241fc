//! One part of the machine, read by a thread of its own and published whole.
//!
//! ```text
//! SnapshotView::read: snapshot older than half its time ──want──▶ thread: collect ─▶ publish ─▶ announce
//!             older than its time: Later(token) ◀──────────── repeat the lookup ◀──────────┘
//! ```
//! While requests keep coming the thread refreshes ahead of them, so that none of them waits; while none come it
//! sleeps. Snapshots are made in the memory of earlier ones that no view holds any more.

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

/// Reads one part of the machine. Dropping it ends its thread; views go on showing the last snapshot.
pub struct Collector<S> {
    shared: Arc<Shared<S>>,
    thread: Option<JoinHandle<()>>,
}

/// What reads the machine.
pub trait Collect: Send + 'static {
    /// What it finds.
    type Snapshot: Default + Send + Sync + 'static;

    /// Reads the machine into `next`, which holds left-overs whose memory is worth using again.
    ///
    /// `last` is the snapshot before, at first an empty one. An error leaves that published.
    fn collect(&mut self, now: Timestamp, last: &Self::Snapshot, next: &mut Self::Snapshot)
    -> io::Result<()>;
}

/// When a collector works.
#[derive(Clone, Copy, Debug)]
pub struct RefreshPolicy {
    /// How old a snapshot may be when a request is answered from it.
    pub max_age: Duration,
    /// What requests wait for when it is older: announced after every refresh.
    pub token: LookupToken,
}

impl RefreshPolicy {
    /// The age at which requests have a snapshot refreshed behind them.
    pub(crate) fn due_after(&self) -> Duration {
        self.max_age / 2
    }
}

impl<S: Default + Send + Sync + 'static> Collector<S> {
    /// Reads the machine once, then whenever a view wants it.
    ///
    /// `clock` yields the same time that requests are handled at. `announce` is called on the collector's thread after
    /// each refresh, with the token and, if the machine could not be read, why; lookups fail until a later one can.
    /// An announcement must reach a worker as a message in a queue: the worker may be about to put a request aside
    /// for the very refresh that has just ended.
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
                // Wished for while the last refresh was under way, whose announcement is still to be heard.
                if now.since(thread_shared.last_read().0) > refresh.due_after() {
                    announce(refresh.token, thread_shared.refresh(&mut collect, now, &mut retired));
                }
            }
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// A way to the newest snapshot, for one worker.
    pub fn view(&self) -> SnapshotView<S> {
        SnapshotView::new(Arc::clone(&self.shared))
    }
}

impl<S> Drop for Collector<S> {
    fn drop(&mut self) {
        self.shared.send_command(Command::Stop);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported where it happened.
            let _ = thread.join();
        }
    }
}

/// What a collector's thread and its views have in common.
pub(crate) struct Shared<S> {
    pub(crate) refresh: RefreshPolicy,
    newest: Mutex<Arc<S>>,
    /// Rises with each snapshot published.
    generation: AtomicU64,
    /// When the machine was last read or found unreadable, in microseconds. Written after the generation and read
    /// before it, so that whoever sees a fresh time sees the snapshot too.
    read_at: AtomicU64,
    /// Whether that failed.
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

    /// When the machine was last read, and whether that succeeded.
    pub(crate) fn last_read(&self) -> (Timestamp, bool) {
        let read_at = Timestamp::from_micros(self.read_at.load(Ordering::Acquire));
        (read_at, !self.failed.load(Ordering::Acquire))
    }

    /// Rises with each snapshot published.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The newest snapshot.
    pub(crate) fn newest(&self) -> Arc<S> {
        Arc::clone(&lock(&self.newest))
    }

    /// Tells the thread what to do next. Nothing overrides the wish to stop.
    pub(crate) fn send_command(&self, command: Command) {
        let mut current = lock(&self.command);
        if *current != Command::Stop && *current != command {
            *current = command;
            self.command_changed.notify_one();
        }
    }

    /// Sleeps until there is something to do.
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

    /// Reads the machine and publishes what it finds. `retired` holds the snapshots published before: at most one for
    /// each view, and a spare one.
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
            None => Err(io::Error::other("a retired snapshot is still held")),
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

/// What a collector's thread is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Idle,
    Refresh,
    Stop,
}

/// What a lock guards here is whole at any moment, also after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
