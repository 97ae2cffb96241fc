//! Handshakes with peers whose address is not verified yet.
//!
//! DTLS 1.2 handshakes are never stored here. The DTLS 1.3 library keeps state while it waits for
//! the cookie, so a flood of ClientHellos with forged addresses can fill this table. It holds
//! [`MAX_HALF_OPEN`] handshakes of about ten kilobytes each, for at most [`HALF_OPEN_TIMEOUT`], and
//! drops the oldest first. The library also keeps the fragments of a ClientHello, so a handshake is
//! dropped if its peer sends more than [`MAX_RECEIVED`] octets. During such a flood, new DTLS 1.3
//! peers connect only if they return the cookie before their entry is dropped.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::Duration;

use portreeve_channel::SecureDatagrams;
use portreeve_smi::Timestamp;

/// A handshake and the random of the ClientHello that started it.
pub(super) struct HalfOpen {
    pub(super) hello: [u8; 32],
    pub(super) channel: Box<dyn SecureDatagrams>,
    since: Timestamp,
    /// The number of octets received so far.
    received: usize,
}

impl HalfOpen {
    /// Counts a received datagram; returns `false` if the limit is exceeded.
    pub(super) fn count_received(&mut self, octets: usize) -> bool {
        self.received += octets;
        self.received <= MAX_RECEIVED
    }
}

/// The half-open handshakes of one socket, one per address.
#[derive(Default)]
pub(super) struct HalfOpenTable {
    by_address: HashMap<SocketAddr, HalfOpen>,
    /// The addresses in order of arrival. Addresses that were removed from the table are skipped.
    order: VecDeque<(Timestamp, SocketAddr)>,
}

impl HalfOpenTable {
    /// Returns the handshake of this address.
    pub(super) fn get_mut(&mut self, address: SocketAddr) -> Option<&mut HalfOpen> {
        self.by_address.get_mut(&address)
    }

    /// Removes and returns a handshake, because its peer's address is verified or the handshake has
    /// failed.
    pub(super) fn remove(&mut self, address: SocketAddr) -> Option<HalfOpen> {
        self.by_address.remove(&address)
    }

    /// Adds a handshake; returns the number of handshakes that were dropped because they were
    /// replaced, expired or above the limit.
    pub(super) fn insert(
        &mut self,
        now: Timestamp,
        address: SocketAddr,
        hello: [u8; 32],
        channel: Box<dyn SecureDatagrams>,
    ) -> usize {
        let replaced =
            self.by_address.insert(address, HalfOpen { hello, channel, since: now, received: 0 }).is_some();
        self.order.push_back((now, address));
        usize::from(replaced) + self.trim(now)
    }

    /// Returns the time at which the oldest handshake expires.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        self.order.front().map(|&(since, _)| since + HALF_OPEN_TIMEOUT)
    }

    /// Drops expired handshakes and those above the limit; returns their number.
    pub(super) fn trim(&mut self, now: Timestamp) -> usize {
        let mut dropped = 0;
        while let Some(&(since, address)) = self.order.front()
            && (since + HALF_OPEN_TIMEOUT <= now || self.order.len() > MAX_HALF_OPEN)
        {
            self.order.pop_front();
            // The address may have started another handshake after this entry was queued.
            if self.by_address.get(&address).is_some_and(|half_open| half_open.since == since) {
                self.by_address.remove(&address);
                dropped += 1;
            }
        }
        dropped
    }
}

/// The maximum number of handshakes of one worker and socket.
const MAX_HALF_OPEN: usize = 256;

/// The maximum number of octets after the first datagram: several ClientHellos with key shares of a
/// post-quantum algorithm.
const MAX_RECEIVED: usize = 8 << 10;

/// The maximum time until the peer returns its cookie.
const HALF_OPEN_TIMEOUT: Duration = Duration::from_secs(5);
