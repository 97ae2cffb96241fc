//! Who is asked next, and what came of it: the scheduling of all peers, without sockets or clock.
//!
//! ```text
//!  alarms (earliest first) ──due──▶ ready (in turn) ──one message each──▶ poll_output
//!        ▲                            ▲                                        │
//!        └──────── peer's next ───────┴────── handle_input ◀── the agent ◀─────┘
//! ```
//! Each peer has a session and a window of its own, so that whoever is silent keeps only itself waiting. Peers that
//! have something to send take turns, one message each. What all together may have unanswered is bounded for a moment
//! only ([`BurstLimit`]): enough to keep the answers within the sockets' buffers, too short for the silent to take part.

mod burst;
mod change;
mod peer;
mod queries;
mod table;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
    net::SocketAddr,
    time::Duration,
};

use portreeve_smi::Timestamp;
use portreeve_snmp_manager::Response;

use burst::BurstLimit;
pub use change::{Change, Delta};
pub use peer::{Peer, PollResult, ResultSubject, Variable};
use queries::QuerySpecs;

/// The state machine.
#[derive(Default)]
pub struct Poller {
    peers: Vec<Peer>,
    endpoints: HashMap<PeerEndpoint, usize>,
    /// When to look at a peer again. Only entries that its `wake_time` agrees with count.
    wake_times: BinaryHeap<Reverse<(Timestamp, usize)>>,
    ready: VecDeque<usize>,
    burst: BurstLimit,
    query_specs: QuerySpecs,
    results: VecDeque<(usize, PollResult)>,
    /// Responses that are done with. The one that came last is still in the processor's cache, whoever answers next.
    spare_responses: Vec<Response>,
}

/// Where a peer's datagrams go and come from: one of our sockets, and its address. No two peers have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeerEndpoint {
    /// Which socket of the pool.
    pub socket: usize,
    /// The agent.
    pub address: SocketAddr,
}

impl Poller {
    /// Takes over `peers` in place of those there were.
    pub fn replace(&mut self, peers: Vec<Peer>) -> Vec<Peer> {
        self.wake_times.clear();
        self.ready.clear();
        self.endpoints = peers.iter().enumerate().map(|(index, peer)| (peer.endpoint(), index)).collect();
        let before = std::mem::replace(&mut self.peers, peers);
        self.query_specs = QuerySpecs::default();
        for index in 0..self.peers.len() {
            self.peers[index].share_spec(&mut self.query_specs);
            self.peers[index].clear_ready();
            self.peers[index].clear_wake_time();
            self.schedule_peer(index, Timestamp::ZERO);
        }
        before
    }

    /// Takes in one more.
    pub fn add(&mut self, mut peer: Peer) {
        peer.share_spec(&mut self.query_specs);
        let index = self.peers.len();
        self.endpoints.insert(peer.endpoint(), index);
        self.peers.push(peer);
        self.schedule_peer(index, Timestamp::ZERO);
    }

    /// The peers, in the order they were given.
    pub fn peers(&self) -> &[Peer] {
        &self.peers
    }

    /// Whether every peer has been polled once, and nothing is on its way.
    pub fn is_done(&self) -> bool {
        self.results.is_empty() && self.peers.iter().all(Peer::is_done)
    }

    /// Takes in a datagram. One from a place where no peer is changes nothing.
    pub fn handle_input(&mut self, now: Timestamp, from: PeerEndpoint, message: &mut [u8]) {
        if let Some(&index) = self.endpoints.get(&from) {
            self.burst.on_response();
            self.peers[index].handle_input(now, message, &mut self.spare_responses);
            self.update_schedule(index, now);
        }
    }

    /// Lets time pass.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some(&Reverse((at, index))) = self.wake_times.peek() {
            if at > now {
                break;
            }
            self.wake_times.pop();
            if self.peers.get(index).is_some_and(|peer| peer.wake_time() == Some(at)) {
                self.peers[index].clear_wake_time();
                self.peers[index].handle_timeout(now);
                self.update_schedule(index, now);
            }
        }
    }

    /// Writes the next message to be sent into `message` and says where to; to be called until there is none.
    pub fn poll_output(&mut self, now: Timestamp, message: &mut Vec<u8>) -> Option<PeerEndpoint> {
        while let Some(&index) = self.ready.front() {
            if !self.burst.allows(now) {
                return None;
            }
            self.ready.pop_front();
            let endpoint = self.peers[index].poll_output(now, message);
            self.update_schedule(index, now);
            if endpoint.is_some() {
                self.burst.on_sent();
                return endpoint;
            }
        }
        None
    }

    /// What came of a request, and of which peer's, in the order in which they ended.
    pub fn poll_result(&mut self) -> Option<(&Peer, PollResult)> {
        let (index, result) = self.results.pop_front()?;
        Some((self.peers.get(index)?, result))
    }

    /// Takes back a report that is done with, so that its memory serves another.
    pub fn recycle(&mut self, result: PollResult) {
        if let (Ok((response, _)), true) = (result.outcome, self.spare_responses.len() < MAX_SPARE_RESPONSES)
        {
            self.spare_responses.push(response);
        }
    }

    /// When [`Self::handle_timeout`] or [`Self::poll_output`] is to be called next.
    pub fn next_timeout(&self, now: Timestamp) -> Option<Timestamp> {
        let wake_time = self.wake_times.peek().map(|Reverse((at, _))| *at);
        let burst = (!self.ready.is_empty()).then(|| self.burst.next_send_time(now));
        wake_time.into_iter().chain(burst).min()
    }

    /// For how long answers are best left to gather before they are looked at: looking costs about as much for many as
    /// for one. Nothing where few are about to come.
    pub fn gather_time(&self, now: Timestamp) -> Duration {
        self.burst.gather_time(now)
    }

    /// Takes over what `index` has come to, and looks when it wants to be looked at again.
    fn update_schedule(&mut self, index: usize, now: Timestamp) {
        while let Some(result) = self.peers[index].poll_report() {
            self.results.push_back((index, result));
        }
        self.schedule_peer(index, now);
    }

    fn schedule_peer(&mut self, index: usize, now: Timestamp) {
        let peer = &mut self.peers[index];
        if peer.mark_ready(now) {
            self.ready.push_back(index);
        }
        if let Some(at) = peer.update_wake_time() {
            self.wake_times.push(Reverse((at, index)));
        }
    }
}

/// About as many as are taken in between two looks at the reports.
const MAX_SPARE_RESPONSES: usize = 64;

#[cfg(test)]
mod tests;
