//! When a peer is looked at next, and when it has something to send.

use portreeve_smi::Timestamp;

use super::Peer;
use crate::poller::table::Table;

impl Peer {
    pub(in crate::poller) fn wake_time(&self) -> Option<Timestamp> {
        self.wake_time
    }

    /// Forgets where the poller has it listed.
    pub(in crate::poller) fn clear_wake_time(&mut self) {
        self.wake_time = None;
    }

    /// Whether it has just become one of those that want to send.
    pub(in crate::poller) fn mark_ready(&mut self, now: Timestamp) -> bool {
        let wants = self.has_output() && now >= self.not_before && !self.is_ready;
        self.is_ready |= wants;
        wants
    }

    /// When to look at it again, if that is earlier than was said before.
    pub(in crate::poller) fn update_wake_time(&mut self) -> Option<Timestamp> {
        let paced = (self.has_output() && !self.is_ready).then_some(self.not_before);
        let times = [Some(self.next_round), self.session.next_timeout(), paced];
        let next = times.into_iter().flatten().min()?;
        if self.wake_time.is_some_and(|wake_time| wake_time <= next) {
            return None;
        }
        self.wake_time = Some(next);
        self.wake_time
    }

    /// Leaves the turns that an earlier list of peers had it wait in.
    pub(in crate::poller) fn clear_ready(&mut self) {
        self.is_ready = false;
    }

    fn has_output(&self) -> bool {
        let has_to_ask = !self.waiting.is_empty() || self.tables.iter().any(Table::has_request);
        self.may_send || (has_to_ask && self.in_flight.len() < self.target.window)
    }
}
