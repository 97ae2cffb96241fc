//! Runs the handlers of notifications.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use portreeve_mib::format::OutputFormat;
use portreeve_secret::Secret;

use super::settings::TimedCommand;
use crate::{HandlerJob, HandlerLimits, HandlerLog, HandlerPool, HandlerTable, Notification, handler_input};

/// The handlers, and the threads that run them.
pub(crate) struct Handlers {
    table: HandlerTable<TimedCommand>,
    /// `None` without handlers.
    pool: Option<HandlerPool>,
    discarded: Mutex<Discarded>,
}

/// The runs for which the queue had no room, since the last log line.
#[derive(Default)]
struct Discarded {
    runs: u64,
    logged_at: Option<Instant>,
}

impl Handlers {
    /// Starts the threads, if there are handlers.
    pub(crate) fn start(table: HandlerTable<TimedCommand>) -> Result<Self, String> {
        let pool = (!table.is_empty()).then(start_pool).transpose();
        let pool = pool.map_err(|error| format!("cannot start the threads of handlers: {error}"))?;
        Ok(Self { table, pool, discarded: Mutex::default() })
    }

    /// Queues the runs of the handlers that are selected for a notification.
    pub(crate) fn run(
        &self,
        notification: &Notification<'_>,
        trap_oid: &[u32],
        community: Option<&Secret>,
        values: &OutputFormat,
    ) {
        let Some(pool) = &self.pool else { return };
        for handler in self.table.select(trap_oid) {
            // A trap of SNMPv1 that SNMPv2 cannot represent was refused when it was received.
            let Ok(input) = handler_input(notification, values) else { return };
            let job = HandlerJob {
                command: handler.command.clone(),
                input,
                community: community.map(Secret::duplicate),
                timeout: handler.timeout,
            };
            if pool.submit(job).is_err() {
                self.count_discarded();
            }
        }
    }

    fn count_discarded(&self) {
        let mut discarded = self.discarded.lock().unwrap_or_else(PoisonError::into_inner);
        discarded.runs += 1;
        if discarded.logged_at.is_none_or(|logged_at| logged_at.elapsed() >= LOG_INTERVAL) {
            tracing::warn!(runs = discarded.runs, "handlers are not run: too many wait");
            *discarded = Discarded { runs: 0, logged_at: Some(Instant::now()) };
        }
    }
}

fn start_pool() -> std::io::Result<HandlerPool> {
    let log = Mutex::new(HandlerLog::default());
    HandlerPool::start(HandlerLimits::default(), move |command, report| {
        let line = log.lock().unwrap_or_else(PoisonError::into_inner).line(Instant::now(), command, report);
        if let Some(line) = line {
            tracing::warn!("{line}");
        }
    })
}

/// The time between log lines about handlers that are not run.
const LOG_INTERVAL: Duration = Duration::from_secs(60);
