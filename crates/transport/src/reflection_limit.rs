//! Rate limits for replies to unauthenticated peers whose address is not verified: a number of
//! replies or octets per second for each network, so that an attacker who forges source addresses
//! cannot use the agent to flood that network.
//!
//! ```text
//! reply ──▶ to loopback? ──yes──▶ sent         remote hosts cannot forge loopback addresses
//!               │no
//!               └─▶ bucket of the network ──▶ empty? ──yes──▶ withheld
//! ```
//! There are fewer buckets than networks. Networks with the same bucket share one limit, and an
//! attacker cannot predict which networks these are. Replies to authenticated peers and replies
//! within a session are not counted.
//!
//! The limit for Reports and cookies counts replies. The limit for responses to communities and
//! noAuthNoPriv users counts octets: small responses to a legitimate poller cost little, and the
//! traffic that an attacker can cause is bounded for responses of any size.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use portreeve_smi::Timestamp;

/// The buckets, shared by all workers without a lock; used only for unauthenticated replies.
#[derive(Debug)]
pub(crate) struct ReflectionLimit {
    /// The maximum number of replies or octets per second for one network; zero means unlimited.
    per_second: u64,
    /// The buckets of the rate limiter (the GCRA of ATM): the time at which each bucket will be
    /// full again, in microseconds.
    buckets: Box<[AtomicU64]>,
    /// The hash function that selects the bucket of a network; its seed is random in each process.
    hasher: RandomState,
}

impl ReflectionLimit {
    /// Creates a limit of `per_second` replies or octets for each network; 0 means unlimited.
    pub(crate) fn new(per_second: u32) -> Self {
        let count = if per_second == 0 { 0 } else { BUCKETS };
        Self {
            per_second: per_second.into(),
            buckets: (0..count).map(|_| AtomicU64::default()).collect(),
            hasher: RandomState::new(),
        }
    }

    /// Returns whether a reply may be sent to `peer` now, and if so counts it as `amount`.
    ///
    /// A single reply that exceeds the whole limit is allowed if the bucket is full. Otherwise a
    /// low limit would withhold every reply.
    pub(crate) fn allow(&self, now: Timestamp, peer: IpAddr, amount: usize) -> bool {
        let peer = peer.to_canonical();
        if self.per_second == 0 || peer.is_loopback() {
            return true;
        }
        let index = self.hasher.hash_one(network_key(peer)) as usize % BUCKETS;
        let Some(bucket) = self.buckets.get(index) else { return true };
        let (now, cost) = (now.as_micros(), (amount as u64).saturating_mul(SECOND).div_ceil(self.per_second));
        let count = |full_at: u64| {
            let next = full_at.max(now).saturating_add(cost);
            (full_at <= now || next - now <= SECOND).then_some(next)
        };
        // Only the value itself is shared, so no ordering with other memory is needed.
        bucket.fetch_update(Relaxed, Relaxed, count).is_ok()
    }
}

/// Returns the network that usually belongs to one owner: an IPv4 /24 or an IPv6 /56.
fn network_key(peer: IpAddr) -> (bool, u64) {
    match peer {
        IpAddr::V4(v4) => (false, u64::from(v4.to_bits() >> 8)),
        IpAddr::V6(v6) => (true, (v6.to_bits() >> 72) as u64),
    }
}

/// One second in microseconds: the interval of the rate. A full bucket allows a burst of as many
/// replies or octets as one second allows.
const SECOND: u64 = 1_000_000;
/// The number of buckets, of eight bytes each.
const BUCKETS: usize = 8192;

#[cfg(test)]
mod tests;
