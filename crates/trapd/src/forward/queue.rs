//! The notifications for one destination, and the thread that forwards them.
//!
//! While the destination does not accept them, the notifications wait in memory.

mod form_queue;
mod form_queues;

use std::{
    fmt, io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use portreeve_smi::{ClockReading, EngineId};
use portreeve_snmp_apps::ReceivedNotification;

use super::{
    ForwardCredentials, ForwardDestination, ForwardError, ForwardedNotification, Forwarder,
    InvalidDestinationError, form::MessageForm,
};
use form_queues::{Attempt, FormQueues, Next};

/// The limits of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardQueueLimits {
    /// The maximum size of all notifications that wait, in octets.
    pub max_octets: usize,
    /// The time after which a notification is discarded.
    pub max_age: Duration,
    /// The time before which an inform is not discarded because the destination confirms others.
    pub min_rejected_age: Duration,
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
            min_rejected_age: Duration::from_secs(300),
            min_pause: Duration::from_secs(1),
            max_pause: Duration::from_secs(60),
        }
    }
}

/// The notifications that are forwarded to one destination. Those with the same community, version
/// and kind are forwarded in order, except informs that the destination does not confirm although
/// it confirms others. When the queue is dropped, notifications that wait are discarded;
/// [`ForwardQueue::finish`] waits for them.
pub struct ForwardQueue {
    shared: Arc<Shared>,
}

/// The fate of a notification.
#[derive(Debug)]
pub enum ForwardReport<'e> {
    /// The notification has been forwarded.
    Forwarded,
    /// The notification has been forwarded, after attempts with this community, version and kind
    /// have failed.
    Resumed,
    /// The destination does not accept the notification, which waits.
    Waiting {
        /// The reason.
        error: &'e ForwardError,
        /// True if the last attempt with this community, version and kind did not fail.
        is_first: bool,
    },
    /// The notification has been discarded, because it can never be forwarded, or because the
    /// destination confirms others instead.
    Discarded(&'e ForwardError),
    /// The notification has been discarded, because it has waited too long.
    Expired,
}

struct Shared {
    limits: ForwardQueueLimits,
    destination: Arc<ForwardDestination>,
    state: Mutex<State>,
    /// Signaled when a notification is added or removed, and when the queue is closed.
    changed: Condvar,
}

struct State {
    queues: FormQueues,
    is_closed: bool,
}

/// The queue has no room for a notification with this community, version and kind.
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
        let is_shared = matches!(destination.credentials, ForwardCredentials::AsReceived);
        let state = Mutex::new(State { queues: FormQueues::new(limits, is_shared), is_closed: false });
        let destination = Arc::new(destination);
        let shared = Arc::new(Shared { limits, destination, state, changed: Condvar::new() });
        let of_thread = Arc::clone(&shared);
        // Not joined: it can wait for the destination while the program ends.
        thread::Builder::new().name("forward".to_owned()).spawn(move || {
            // The connections of a forwarder stay on one thread.
            if let Ok(forwarder) = Forwarder::new(Arc::clone(&of_thread.destination), engine_id) {
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
        let forwarded = ForwardedNotification::of(&notification, is_inform);
        // Without a form, the thread discards the notification, and reports the reason.
        let form = MessageForm::of(&self.shared.destination, forwarded).ok();
        self.shared.lock().queues.push(form, notification, is_inform, Instant::now())?;
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Waits until all notifications have been forwarded, until `deadline` at most. Returns the
    /// number of those that are discarded.
    pub fn finish(self, deadline: Instant) -> usize {
        let left = deadline.saturating_duration_since(Instant::now());
        let is_busy = |state: &mut State| state.queues.len() > 0;
        let waited = self.shared.changed.wait_timeout_while(self.shared.lock(), left, is_busy);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.queues.len()
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
        while let Some(attempt) = self.next() {
            let waiting = &attempt.waiting;
            if waiting.since.elapsed() >= self.limits.max_age {
                report(ForwardReport::Expired);
                self.change(|queues| queues.discard(&attempt));
                continue;
            }
            if waiting.is_rejected(&self.limits) {
                report(ForwardReport::Discarded(&ForwardError::OthersConfirmed));
                self.change(|queues| queues.discard(&attempt));
                continue;
            }
            let forward = || {
                let forwarded = ForwardedNotification::of(&waiting.notification, waiting.is_inform);
                forwarder.forward(forwarded, clock(), Instant::now())
            };
            let result = catch_unwind(AssertUnwindSafe(forward)).unwrap_or_else(|_| {
                forwarder.close();
                Err(ForwardError::Unsendable("forwarding it has caused a panic".to_owned()))
            });
            self.record(&attempt, result, report);
        }
    }

    /// Records the result of an attempt.
    fn record(
        &self,
        attempt: &Attempt,
        result: Result<(), ForwardError>,
        report: &dyn Fn(ForwardReport<'_>),
    ) {
        match result {
            Ok(()) => {
                let is_resumed = attempt.has_failed && attempt.is_for_first();
                report(if is_resumed { ForwardReport::Resumed } else { ForwardReport::Forwarded });
                self.change(|queues| queues.forwarded(attempt));
            }
            Err(error) if error.is_permanent() => {
                report(ForwardReport::Discarded(&error));
                self.change(|queues| queues.discard(attempt));
            }
            Err(error) => {
                let is_first = !attempt.has_failed && !attempt.waiting.was_overtaken();
                let is_unconfirmed =
                    matches!(error, ForwardError::NotConfirmed(_) | ForwardError::Refused(_));
                self.change(|queues| queues.failed(attempt, is_unconfirmed, Instant::now()));
                report(ForwardReport::Waiting { error: &error, is_first });
            }
        }
    }

    /// Waits until a notification is to be forwarded; `None` if the queue is closed.
    fn next(&self) -> Option<Attempt> {
        let mut state = self.lock();
        while !state.is_closed {
            let now = Instant::now();
            state = match state.queues.next(now) {
                Next::Attempt(attempt) => return Some(*attempt),
                Next::Idle => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Next::Pause(end) => {
                    let waited = self.changed.wait_timeout(state, end.saturating_duration_since(now));
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        None
    }

    fn change(&self, change: impl FnOnce(&mut FormQueues)) {
        change(&mut self.lock().queues);
        self.changed.notify_all();
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
