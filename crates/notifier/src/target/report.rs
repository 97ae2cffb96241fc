//! The status of one target, and the log lines about it.

use std::cell::{Cell, RefCell};

use portreeve_lcd::Name;

use crate::TargetStatus;

/// The status of one target, and the log lines about it. A failure is logged when it begins and
/// when it ends, and so are discards: a target that does not answer cannot fill the log.
pub(crate) struct Report {
    status: RefCell<TargetStatus>,
    /// True if the last attempt to deliver a notification has failed.
    is_failing: Cell<bool>,
    /// The number of discarded notifications when that was logged; `None` if none were discarded
    /// since the target had received everything.
    discards_logged_at: Cell<Option<u64>>,
    /// True if discarded authenticationFailure notifications were logged since the target had
    /// received everything. They have their own line, so that peers cannot prevent the other one.
    is_flood_logged: Cell<bool>,
}

impl Report {
    pub(crate) fn new(name: &Name) -> Self {
        let status = TargetStatus { name: name.to_vec(), ..TargetStatus::default() };
        Self {
            status: RefCell::new(status),
            is_failing: Cell::default(),
            discards_logged_at: Cell::default(),
            is_flood_logged: Cell::default(),
        }
    }

    /// Returns the status, except for the queue.
    pub(crate) fn status(&self) -> TargetStatus {
        self.status.borrow().clone()
    }

    pub(crate) fn set_address(&self, address: String) {
        self.status.borrow_mut().address = address;
    }

    pub(crate) fn set_connected(&self, is_connected: bool) {
        self.status.borrow_mut().is_connected = is_connected;
    }

    /// Records why something was not sent to the target.
    pub(crate) fn set_error(&self, wall_time: u64, reason: &str) {
        // A receiver decides how long the message is with which it closes a session.
        let reason = reason.chars().take(MAX_REASON_CHARS).collect();
        self.status.borrow_mut().last_error = Some((wall_time, reason));
    }

    /// Records a failed attempt, after which the notification is sent again or discarded. Returns
    /// true if it is the first failure since the last success.
    pub(crate) fn failed(&self, wall_time: u64, reason: &str) -> bool {
        self.set_error(wall_time, reason);
        let is_new = !self.is_failing.replace(true);
        if is_new {
            let reason: String = reason.chars().take(MAX_REASON_CHARS).collect();
            tracing::warn!(target = %self.name(), reason, "notifications cannot be delivered");
        }
        is_new
    }

    /// Counts a trap that was sent.
    pub(crate) fn trap_sent(&self) {
        self.status.borrow_mut().traps_sent += 1;
    }

    /// Counts a trap that was not sent, or not accepted by the receiver. `was_sent` if it has been
    /// counted as sent.
    pub(crate) fn trap_discarded(&self, was_sent: bool) {
        let mut status = self.status.borrow_mut();
        status.traps_sent -= u64::from(was_sent);
        status.traps_discarded += 1;
    }

    /// Counts an authenticationFailure that is discarded because too many of them wait.
    pub(crate) fn authentication_failure_discarded(&self) {
        self.status.borrow_mut().authentication_failures_discarded += 1;
        if !self.is_flood_logged.replace(true) {
            tracing::warn!(target = %self.name(), "authenticationFailure notifications are discarded: too many wait");
        }
    }

    /// Logs that a notification was discarded, unless that was logged since the target had received
    /// everything. `discarded` is the number of all of them.
    pub(crate) fn log_discard(&self, reason: &str, discarded: u64) {
        if self.discards_logged_at.get().is_none() {
            self.discards_logged_at.set(Some(discarded));
            tracing::warn!(target = %self.name(), reason, "notifications are discarded");
        }
    }

    /// Records that the target has accepted a notification. `discarded` is the number of all
    /// notifications that were discarded; `is_empty` if no more wait.
    pub(crate) fn delivered(&self, discarded: u64, is_empty: bool) {
        if self.is_failing.replace(false) {
            tracing::info!(target = %self.name(), "notifications are delivered again");
        }
        if is_empty {
            self.is_flood_logged.set(false);
        }
        if is_empty && let Some(before) = self.discards_logged_at.take() {
            // The first of them was counted before it was logged.
            let count = discarded - before + 1;
            tracing::info!(target = %self.name(), discarded = count, "notifications are no longer discarded");
        }
    }

    fn name(&self) -> String {
        self.status.borrow().name.escape_ascii().to_string()
    }
}

/// The maximum number of characters of an error in the status.
const MAX_REASON_CHARS: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reason_of_a_receiver_is_shortened_in_the_status() {
        let report = Report::new(&Name::from(&b"noc"[..]));
        report.set_error(7, &"é".repeat(100_000));
        let (time, reason) = report.status().last_error.unwrap();
        assert_eq!((time, reason.chars().count()), (7, MAX_REASON_CHARS));
    }
}
