//! Limits on concurrent password checks, which run on blocking threads.
//!
//! ```text
//! attempt ─▶ free slot? source below its limit? ── no ──▶ refused
//!              │ yes
//!              └─▶ waits for a permit ─▶ thread checks ◀─▶ thread waits for an answer
//! ```
//! A wrong password keeps a verifier busy for seconds, and a user who types takes even longer. A
//! thread that waits for an answer holds a slot, but not a permit.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::LoginRefusalReason;

/// Limits on password and keyboard-interactive logins of one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordLimits {
    /// Maximum number of attempts in progress. Each has its own thread once it got its first
    /// permit.
    pub attempts: usize,
    /// Maximum number of attempts from one IPv4 address or one IPv6 /64.
    pub attempts_per_source: usize,
    /// Maximum number of attempts that a verifier works on at the same time. Attempts that wait for
    /// a permit or for the user's answer do not count.
    pub concurrent_checks: usize,
}

impl Default for PasswordLimits {
    fn default() -> Self {
        Self { attempts: 32, attempts_per_source: 8, concurrent_checks: 8 }
    }
}

/// The slots and permits of one server.
#[derive(Debug)]
pub(in crate::server) struct PasswordPool {
    limits: PasswordLimits,
    sources: Arc<Mutex<Sources>>,
    permits: Arc<Semaphore>,
}

/// Number of attempts in progress by source.
type Sources = HashMap<IpAddr, usize>;

impl PasswordPool {
    pub(in crate::server) fn new(limits: PasswordLimits) -> Self {
        Self { limits, sources: Arc::default(), permits: Arc::new(Semaphore::new(limits.concurrent_checks)) }
    }

    /// Returns a slot for an attempt, or a refusal if none is free.
    pub(super) fn acquire_slot(&self, address: IpAddr) -> Result<AttemptSlot, LoginRefusalReason> {
        let source = source_of(address);
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: usize = sources.values().sum();
        let of_source = sources.get(&source).copied().unwrap_or_default();
        if taken >= self.limits.attempts || of_source >= self.limits.attempts_per_source {
            return Err(LoginRefusalReason::PasswordBusy);
        }
        sources.insert(source, of_source + 1);
        Ok(AttemptSlot { source, sources: Arc::clone(&self.sources) })
    }

    /// Waits for a permit, in order of arrival.
    pub(super) async fn acquire_permit(&self) -> Option<WorkPermit> {
        Arc::clone(&self.permits).acquire_owned().await.ok().map(WorkPermit)
    }
}

/// A slot of one attempt. Dropping it releases the slot; once the attempt has a thread, the thread
/// owns it.
#[derive(Debug)]
pub(super) struct AttemptSlot {
    source: IpAddr,
    sources: Arc<Mutex<Sources>>,
}

impl Drop for AttemptSlot {
    fn drop(&mut self) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        match sources.get_mut(&self.source) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(sources.remove(&self.source)),
        }
    }
}

/// The permit to run a verifier, released on drop.
#[derive(Debug)]
pub(super) struct WorkPermit(#[allow(dead_code, reason = "held until dropped")] OwnedSemaphorePermit);

/// Returns the source that an address counts for: the /64 of an IPv6 address, because one host
/// usually has a whole /64.
fn source_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => IpAddr::from((u128::from(address) & !u128::from(u64::MAX)).to_be_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_limited_per_source_and_in_total() {
        let pool =
            PasswordPool::new(PasswordLimits { attempts: 3, attempts_per_source: 2, concurrent_checks: 1 });
        let from = |address: &str| pool.acquire_slot(address.parse().unwrap());
        let first = from("192.0.2.1").unwrap();
        let _second = from("::ffff:192.0.2.1").unwrap();
        assert_eq!(from("192.0.2.1").unwrap_err(), LoginRefusalReason::PasswordBusy);
        let third = from("2001:db8::1").unwrap();
        assert_eq!(from("192.0.2.2").unwrap_err(), LoginRefusalReason::PasswordBusy);
        drop(third);
        drop(first);
        let _again = from("192.0.2.1").unwrap();
        assert_eq!(from("192.0.2.1").unwrap_err(), LoginRefusalReason::PasswordBusy);
    }

    #[test]
    fn ipv6_addresses_of_one_slash_64_count_as_one_source() {
        let pool =
            PasswordPool::new(PasswordLimits { attempts: 9, attempts_per_source: 1, concurrent_checks: 1 });
        let from = |address: &str| pool.acquire_slot(address.parse().unwrap());
        let _first = from("2001:db8::1").unwrap();
        assert_eq!(from("2001:db8::ffff:2").unwrap_err(), LoginRefusalReason::PasswordBusy);
        let _other = from("2001:db8:0:1::1").unwrap();
        assert_eq!(pool.sources.lock().unwrap().len(), 2);
    }
}
