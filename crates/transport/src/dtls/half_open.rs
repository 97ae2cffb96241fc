//! Handshakes whose peers have not proven their address yet.
//!
//! DTLS 1.2 needs none of this. The library for 1.3 keeps state while it asks for the cookie, so a flood of hellos with
//! made-up addresses can fill this: it holds [`MAX_HALF_OPEN`] handshakes of some ten kilobytes each, for at most [`HALF_OPEN_TIMEOUT`], and
//! the oldest goes first. Under such a flood newcomers with 1.3 get in only if they answer faster than it comes.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::Duration;

use portreeve_channel::SecureDatagrams;
use portreeve_smi::Timestamp;

/// A handshake, and the random of the hello it began with.
pub(super) struct HalfOpen {
    pub(super) hello: [u8; 32],
    pub(super) channel: Box<dyn SecureDatagrams>,
    since: Timestamp,
}

/// One worker's half-open handshakes of one socket, one per address.
#[derive(Default)]
pub(super) struct HalfOpenTable {
    by_address: HashMap<SocketAddr, HalfOpen>,
    /// In the order they came; those that have gone since are skipped.
    order: VecDeque<(Timestamp, SocketAddr)>,
}

impl HalfOpenTable {
    /// The handshake of this address.
    pub(super) fn get_mut(&mut self, address: SocketAddr) -> Option<&mut HalfOpen> {
        self.by_address.get_mut(&address)
    }

    /// Takes a handshake out, whose peer has proven its address or which is over.
    pub(super) fn remove(&mut self, address: SocketAddr) -> Option<HalfOpen> {
        self.by_address.remove(&address)
    }

    /// Keeps a handshake; returns how many were given up for it.
    pub(super) fn insert(
        &mut self,
        now: Timestamp,
        address: SocketAddr,
        hello: [u8; 32],
        channel: Box<dyn SecureDatagrams>,
    ) -> usize {
        let replaced = self.by_address.insert(address, HalfOpen { hello, channel, since: now }).is_some();
        self.order.push_back((now, address));
        usize::from(replaced) + self.trim(now)
    }

    /// When the oldest is to be given up.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        self.order.front().map(|&(since, _)| since + HALF_OPEN_TIMEOUT)
    }

    /// Gives up what is too old or too much; returns how many.
    pub(super) fn trim(&mut self, now: Timestamp) -> usize {
        let mut given_up = 0;
        while let Some(&(since, address)) = self.order.front()
            && (since + HALF_OPEN_TIMEOUT <= now || self.order.len() > MAX_HALF_OPEN)
        {
            self.order.pop_front();
            // The address may have begun again since.
            if self.by_address.get(&address).is_some_and(|half_open| half_open.since == since) {
                self.by_address.remove(&address);
                given_up += 1;
            }
        }
        given_up
    }
}

/// Handshakes at once, of one worker and socket.
const MAX_HALF_OPEN: usize = 256;

/// How long a peer may take to repeat its cookie.
const HALF_OPEN_TIMEOUT: Duration = Duration::from_secs(5);
