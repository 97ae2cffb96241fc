//! Rate limit for replies to unauthenticated peers whose address is not verified: a number per
//! second for each network, so that an attacker who forges source addresses cannot use us to flood
//! that network.
//!
//! ```text
//! reply ──▶ to loopback? ──yes──▶ sent         remote hosts cannot forge loopback addresses
//!               │no
//!               └─▶ bucket of the network ──▶ empty? ──yes──▶ withheld
//! ```
//! There are fewer buckets than networks: two networks with the same bucket share its limit while
//! either uses it. Outsiders cannot predict which networks share a bucket. Replies to authenticated
//! peers and replies within a session are not counted.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use portreeve_smi::Timestamp;

/// The buckets, shared by all workers; used only for unauthenticated replies.
#[derive(Debug)]
pub(crate) struct ReflectionLimit {
    /// The average time between two replies to one network; zero means unlimited.
    interval: Duration,
    buckets: Mutex<Box<[Bucket]>>,
    /// Seeded randomly in each process.
    hasher: RandomState,
}

/// A rate limiter bucket (ATM's GCRA): the time at which it will be full again.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    full_at: Timestamp,
}

impl ReflectionLimit {
    /// Creates a limit of `per_second` replies for each network; 0 means unlimited.
    pub(crate) fn new(per_second: u32) -> Self {
        let interval = SECOND.checked_div(per_second).unwrap_or_default();
        let count = if interval.is_zero() { 0 } else { BUCKETS };
        Self {
            interval,
            buckets: Mutex::new(vec![Bucket::default(); count].into()),
            hasher: RandomState::new(),
        }
    }

    /// Returns whether one more reply may be sent to `peer` now, and if so counts it.
    pub(crate) fn allow(&self, now: Timestamp, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        if self.interval.is_zero() || peer.is_loopback() {
            return true;
        }
        let index = self.hasher.hash_one(network_key(peer)) as usize % BUCKETS;
        // No code under the lock can panic midway.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(bucket) = buckets.get_mut(index) else { return true };
        let full_at = bucket.full_at.max(now) + self.interval;
        let is_allowed = full_at - now <= SECOND;
        if is_allowed {
            bucket.full_at = full_at;
        }
        is_allowed
    }
}

/// Returns the network that usually belongs to one owner: an IPv4 /24 or an IPv6 /56.
fn network_key(peer: IpAddr) -> (bool, u64) {
    match peer {
        IpAddr::V4(v4) => (false, u64::from(v4.to_bits() >> 8)),
        IpAddr::V6(v6) => (true, (v6.to_bits() >> 72) as u64),
    }
}

/// The interval of the rate, and the maximum burst as a duration.
const SECOND: Duration = Duration::from_secs(1);
/// The number of buckets, of eight octets each.
const BUCKETS: usize = 8192;

#[cfg(test)]
mod tests;
