//! Limits the processor time that one source can use for logins that do not succeed.
//!
//! ```text
//! step of a login ──▶ source has used its time? ──yes──▶ the connection waits
//!                         │no                                   │
//!                         ▼                                     │
//!                     step runs ──▶ its processor time is charged to the source
//!                                       └── returned when the peer has logged in
//! ```
//! Without this limit, a peer without a key could keep a processor busy, for example with
//! certificates whose signatures the server has to verify.

use std::{
    collections::hash_map::RandomState,
    fmt,
    hash::BuildHasher,
    net::IpAddr,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// The processor time that the logins of each source have used. There are fewer buckets than
/// sources. Sources with the same bucket share one limit, and an attacker cannot predict which
/// sources these are.
pub(super) struct LoginCpuLimit {
    start: Instant,
    /// The time at which each bucket will be full again, in microseconds since `start` (the GCRA of
    /// ATM).
    buckets: Box<[AtomicU64]>,
    /// The hash function that selects the bucket of a source; its seed is random in each process.
    hasher: RandomState,
}

impl LoginCpuLimit {
    /// Charges processor time to a source.
    pub(super) fn charge(&self, source: IpAddr, cpu_time: Duration, now: Instant) {
        let now = self.micros_since_start(now);
        self.update(source, |full_at| full_at.max(now).saturating_add(cost(cpu_time)).min(now + MAX_REFILL));
    }

    /// Returns processor time to a source.
    pub(super) fn refund(&self, source: IpAddr, cpu_time: Duration) {
        self.update(source, |full_at| full_at.saturating_sub(cost(cpu_time)));
    }

    /// Returns the time until which the logins of a source have to wait, or `None` if they may
    /// continue.
    pub(super) fn wait_end(&self, source: IpAddr, now: Instant) -> Option<Instant> {
        let full_at = self.bucket(source)?.load(Relaxed);
        let wait_end = full_at.saturating_sub(cost(BURST));
        (wait_end > self.micros_since_start(now)).then(|| self.start + Duration::from_micros(wait_end))
    }

    fn update(&self, source: IpAddr, change: impl Fn(u64) -> u64) {
        if let Some(bucket) = self.bucket(source) {
            // Cannot fail, because the closure always returns a value.
            let _ = bucket.fetch_update(Relaxed, Relaxed, |full_at| Some(change(full_at)));
        }
    }

    fn bucket(&self, source: IpAddr) -> Option<&AtomicU64> {
        self.buckets.get(self.hasher.hash_one(network_of(source)) as usize % BUCKETS)
    }

    fn micros_since_start(&self, time: Instant) -> u64 {
        micros(time.saturating_duration_since(self.start))
    }
}

impl Default for LoginCpuLimit {
    fn default() -> Self {
        Self {
            start: Instant::now(),
            buckets: (0..BUCKETS).map(|_| AtomicU64::default()).collect(),
            hasher: RandomState::new(),
        }
    }
}

impl fmt::Debug for LoginCpuLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoginCpuLimit").finish_non_exhaustive()
    }
}

/// Returns an IPv4 address itself, or the /48 of an IPv6 address, because one site usually has all
/// of it.
fn network_of(source: IpAddr) -> IpAddr {
    match source.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => IpAddr::from((address.to_bits() & !(u128::MAX >> 48)).to_be_bytes()),
    }
}

/// Returns the time in microseconds in which a bucket regains this processor time.
fn cost(cpu_time: Duration) -> u64 {
    micros(cpu_time).saturating_mul(REFILL_TIME)
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// The time in which a source regains one unit of processor time: logins that fail can use a
/// twentieth of one processor.
const REFILL_TIME: u64 = 20;
/// The processor time that a source can use at once.
const BURST: Duration = Duration::from_millis(50);
/// The maximum time in microseconds until a bucket is full. A source waits for one second at most.
const MAX_REFILL: u64 = 2_000_000;
const BUCKETS: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn review_h1_login_cpu_time_is_limited_per_source() {
        let limit = LoginCpuLimit::default();
        let after = |milliseconds| limit.start + Duration::from_millis(milliseconds);
        let milliseconds = Duration::from_millis;
        let [source, other] = ["192.0.2.1", "2001:db8::1"].map(|address| address.parse().unwrap());
        limit.charge(source, BURST, after(0));
        assert_eq!(limit.wait_end(source, after(0)), None, "the burst is not exceeded");
        limit.charge(source, milliseconds(5), after(0));
        assert_eq!(limit.wait_end(source, after(0)), Some(after(100)));
        assert_eq!(limit.wait_end(source, after(100)), None, "a twentieth is regained");
        assert_eq!(limit.wait_end(other, after(0)), None, "another source");
        let same_network = "2001:db8:0:ffff::2".parse().unwrap();
        limit.charge(other, BURST + milliseconds(1), after(0));
        assert_eq!(limit.wait_end(same_network, after(0)), Some(after(20)), "the same /48");
    }

    #[test]
    fn review_h1_successful_login_returns_its_cpu_time() {
        let limit = LoginCpuLimit::default();
        let source = "192.0.2.1".parse().unwrap();
        for _ in 0..1000 {
            limit.charge(source, Duration::from_millis(1), limit.start);
            limit.refund(source, Duration::from_millis(1));
        }
        assert_eq!(limit.wait_end(source, limit.start), None);
    }

    #[test]
    fn review_h1_source_waits_for_at_most_one_second() {
        let limit = LoginCpuLimit::default();
        let source = "192.0.2.1".parse().unwrap();
        limit.charge(source, Duration::MAX, limit.start);
        assert_eq!(limit.wait_end(source, limit.start), Some(limit.start + Duration::from_secs(1)));
    }
}
