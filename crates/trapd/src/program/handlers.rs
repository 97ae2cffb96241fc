//! Runs the handlers of notifications.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use portreeve_mib::format::{OutputFormat, octets_of};
use portreeve_secret::Secret;
use portreeve_snmp_apps::ReceivedNotification;

use super::settings::{InputForm, TimedCommand};
use crate::{
    HandlerJob, HandlerLimits, HandlerLog, HandlerPool, JsonOptions, MessageDetails, Notification,
    escaped_handler_input, handler_input, write_json_line,
};

/// The threads that run handlers.
pub(crate) struct Handlers {
    pool: HandlerPool,
    log: Arc<Mutex<HandlerLog>>,
}

impl Handlers {
    /// Starts the threads for this number of handlers.
    pub(crate) fn start(count: usize) -> Result<Self, String> {
        let log = Arc::new(Mutex::new(HandlerLog::default()));
        let of_threads = Arc::clone(&log);
        let limits = HandlerLimits { is_shared: count > 1, ..HandlerLimits::default() };
        let pool = HandlerPool::start(limits, move |command, report| {
            let line = lock(&of_threads).line(Instant::now(), command, report);
            write(line);
        });
        let pool = pool.map_err(|error| format!("cannot start the threads of handlers: {error}"))?;
        Ok(Self { pool, log })
    }

    /// Queues the run of a handler.
    pub(crate) fn run(
        &self,
        handler: &TimedCommand,
        notification: &Notification<'_>,
        received: &ReceivedNotification,
        values: &OutputFormat,
    ) {
        let text = match handler.input {
            InputForm::NetSnmp => handler_input(notification, values),
            InputForm::Lines => escaped_handler_input(notification, values),
            InputForm::Json => {
                let (mut line, details) = (String::new(), MessageDetails::of(received));
                write_json_line(&mut line, notification, &details, values, JsonOptions::default());
                Ok(line)
            }
        };
        // A trap of SNMPv1 that SNMPv2 cannot represent was refused when it was received.
        let Ok(text) = text else { return };
        let job = HandlerJob {
            command: Arc::clone(&handler.command),
            input: octets_of(&text).into_owned(),
            community: received.community.as_ref().map(Secret::duplicate),
            timeout: handler.timeout,
        };
        if self.pool.submit(job).is_err() {
            let line = lock(&self.log).refused_line(Instant::now(), &handler.command);
            write(line);
        }
    }

    /// Discards the runs that wait, ends those that run, and logs what has not been logged.
    pub(crate) fn finish(self) {
        for (command, runs) in self.pool.discard_waiting() {
            write([HandlerLog::discarded_line(&command, runs as u64)]);
        }
        // Waits for the reports of the runs.
        drop(self.pool);
        let lines = lock(&self.log).last_lines();
        write(lines);
    }
}

fn lock(log: &Mutex<HandlerLog>) -> MutexGuard<'_, HandlerLog> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes lines to the log, which can block: the caller must not hold a lock.
fn write(lines: impl IntoIterator<Item = String>) {
    lines.into_iter().for_each(|line| tracing::warn!("{line}"));
}
