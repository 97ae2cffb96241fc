//! The scheduling state of a peer.

use portreeve_smi::Timestamp;

use super::Peer;
use crate::poller::table::Table;

impl Peer {
    pub(in crate::poller) fn wake_time(&self) -> Option<Timestamp> {
        self.wake_time
    }

    /// Clears the wake time, because the poller's entry for it has been removed.
    pub(in crate::poller) fn clear_wake_time(&mut self) {
        self.wake_time = None;
    }

    /// Marks the peer as ready if it can send. Returns true if it was not marked before.
    pub(in crate::poller) fn mark_ready(&mut self, now: Timestamp) -> bool {
        let wants = self.has_output() && now >= self.not_before && !self.is_ready;
        self.is_ready |= wants;
        wants
    }

    /// Returns the new wake time if it is earlier than the current one.
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

    /// Clears the ready flag, because the poller's queue has been removed.
    pub(in crate::poller) fn clear_ready(&mut self) {
        self.is_ready = false;
    }

    fn has_output(&self) -> bool {
        let has_to_ask = !self.waiting.is_empty() || self.tables.iter().any(Table::has_request);
        self.may_send || (has_to_ask && self.in_flight.len() < self.target.window)
    }
}
