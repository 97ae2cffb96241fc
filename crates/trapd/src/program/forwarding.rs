//! Forwards notifications to the destinations, each of which has a queue and a thread.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use portreeve_snmp_apps::ReceivedNotification;
use portreeve_snmp_engine::LocalEngine;
use portreeve_transport::Clock;

use super::{interval_count::IntervalCount, settings::Destination};
use crate::{ForwardQueue, ForwardReport};

/// The queues of the destinations.
pub(crate) struct Forwarding {
    queues: Vec<(ForwardQueue, ForwardLog)>,
}

impl Forwarding {
    /// Starts a thread for each destination. `local` is the engine of this receiver.
    pub(crate) fn start(
        destinations: Vec<Destination>,
        local: LocalEngine,
        clock: Clock,
    ) -> Result<Self, String> {
        let mut queues = Vec::new();
        for Destination { destination, limits } in destinations {
            let log = ForwardLog::new(destination.to_string());
            let of_thread = log.clone();
            let report = move |report: ForwardReport<'_>| of_thread.record(&report);
            let reading = move || local.clock(clock.now());
            let queue = ForwardQueue::start(destination, local.engine_id, limits, reading, report);
            let queue = queue.map_err(|error| format!("cannot forward to {}: {error}", log.name()))?;
            queues.push((queue, log));
        }
        Ok(Self { queues })
    }

    /// Queues a notification for the destination with this number.
    pub(crate) fn forward(
        &self,
        destination: usize,
        notification: &Arc<ReceivedNotification>,
        is_inform: bool,
    ) {
        let Some((queue, log)) = self.queues.get(destination) else { return };
        if let Err(error) = queue.submit(Arc::clone(notification), is_inform) {
            log.lock().discard(1, &error.to_string());
        }
    }

    /// Waits until everything has been forwarded, for [`STOP_TIMEOUT`] at most.
    pub(crate) fn finish(self) {
        let deadline = Instant::now() + STOP_TIMEOUT;
        for (queue, log) in self.queues {
            let discarded = queue.finish(deadline) as u64;
            log.lock().finish(discarded);
        }
    }
}

/// Logs when a destination starts and stops to accept notifications, and how many are discarded.
#[derive(Clone)]
struct ForwardLog(Arc<Mutex<LogState>>);

struct LogState {
    destination: String,
    discarded: IntervalCount,
}

impl ForwardLog {
    fn new(destination: String) -> Self {
        Self(Arc::new(Mutex::new(LogState { destination, discarded: IntervalCount::default() })))
    }

    fn name(&self) -> String {
        self.lock().destination.clone()
    }

    fn record(&self, report: &ForwardReport<'_>) {
        let mut state = self.lock();
        match report {
            ForwardReport::Resumed => {
                tracing::info!(destination = state.destination, "notifications are forwarded again");
            }
            ForwardReport::Waiting { error, is_first: true } => {
                let destination = &state.destination;
                tracing::warn!(destination, %error, "notifications wait, because they cannot be forwarded");
            }
            ForwardReport::Forwarded | ForwardReport::Waiting { .. } => {}
            ForwardReport::Discarded(error) => state.discard(1, &error.to_string()),
            ForwardReport::Expired => state.discard(1, "they have waited too long"),
        }
    }

    fn lock(&self) -> MutexGuard<'_, LogState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogState {
    fn discard(&mut self, notifications: u64, reason: &str) {
        if let Some(count) = self.discarded.add(notifications, Instant::now()) {
            self.log_discarded(count, reason);
        }
    }

    fn finish(&mut self, discarded: u64) {
        let before = self.discarded.take().unwrap_or_default();
        if before + discarded > 0 {
            self.log_discarded(before + discarded, "the receiver stops");
        }
    }

    fn log_discarded(&self, count: u64, reason: &str) {
        let destination = &self.destination;
        tracing::warn!(destination, count, reason, "notifications are discarded instead of forwarded");
    }
}

/// The time for which the program forwards what waits when it stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
