//! Two engines and a bad network between them.

use std::{collections::BTreeMap, time::Duration};

use super::{
    agent::{Agent, Heard},
    ask::Ask,
    manager::{Manager, Told},
    random::Random,
};

/// A manager and an agent; every datagram may be lost, doubled or overtaken, and the agent's clock goes wrong.
pub(crate) struct Pair {
    pub(crate) manager: Manager,
    pub(crate) agent: Agent,
    random: Random,
    /// Datagrams under way, by when they arrive and in which order they left.
    under_way: BTreeMap<(u64, usize), Datagram>,
    sent: usize,
    clock: u64,
    /// How many milliseconds the agent's clock gains or loses in a second.
    skew: i64,
    epoch: u64,
}

enum Datagram {
    ToAgent(Vec<u8>),
    ToManager(Vec<u8>),
}

impl Pair {
    pub(crate) fn new(manager: Manager, agent: Agent, seed: u64) -> Self {
        let mut random = Random::seeded(seed);
        let skew = random.below(21) as i64 - 10;
        let epoch = agent.now.as_micros();
        Self { manager, agent, random, under_way: BTreeMap::new(), sent: 0, clock: 0, skew, epoch }
    }

    /// Sends `ask` until an answer to the last attempt or an earlier one comes; every message is made anew. Returns
    /// everything the manager was told meanwhile.
    pub(crate) fn converse(&mut self, ask: &Ask) -> Vec<Told> {
        let mut told = vec![];
        for _ in 0..200 {
            let message = self.manager.message(ask);
            self.send(Datagram::ToAgent(message));
            self.let_pass(Duration::from_millis(200), &mut told);
            let is_answer = |told: &Told| told.answer.request_id == ask.request_id;
            let is_response = |told: &Told| told.answer.pdu_type == portreeve_snmp_message::PduType::Response;
            if told.iter().any(|told| is_answer(told) && is_response(told)) {
                return told;
            }
        }
        panic!("no answer in 200 attempts");
    }

    /// Lets nothing happen for a while.
    pub(crate) fn rest(&mut self, time: Duration) {
        self.let_pass(time, &mut vec![]);
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
            self.under_way.insert((self.clock + delay, self.sent), copy);
        }
    }

    fn let_pass(&mut self, time: Duration, told: &mut Vec<Told>) {
        let until = self.clock + u64::try_from(time.as_micros()).unwrap();
        while let Some(entry) = self.under_way.first_entry().filter(|entry| entry.key().0 <= until) {
            let ((arrival, _), datagram) = entry.remove_entry();
            self.set_clocks(arrival);
            match datagram {
                Datagram::ToManager(message) => told.extend(self.manager.read(&message)),
                Datagram::ToAgent(message) => {
                    if let Heard::Reply(reply) = self.agent.hear(&message) {
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
