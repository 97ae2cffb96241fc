//! Runs the handlers of notifications.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use portreeve_mib::format::OutputFormat;
use portreeve_secret::Secret;

use super::{interval_count::IntervalCount, settings::TimedCommand};
use crate::{HandlerJob, HandlerLimits, HandlerLog, HandlerPool, Notification, handler_input};

/// The threads that run handlers.
pub(crate) struct Handlers {
    pool: HandlerPool,
    /// The runs for which the queue had no room.
    discarded: Mutex<IntervalCount>,
}

impl Handlers {
    /// Starts the threads.
    pub(crate) fn start() -> Result<Self, String> {
        let log = Mutex::new(HandlerLog::default());
        let pool = HandlerPool::start(HandlerLimits::default(), move |command, report| {
            let line =
                log.lock().unwrap_or_else(PoisonError::into_inner).line(Instant::now(), command, report);
            if let Some(line) = line {
                tracing::warn!("{line}");
            }
        });
        let pool = pool.map_err(|error| format!("cannot start the threads of handlers: {error}"))?;
        Ok(Self { pool, discarded: Mutex::default() })
    }

    /// Queues the run of a handler.
    pub(crate) fn run(
        &self,
        handler: &TimedCommand,
        notification: &Notification<'_>,
        community: Option<&Secret>,
        values: &OutputFormat,
    ) {
        // A trap of SNMPv1 that SNMPv2 cannot represent was refused when it was received.
        let Ok(input) = handler_input(notification, values) else { return };
        let job = HandlerJob {
            command: handler.command.clone(),
            input,
            community: community.map(Secret::duplicate),
            timeout: handler.timeout,
        };
        if self.pool.submit(job).is_err() {
            let mut discarded = self.discarded.lock().unwrap_or_else(PoisonError::into_inner);
            log_discarded(discarded.add(1, Instant::now()));
        }
    }
}

/// Logs the runs that were not logged. The pool then kills the handlers that run.
impl Drop for Handlers {
    fn drop(&mut self) {
        log_discarded(self.discarded.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}

fn log_discarded(runs: Option<u64>) {
    if let Some(runs) = runs {
        tracing::warn!(runs, "handlers are not run: too many wait");
    }
}
