//! Two engines with an unreliable network between them.

use std::{collections::BTreeMap, time::Duration};

use super::{
    agent::{Outcome, TestAgent},
    manager::{TestManager, VerifiedResponse},
    random::Random,
    test_pdu::TestPdu,
};

/// A manager and an agent. Datagrams may be lost, duplicated or reordered, and the agent's clock
/// drifts.
pub(crate) struct LossyLink {
    pub(crate) manager: TestManager,
    pub(crate) agent: TestAgent,
    random: Random,
    /// Datagrams in flight, by time of arrival and order of sending.
    in_flight: BTreeMap<(u64, usize), Datagram>,
    sent: usize,
    clock: u64,
    /// The milliseconds that the agent's clock gains or loses per second.
    skew: i64,
    epoch: u64,
}

enum Datagram {
    ToAgent(Vec<u8>),
    ToManager(Vec<u8>),
}

impl LossyLink {
    pub(crate) fn new(manager: TestManager, agent: TestAgent, seed: u64) -> Self {
        let mut random = Random::seeded(seed);
        let skew = random.below(21) as i64 - 10;
        let epoch = agent.now.as_micros();
        Self { manager, agent, random, in_flight: BTreeMap::new(), sent: 0, clock: 0, skew, epoch }
    }

    /// Sends `pdu` repeatedly, each time in a new message, until a response to any of these
    /// messages arrives. Returns all verified responses and Reports.
    pub(crate) fn request_until_response(&mut self, pdu: &TestPdu) -> Vec<VerifiedResponse> {
        let mut verified = vec![];
        for _ in 0..200 {
            let message = self.manager.message(pdu);
            self.send(Datagram::ToAgent(message));
            self.run_for(Duration::from_millis(200), &mut verified);
            let is_match = |verified: &VerifiedResponse| verified.response.request_id == pdu.request_id;
            let is_response = |verified: &VerifiedResponse| {
                verified.response.pdu_type == portreeve_snmp_message::PduType::Response
            };
            if verified.iter().any(|verified| is_match(verified) && is_response(verified)) {
                return verified;
            }
        }
        panic!("no response in 200 attempts");
    }

    /// Advances both clocks without sending a request.
    pub(crate) fn wait(&mut self, time: Duration) {
        self.run_for(time, &mut vec![]);
    }

    fn send(&mut self, datagram: Datagram) {
        if self.random.chance(30) {
            return;
        }
        let copies = if self.random.chance(10) { 2 } else { 1 };
        for _ in 0..copies {
            let delay = 1000 * self.random.below(250) as u64;
            self.sent += 1;
            let copy = match &datagram {
                Datagram::ToAgent(message) => Datagram::ToAgent(message.clone()),
                Datagram::ToManager(message) => Datagram::ToManager(message.clone()),
            };
            self.in_flight.insert((self.clock + delay, self.sent), copy);
        }
    }

    fn run_for(&mut self, time: Duration, verified: &mut Vec<VerifiedResponse>) {
        let until = self.clock + u64::try_from(time.as_micros()).unwrap();
        while let Some(entry) = self.in_flight.first_entry().filter(|entry| entry.key().0 <= until) {
            let ((arrival, _), datagram) = entry.remove_entry();
            self.set_clocks(arrival);
            match datagram {
                Datagram::ToManager(message) => verified.extend(self.manager.receive(&message)),
                Datagram::ToAgent(message) => {
                    if let Outcome::Reply(reply) = self.agent.handle(&message) {
                        self.send(Datagram::ToManager(reply));
                    }
                }
            }
        }
        self.set_clocks(until);
    }

    fn set_clocks(&mut self, clock: u64) {
        self.clock = clock;
        self.manager.now = portreeve_smi::Timestamp::from_micros(50_000_000 + clock);
        let gained = clock as i64 / 1000 * self.skew;
        let skewed = (self.epoch + clock).checked_add_signed(gained).unwrap();
        self.agent.now = self.agent.now.max(portreeve_smi::Timestamp::from_micros(skewed));
    }
}
