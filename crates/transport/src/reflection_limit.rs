//! How often those are answered who have proven nothing, not even their address: so many times a second for each network,
//! so that whoever forges addresses of it cannot have it flooded by us.
//!
//! ```text
//! reply ──▶ to this machine? ──yes──▶ goes         nobody else can forge its addresses
//!               │no
//!               └─▶ its network's slot ──▶ has the network had its share of this second? ──yes──▶ withheld
//! ```
//! The places are fewer than the networks: two that have the same one share it, as long as either uses it. Which do is not
//! to be foreseen from outside. Whoever has proven something, or asks in a session, is never counted here.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use portreeve_smi::Timestamp;

/// What networks have had of replies, for all workers; asked only before such replies.
#[derive(Debug)]
pub(crate) struct ReflectionLimit {
    /// Between two replies to one network in the long run; zero: there is no bound.
    interval: Duration,
    buckets: Mutex<Box<[Bucket]>>,
    /// Keyed anew in every process.
    hasher: RandomState,
}

/// When the share of its networks will be whole again (as ATM's GCRA counts): replies that went so far ahead of their time.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    full_at: Timestamp,
}

impl ReflectionLimit {
    /// So many replies a second for each network; 0: any number.
    pub(crate) fn new(per_second: u32) -> Self {
        let interval = SECOND.checked_div(per_second).unwrap_or_default();
        let places = if interval.is_zero() { 0 } else { BUCKETS };
        Self {
            interval,
            buckets: Mutex::new(vec![Bucket::default(); places].into()),
            hasher: RandomState::new(),
        }
    }

    /// Whether one more reply may go to `peer` now; if so it is counted.
    pub(crate) fn allow(&self, now: Timestamp, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        if self.interval.is_zero() || peer.is_loopback() {
            return true;
        }
        let number = self.hasher.hash_one(network_key(peer)) as usize % BUCKETS;
        // Nothing that is done under the lock can panic half-way.
        let mut places = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(slot) = places.get_mut(number) else { return true };
        let whole_at = slot.full_at.max(now) + self.interval;
        let has_room = whole_at - now <= SECOND;
        if has_room {
            slot.full_at = whole_at;
        }
        has_room
    }
}

/// What one owner commands as a rule: an IPv4 /24, or an IPv6 /56.
fn network_key(peer: IpAddr) -> (bool, u64) {
    match peer {
        IpAddr::V4(v4) => (false, u64::from(v4.to_bits() >> 8)),
        IpAddr::V6(v6) => (true, (v6.to_bits() >> 72) as u64),
    }
}

/// What a share is for, and how much of it may be had at once.
const SECOND: Duration = Duration::from_secs(1);
/// Of eight octets each.
const BUCKETS: usize = 8192;

#[cfg(test)]
mod tests;
