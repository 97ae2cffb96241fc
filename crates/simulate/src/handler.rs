//! Between the transport and the agents: whose message is it, and what happens to it on its way?

use std::{cmp::Reverse, collections::BinaryHeap};

use portreeve_smi::Timestamp;
use portreeve_snmp_apps::Outcome;
use portreeve_transport::{Disposition, MessageHandler, Source};

use crate::{
    faults::{Carrier, Faults},
    fleet::Fleet,
    toll::Paid,
};

/// All agents, as the transport drives them.
pub(crate) struct Handler {
    fleet: Fleet,
    faults: Faults,
    /// The longest answer, in octets.
    max_answer: usize,
    /// Answers on their way, the next to leave on top.
    held: BinaryHeap<Reverse<Held>>,
    /// Octets of them all.
    octets: usize,
    /// How many have been held so far: those that leave together leave in order.
    count: u64,
}

impl Handler {
    pub(crate) fn new(fleet: Fleet, faults: Faults, max_answer: usize) -> Self {
        Self { fleet, faults, max_answer, held: BinaryHeap::new(), octets: 0, count: 0 }
    }

    fn hold(&mut self, leaves: Timestamp, source: &Source, message: &[u8]) {
        // Somebody who asks faster than answers leave loses some, as on any full line.
        if self.octets + message.len() <= MOST_HELD {
            self.octets += message.len();
            self.count += 1;
            let held = Held { leaves, count: self.count, source: source.clone(), message: message.into() };
            self.held.push(Reverse(held));
        }
    }
}

impl MessageHandler for Handler {
    fn handle(
        &mut self,
        now: Timestamp,
        source: &Source,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        let carrier = Carrier::from(source.domain());
        if !self.faults.let_in(carrier) {
            return Disposition::Dropped;
        }
        // Listeners are bound for all agents in turn, once for each address given.
        let agent = source.listener.checked_rem(self.fleet.len()).unwrap_or_default();
        let max_size = source.max_message_size.min(self.max_answer);
        let (outcome, paid) = self.fleet.handle(agent, now, source, max_size, message, reply);
        // What takes time in a recording is waited for here.
        let (Outcome::Reply(range) | Outcome::Report(range), Paid::Time(took)) = (outcome, paid) else {
            return Disposition::Dropped;
        };
        let mut at_once = false;
        for leaves in self.faults.schedule(carrier, now + took) {
            if leaves <= now && !at_once {
                at_once = true;
            } else {
                self.hold(leaves, source, reply.get(range.clone()).unwrap_or_default());
            }
        }
        if at_once { Disposition::Reply(range) } else { Disposition::Pending }
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&Source, &[u8])) {
        while self.held.peek().is_some_and(|Reverse(next)| next.leaves <= now) {
            if let Some(Reverse(held)) = self.held.pop() {
                self.octets -= held.message.len();
                send(&held.source, &held.message);
            }
        }
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        self.held.peek().map(|Reverse(next)| next.leaves)
    }
}

/// An answer on its way.
struct Held {
    leaves: Timestamp,
    count: u64,
    source: Source,
    message: Box<[u8]>,
}

impl Held {
    fn rank(&self) -> (Timestamp, u64) {
        (self.leaves, self.count)
    }
}

impl Ord for Held {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Held {}

/// Octets of answers on their way at once.
const MOST_HELD: usize = 64 << 20;

#[cfg(test)]
mod tests;
