//! A queue of notifications for one destination, and the thread that forwards them.
//!
//! While the destination does not accept them, the notifications wait in memory.

use std::{
    collections::VecDeque,
    fmt, io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use portreeve_smi::{ClockReading, EngineId};
use portreeve_snmp_apps::ReceivedNotification;

use super::{ForwardDestination, ForwardError, ForwardedNotification, Forwarder, InvalidDestinationError};

/// The limits of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardQueueLimits {
    /// The maximum size of all notifications that wait, in octets.
    pub max_octets: usize,
    /// The time after which a notification is discarded.
    pub max_age: Duration,
    /// The pause after a first failure. It doubles after each further one.
    pub min_pause: Duration,
    /// The maximum pause.
    pub max_pause: Duration,
}

impl Default for ForwardQueueLimits {
    fn default() -> Self {
        Self {
            max_octets: 16 << 20,
            max_age: Duration::from_secs(3600),
            min_pause: Duration::from_secs(1),
            max_pause: Duration::from_secs(60),
        }
    }
}

/// The notifications that are forwarded to one destination, in order. When the queue is dropped,
/// notifications that wait are discarded; [`ForwardQueue::finish`] waits for them.
pub struct ForwardQueue {
    shared: Arc<Shared>,
}

/// The fate of a notification.
#[derive(Debug)]
pub enum ForwardReport<'e> {
    /// The notification has been forwarded.
    Forwarded,
    /// The destination does not accept the notification, which waits.
    Waiting(&'e ForwardError),
    /// The notification has been discarded, because it can never be forwarded.
    Discarded(&'e ForwardError),
    /// The notification has been discarded, because it has waited too long.
    Expired,
}

struct Shared {
    limits: ForwardQueueLimits,
    state: Mutex<State>,
    /// Signaled when a notification is added or removed, and when the queue is closed.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    octets: usize,
    is_closed: bool,
}

#[derive(Clone)]
struct Waiting {
    notification: Arc<ReceivedNotification>,
    is_inform: bool,
    since: Instant,
}

/// The queue is full, so that the notification is not forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardQueueFullError;

impl fmt::Display for ForwardQueueFullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many notifications wait for the destination: check that it accepts them")
    }
}

impl std::error::Error for ForwardQueueFullError {}

impl ForwardQueue {
    /// Starts the thread. `engine_id` and `clock` are those of this receiver. `report` is called
    /// with the fate of each notification, on the thread.
    ///
    /// # Errors
    /// The destination is invalid (`InvalidInput`), or the thread cannot be started.
    pub fn start(
        destination: ForwardDestination,
        engine_id: EngineId,
        limits: ForwardQueueLimits,
        clock: impl Fn() -> ClockReading + Send + 'static,
        report: impl Fn(ForwardReport<'_>) + Send + 'static,
    ) -> io::Result<Self> {
        let invalid = |error: InvalidDestinationError| io::Error::new(io::ErrorKind::InvalidInput, error);
        destination.check().map_err(invalid)?;
        let shared = Arc::new(Shared { limits, state: Mutex::default(), changed: Condvar::new() });
        let of_thread = Arc::clone(&shared);
        // Not joined: it can wait for the destination while the program ends.
        thread::Builder::new().name("forward".to_owned()).spawn(move || {
            // The connections of a forwarder stay on one thread.
            if let Ok(forwarder) = Forwarder::new(destination, engine_id) {
                of_thread.run(forwarder, &clock, &report);
            }
        })?;
        Ok(Self { shared })
    }

    /// Adds a notification to the queue. `is_inform` is false for a trap.
    ///
    /// # Errors
    /// The queue is full.
    pub fn submit(
        &self,
        notification: Arc<ReceivedNotification>,
        is_inform: bool,
    ) -> Result<(), ForwardQueueFullError> {
        let mut state = self.shared.lock();
        let octets = state.octets + size_of_one(&notification);
        if octets > self.shared.limits.max_octets {
            return Err(ForwardQueueFullError);
        }
        state.octets = octets;
        state.waiting.push_back(Waiting { notification, is_inform, since: Instant::now() });
        drop(state);
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Waits until all notifications have been forwarded, until `deadline` at most. Returns the
    /// number of those that are discarded.
    pub fn finish(self, deadline: Instant) -> usize {
        let left = deadline.saturating_duration_since(Instant::now());
        let is_busy = |state: &mut State| !state.waiting.is_empty();
        let waited = self.shared.changed.wait_timeout_while(self.shared.lock(), left, is_busy);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting.len()
    }
}

impl Drop for ForwardQueue {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn run(
        &self,
        mut forwarder: Forwarder,
        clock: &dyn Fn() -> ClockReading,
        report: &dyn Fn(ForwardReport<'_>),
    ) {
        let mut pause = self.limits.min_pause;
        while let Some(Waiting { notification, is_inform, since }) = self.first() {
            if since.elapsed() >= self.limits.max_age {
                report(ForwardReport::Expired);
                self.remove_first();
                continue;
            }
            let forward = || {
                let forwarded = ForwardedNotification::of(&notification, is_inform);
                forwarder.forward(forwarded, clock(), Instant::now())
            };
            let result = catch_unwind(AssertUnwindSafe(forward)).unwrap_or_else(|_| {
                forwarder.close();
                Err(ForwardError::Unsendable("forwarding it has caused a panic".to_owned()))
            });
            match result {
                Ok(()) => {
                    report(ForwardReport::Forwarded);
                    self.remove_first();
                    pause = self.limits.min_pause;
                }
                Err(error) if error.is_permanent() => {
                    report(ForwardReport::Discarded(&error));
                    self.remove_first();
                }
                Err(error) => {
                    report(ForwardReport::Waiting(&error));
                    self.pause(with_jitter(pause));
                    pause = (pause * 2).min(self.limits.max_pause);
                }
            }
        }
    }

    /// Waits for a notification, which stays in the queue; `None` if the queue is closed.
    fn first(&self) -> Option<Waiting> {
        let is_idle = |state: &mut State| state.waiting.is_empty() && !state.is_closed;
        let state = self.changed.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
        state.waiting.front().filter(|_| !state.is_closed).cloned()
    }

    fn remove_first(&self) {
        let mut state = self.lock();
        if let Some(Waiting { notification, .. }) = state.waiting.pop_front() {
            state.octets -= size_of_one(&notification);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits before the next attempt, until the queue is closed at most.
    fn pause(&self, pause: Duration) {
        let is_open = |state: &mut State| !state.is_closed;
        let waited = self.changed.wait_timeout_while(self.lock(), pause, is_open);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a pause between 75 and 125 percent, so that several receivers do not return to a
/// destination at the same time.
fn with_jitter(pause: Duration) -> Duration {
    let random = getrandom::u32().unwrap_or_default() % 1000;
    pause * (1500 + random) / 2000
}

/// Returns the memory that a notification occupies in the queue, in octets, about.
fn size_of_one(notification: &ReceivedNotification) -> usize {
    notification.var_binds().encoded().len() + OVERHEAD
}

/// The memory of a notification besides its variables, about.
const OVERHEAD: usize = 512;

#[cfg(test)]
mod tests;
