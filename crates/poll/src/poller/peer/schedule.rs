//! When a peer is looked at next, and when it has something to send.

use portreeve_smi::Timestamp;

use super::Peer;
use crate::poller::table::Table;

impl Peer {
    pub(in crate::poller) fn alarm(&self) -> Option<Timestamp> {
        self.alarm
    }

    /// Forgets where the poller has it listed.
    pub(in crate::poller) fn unschedule(&mut self) {
        self.alarm = None;
    }

    /// Whether it has just become one of those that want to send.
    pub(in crate::poller) fn enter_ready(&mut self, now: Timestamp) -> bool {
        let wants = self.wants_to_send() && now >= self.not_before && !self.is_ready;
        self.is_ready |= wants;
        wants
    }

    /// When to look at it again, if that is earlier than was said before.
    pub(in crate::poller) fn rearm(&mut self) -> Option<Timestamp> {
        let paced = (self.wants_to_send() && !self.is_ready).then_some(self.not_before);
        let times = [Some(self.next_round), self.session.next_timeout(), paced];
        let next = times.into_iter().flatten().min()?;
        if self.alarm.is_some_and(|alarm| alarm <= next) {
            return None;
        }
        self.alarm = Some(next);
        self.alarm
    }

    /// Leaves the turns that an earlier list of peers had it wait in.
    pub(in crate::poller) fn leave_turns(&mut self) {
        self.is_ready = false;
    }

    fn wants_to_send(&self) -> bool {
        let has_to_ask = !self.waiting.is_empty() || self.tables.iter().any(Table::wants_to_ask);
        self.may_send || (has_to_ask && self.asked.len() < self.target.window)
    }
}
