//! Who is asked next, and what came of it: the scheduling of all peers, without sockets or clock.
//!
//! ```text
//!  alarms (earliest first) ──due──▶ ready (in turn) ──one message each──▶ poll_output
//!        ▲                            ▲                                        │
//!        └──────── peer's next ───────┴────── handle_input ◀── the agent ◀─────┘
//! ```
//! Each peer has a session and a window of its own, so that whoever is silent keeps only itself waiting. Peers that
//! have something to send take turns, one message each. What all together may have unanswered is bounded for a moment
//! only ([`Burst`]): enough to keep the answers within the sockets' buffers, too short for the silent to take part.

mod burst;
mod change;
mod peer;
mod questions;
mod table;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
    net::SocketAddr,
    time::Duration,
};

use portreeve_smi::Timestamp;
use portreeve_snmp_manager::Response;

use burst::Burst;
pub use change::{Change, Delta};
pub use peer::{About, Peer, Report, Variable};
use questions::Wordings;

/// The state machine.
#[derive(Default)]
pub struct Poller {
    peers: Vec<Peer>,
    places: HashMap<Place, usize>,
    /// When to look at a peer again. Only entries that its `alarm` agrees with count.
    alarms: BinaryHeap<Reverse<(Timestamp, usize)>>,
    ready: VecDeque<usize>,
    burst: Burst,
    wordings: Wordings,
    reports: VecDeque<(usize, Report)>,
    /// Responses that are done with. The one that came last is still in the processor's cache, whoever answers next.
    spare: Vec<Response>,
}

/// Where a peer's datagrams go and come from: one of our sockets, and its address. No two peers have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which socket of the pool.
    pub socket: usize,
    /// The agent.
    pub address: SocketAddr,
}

impl Poller {
    /// Takes over `peers` in place of those there were.
    pub fn replace(&mut self, peers: Vec<Peer>) -> Vec<Peer> {
        self.alarms.clear();
        self.ready.clear();
        self.places = peers.iter().enumerate().map(|(index, peer)| (peer.place(), index)).collect();
        let before = std::mem::replace(&mut self.peers, peers);
        self.wordings = Wordings::default();
        for index in 0..self.peers.len() {
            self.peers[index].share(&mut self.wordings);
            self.peers[index].leave_turns();
            self.peers[index].unschedule();
            self.schedule(index, Timestamp::ZERO);
        }
        before
    }

    /// Takes in one more.
    pub fn add(&mut self, mut peer: Peer) {
        peer.share(&mut self.wordings);
        let index = self.peers.len();
        self.places.insert(peer.place(), index);
        self.peers.push(peer);
        self.schedule(index, Timestamp::ZERO);
    }

    /// The peers, in the order they were given.
    pub fn peers(&self) -> &[Peer] {
        &self.peers
    }

    /// Whether every peer has been polled once, and nothing is on its way.
    pub fn is_done(&self) -> bool {
        self.reports.is_empty() && self.peers.iter().all(Peer::is_done)
    }

    /// Takes in a datagram. One from a place where no peer is changes nothing.
    pub fn handle_input(&mut self, now: Timestamp, from: Place, message: &mut [u8]) {
        if let Some(&index) = self.places.get(&from) {
            self.burst.give_back();
            self.peers[index].handle_input(now, message, &mut self.spare);
            self.after(index, now);
        }
    }

    /// Lets time pass.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some(&Reverse((at, index))) = self.alarms.peek() {
            if at > now {
                break;
            }
            self.alarms.pop();
            if self.peers.get(index).is_some_and(|peer| peer.alarm() == Some(at)) {
                self.peers[index].unschedule();
                self.peers[index].handle_timeout(now);
                self.after(index, now);
            }
        }
    }

    /// Writes the next message to be sent into `message` and says where to; to be called until there is none.
    pub fn poll_output(&mut self, now: Timestamp, message: &mut Vec<u8>) -> Option<Place> {
        while let Some(&index) = self.ready.front() {
            if !self.burst.allows(now) {
                return None;
            }
            self.ready.pop_front();
            let place = self.peers[index].poll_output(now, message);
            self.after(index, now);
            if place.is_some() {
                self.burst.take();
                return place;
            }
        }
        None
    }

    /// What came of a request, and of which peer's, in the order in which they ended.
    pub fn poll_report(&mut self) -> Option<(&Peer, Report)> {
        let (index, report) = self.reports.pop_front()?;
        Some((self.peers.get(index)?, report))
    }

    /// Takes back a report that is done with, so that its memory serves another.
    pub fn recycle(&mut self, report: Report) {
        if let (Ok((response, _)), true) = (report.result, self.spare.len() < MAX_SPARE) {
            self.spare.push(response);
        }
    }

    /// When [`Self::handle_timeout`] or [`Self::poll_output`] is to be called next.
    pub fn next_timeout(&self, now: Timestamp) -> Option<Timestamp> {
        let alarm = self.alarms.peek().map(|Reverse((at, _))| *at);
        let burst = (!self.ready.is_empty()).then(|| self.burst.next(now));
        alarm.into_iter().chain(burst).min()
    }

    /// For how long answers are best left to gather before they are looked at: looking costs about as much for many as
    /// for one. Nothing where few are about to come.
    pub fn gathering(&self, now: Timestamp) -> Duration {
        self.burst.gathering(now)
    }

    /// Takes over what `index` has come to, and looks when it wants to be looked at again.
    fn after(&mut self, index: usize, now: Timestamp) {
        while let Some(report) = self.peers[index].poll_report() {
            self.reports.push_back((index, report));
        }
        self.schedule(index, now);
    }

    fn schedule(&mut self, index: usize, now: Timestamp) {
        let peer = &mut self.peers[index];
        if peer.enter_ready(now) {
            self.ready.push_back(index);
        }
        if let Some(at) = peer.rearm() {
            self.alarms.push(Reverse((at, index)));
        }
    }
}

/// About as many as are taken in between two looks at the reports.
const MAX_SPARE: usize = 64;

#[cfg(test)]
mod tests;
