//! Connects the transport with the agents: selects the agent of a message and injects faults.

use std::{cmp::Reverse, collections::BinaryHeap};

use portreeve_smi::{SecurityLevel, Timestamp};
use portreeve_snmp_apps::HandleOutcome;
use portreeve_transport::{Disposition, MessageHandler, MessageSource};

use crate::{
    agent_set::AgentSet,
    delay::Verdict,
    faults::{Carrier, FaultInjector},
};

/// The message handler of one thread.
pub(crate) struct Handler {
    agent_set: AgentSet,
    faults: FaultInjector,
    /// The maximum size of responses in octets.
    max_response: usize,
    /// Delayed responses; the one to be sent next is on top.
    delayed: BinaryHeap<Reverse<DelayedResponse>>,
    /// The total size of delayed responses in octets.
    octets: usize,
    /// The number of responses that have been delayed so far. It determines the order of responses
    /// with the same time.
    sequence: u64,
}

impl Handler {
    pub(crate) fn new(agent_set: AgentSet, faults: FaultInjector, max_response: usize) -> Self {
        Self { agent_set, faults, max_response, delayed: BinaryHeap::new(), octets: 0, sequence: 0 }
    }

    fn delay_response(&mut self, send_at: Timestamp, source: &MessageSource, message: &[u8]) {
        // Responses that exceed the limit are lost, as on a congested link.
        if self.octets + message.len() <= MAX_DELAYED_BYTES {
            self.octets += message.len();
            self.sequence += 1;
            let delayed = DelayedResponse {
                send_at,
                sequence: self.sequence,
                source: source.clone(),
                message: message.into(),
            };
            self.delayed.push(Reverse(delayed));
        }
    }
}

impl MessageHandler for Handler {
    fn handle(
        &mut self,
        now: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        let carrier = Carrier::from(source.domain());
        if !self.faults.accepts_request(carrier) {
            return Disposition::Dropped;
        }
        // Each specified listener is bound once per agent, in the order of the agents. So the
        // number of the agent is the remainder of the division by the number of agents.
        let agent = source.listener.checked_rem(self.agent_set.len()).unwrap_or_default();
        let max_size = source.max_message_size.min(self.max_response);
        let (outcome, verdict) = self.agent_set.handle(agent, now, source, max_size, message, reply);
        // If a value in the recording delays the response, that delay is added here.
        let (
            HandleOutcome::Reply(range)
            | HandleOutcome::UnauthenticatedReply(range)
            | HandleOutcome::Report(range),
            Verdict::After(delay),
        ) = (outcome, verdict)
        else {
            return Disposition::Dropped;
        };
        let mut at_once = false;
        for send_at in self.faults.schedule_response(carrier, now + delay) {
            if send_at <= now && !at_once {
                at_once = true;
            } else {
                self.delay_response(send_at, source, reply.get(range.clone()).unwrap_or_default());
            }
        }
        if at_once { Disposition::Reply(range) } else { Disposition::Pending }
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8])) {
        while self.delayed.peek().is_some_and(|Reverse(next)| next.send_at <= now) {
            if let Some(Reverse(delayed)) = self.delayed.pop() {
                self.octets -= delayed.message.len();
                // The simulator does not limit the rate of its responses, so their security level
                // is irrelevant.
                send(&delayed.source, SecurityLevel::NoAuthNoPriv, &delayed.message);
            }
        }
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        self.delayed.peek().map(|Reverse(next)| next.send_at)
    }
}

/// A response that is sent later.
struct DelayedResponse {
    send_at: Timestamp,
    sequence: u64,
    source: MessageSource,
    message: Box<[u8]>,
}

impl DelayedResponse {
    fn rank(&self) -> (Timestamp, u64) {
        (self.send_at, self.sequence)
    }
}

impl Ord for DelayedResponse {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for DelayedResponse {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for DelayedResponse {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for DelayedResponse {}

/// The maximum total size of delayed responses in octets.
const MAX_DELAYED_BYTES: usize = 64 << 20;

#[cfg(test)]
mod tests;
