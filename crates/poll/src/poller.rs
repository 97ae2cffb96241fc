//! The scheduler of all peers, without sockets or clock.
//!
//! ```text
//!  wake times (earliest first) ──due──▶ ready (round robin) ──one message each──▶ poll_output
//!        ▲                                    ▲                                       │
//!        └─────────── peer's next ────────────┴──── handle_input ◀──── agent ◀────────┘
//! ```
//! Each peer has its own session and window, so a silent peer delays only itself. Peers with
//! messages to send take turns, one message each. The total number of unanswered messages is
//! limited for a short interval only ([`BurstLimit`]). The limit is small enough for the responses
//! to fit into the sockets' buffers, and the interval is too short for silent peers to use up the
//! limit.

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

/// The state machine of a poller.
#[derive(Default)]
pub struct Poller {
    peers: Vec<Peer>,
    endpoints: HashMap<PeerEndpoint, usize>,
    /// The times at which peers are due. An entry counts only if it equals its peer's `wake_time`.
    wake_times: BinaryHeap<Reverse<(Timestamp, usize)>>,
    ready: VecDeque<usize>,
    burst: BurstLimit,
    query_specs: QuerySpecs,
    results: VecDeque<(usize, PollResult)>,
    /// Responses whose memory can be used again. The last one is reused first, because it is still
    /// in the CPU cache.
    spare_responses: Vec<Response>,
}

/// The socket and the address of a peer's datagrams. No two peers have the same endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeerEndpoint {
    /// The number of the socket in the pool.
    pub socket: usize,
    /// The address of the agent.
    pub address: SocketAddr,
}

impl Poller {
    /// Replaces all peers and returns the old ones.
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

    /// Adds a peer to those that are polled.
    pub fn add(&mut self, mut peer: Peer) {
        peer.share_spec(&mut self.query_specs);
        let index = self.peers.len();
        self.endpoints.insert(peer.endpoint(), index);
        self.peers.push(peer);
        self.schedule_peer(index, Timestamp::ZERO);
    }

    /// Returns the peers, in the order in which they were added.
    pub fn peers(&self) -> &[Peer] {
        &self.peers
    }

    /// Returns true if every peer has been polled once and no request is in flight.
    pub fn is_done(&self) -> bool {
        self.results.is_empty() && self.peers.iter().all(Peer::is_done)
    }

    /// Processes a received datagram. Datagrams from unknown endpoints are dropped.
    pub fn handle_input(&mut self, now: Timestamp, from: PeerEndpoint, message: &mut [u8]) {
        if let Some(&index) = self.endpoints.get(&from) {
            self.burst.on_response();
            self.peers[index].handle_input(now, message, &mut self.spare_responses);
            self.update_schedule(index, now);
        }
    }

    /// Starts the rounds and retransmissions that are due at `now`.
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

    /// Writes the next message into `message` and returns its destination. Call it until it returns
    /// `None`.
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

    /// Returns the result of a request and its peer, in the order in which requests ended.
    pub fn poll_result(&mut self) -> Option<(&Peer, PollResult)> {
        let (index, result) = self.results.pop_front()?;
        Some((self.peers.get(index)?, result))
    }

    /// Takes back a result that the caller no longer needs, to reuse its memory.
    pub fn recycle(&mut self, result: PollResult) {
        if let (Ok((response, _)), true) = (result.outcome, self.spare_responses.len() < MAX_SPARE_RESPONSES)
        {
            self.spare_responses.push(response);
        }
    }

    /// Returns the time at which [`Self::handle_timeout`] or [`Self::poll_output`] must be called
    /// next.
    pub fn next_timeout(&self, now: Timestamp) -> Option<Timestamp> {
        let wake_time = self.wake_times.peek().map(|Reverse((at, _))| *at);
        let burst = (!self.ready.is_empty()).then(|| self.burst.next_send_time(now));
        wake_time.into_iter().chain(burst).min()
    }

    /// Returns the time for which responses should accumulate in the socket buffers, because
    /// reading many costs about as much as reading one. It is zero if few responses are expected.
    pub fn gather_time(&self, now: Timestamp) -> Duration {
        self.burst.gather_time(now)
    }

    /// Collects the results of the peer with this index, and schedules its next wake time.
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

/// The maximum number of spare responses: about as many results as accumulate before the caller
/// collects them.
const MAX_SPARE_RESPONSES: usize = 64;

#[cfg(test)]
mod tests;
