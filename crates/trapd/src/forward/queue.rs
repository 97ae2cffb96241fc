//! A queue of notifications for one destination, and the thread that forwards them.
//!
//! While the destination cannot be reached, the notifications wait.

use std::{
    collections::VecDeque,
    fmt, io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use portreeve_smi::{ClockReading, EngineId};
use portreeve_snmp_apps::ReceivedNotification;

use super::{ForwardDestination, ForwardError, ForwardedNotification, Forwarder, InvalidDestinationError};

/// The limits of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardQueueLimits {
    /// The maximum number of notifications that wait.
    pub max_waiting: usize,
    /// The maximum length of the variables of all notifications that wait, in octets.
    pub max_waiting_octets: usize,
    /// The time between two attempts to reach the destination.
    pub retry_interval: Duration,
}

impl Default for ForwardQueueLimits {
    fn default() -> Self {
        Self { max_waiting: 10_000, max_waiting_octets: 16 << 20, retry_interval: Duration::from_secs(1) }
    }
}

/// The thread that forwards notifications to one destination, in order. When the queue is dropped,
/// notifications that wait are discarded.
pub struct ForwardQueue {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    limits: ForwardQueueLimits,
    state: Mutex<State>,
    /// Signaled when a notification is added and when the queue is closed.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Arc<ReceivedNotification>>,
    octets: usize,
    is_closed: bool,
}

/// The queue is full, so that the notification is not forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardQueueFullError;

impl fmt::Display for ForwardQueueFullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many notifications wait for the destination: check that it is reachable")
    }
}

impl std::error::Error for ForwardQueueFullError {}

impl ForwardQueue {
    /// Starts the thread. `engine_id` and `clock` are those of this receiver. `report` is called
    /// with each error: if the destination cannot be reached, the notification waits; after any
    /// other error, it is discarded.
    ///
    /// # Errors
    /// The destination is invalid (`InvalidInput`), or the thread cannot be started.
    pub fn start(
        destination: ForwardDestination,
        engine_id: EngineId,
        limits: ForwardQueueLimits,
        clock: impl Fn() -> ClockReading + Send + 'static,
        report: impl Fn(&ForwardError) + Send + 'static,
    ) -> io::Result<Self> {
        let invalid = |error: InvalidDestinationError| io::Error::new(io::ErrorKind::InvalidInput, error);
        destination.check().map_err(invalid)?;
        let shared = Arc::new(Shared { limits, state: Mutex::default(), changed: Condvar::new() });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new().name("forward".to_owned()).spawn(move || {
            // The connections of a forwarder stay on one thread.
            if let Ok(forwarder) = Forwarder::new(destination, engine_id) {
                of_thread.run(forwarder, &clock, &report);
            }
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Adds a notification to the queue.
    ///
    /// # Errors
    /// The queue is full.
    pub fn submit(&self, notification: Arc<ReceivedNotification>) -> Result<(), ForwardQueueFullError> {
        let limits = &self.shared.limits;
        let mut state = self.shared.lock();
        let octets = state.octets + length(&notification);
        if state.waiting.len() >= limits.max_waiting || octets > limits.max_waiting_octets {
            return Err(ForwardQueueFullError);
        }
        state.octets = octets;
        state.waiting.push_back(notification);
        drop(state);
        self.shared.changed.notify_one();
        Ok(())
    }
}

impl Drop for ForwardQueue {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn run(
        &self,
        mut forwarder: Forwarder,
        clock: &dyn Fn() -> ClockReading,
        report: &dyn Fn(&ForwardError),
    ) {
        while let Some(notification) = self.first() {
            let forwarded = ForwardedNotification::of(&notification);
            let result = forwarder.forward(forwarded, clock(), Instant::now());
            if let Err(error) = &result {
                report(error);
            }
            match result {
                Err(ForwardError::Unreachable(_) | ForwardError::Paused) => self.pause(),
                Ok(()) | Err(_) => self.remove_first(),
            }
        }
    }

    /// Waits for a notification, which stays in the queue; `None` if the queue is closed.
    fn first(&self) -> Option<Arc<ReceivedNotification>> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(notification) = state.waiting.front() {
                return Some(Arc::clone(notification));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn remove_first(&self) {
        let mut state = self.lock();
        if let Some(notification) = state.waiting.pop_front() {
            state.octets -= length(&notification);
        }
    }

    /// Waits before the next attempt, until the queue is closed at most.
    fn pause(&self) {
        let until_closed = |state: &mut State| !state.is_closed;
        let waited = self.changed.wait_timeout_while(self.lock(), self.limits.retry_interval, until_closed);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the length of a notification in the queue, in octets.
fn length(notification: &ReceivedNotification) -> usize {
    notification.var_binds().encoded().len()
}

#[cfg(test)]
mod tests;
