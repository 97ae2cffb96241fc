//! Where judges of passwords work: threads that may block, of which there are few.
//!
//! ```text
//! attempt ──▶ a place left? its source below its share? ──no──▶ refused
//!                  │yes
//!                  └─▶ waits for its turn ──▶ a thread, working ◀──▶ the thread, waiting for somebody's answer
//! ```
//! A wrong password keeps a judge busy for seconds, and somebody who types does so for longer: the latter takes up a place, but
//! nobody's turn.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::LoginRefusalReason;

/// How many attempts to log in with a password, or by answering questions, a server looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordLimits {
    /// Attempts in progress, each with a thread of its own once it had its first turn.
    pub attempts: usize,
    /// Of these, attempts from one IPv4 address or one IPv6 /64.
    pub attempts_per_source: usize,
    /// Of these, attempts that a judge works on, rather than wait for their turn or for somebody's answer.
    pub concurrent_checks: usize,
}

impl Default for PasswordLimits {
    fn default() -> Self {
        Self { attempts: 32, attempts_per_source: 8, concurrent_checks: 8 }
    }
}

/// The places of one server.
#[derive(Debug)]
pub(in crate::server) struct PasswordPool {
    limits: PasswordLimits,
    sources: Arc<Mutex<Sources>>,
    permits: Arc<Semaphore>,
}

/// Attempts in progress, by source.
type Sources = HashMap<IpAddr, usize>;

impl PasswordPool {
    pub(in crate::server) fn new(limits: PasswordLimits) -> Self {
        Self { limits, sources: Arc::default(), permits: Arc::new(Semaphore::new(limits.concurrent_checks)) }
    }

    /// A place for an attempt, if one is left.
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

    /// Waits for a turn; first come, first served.
    pub(super) async fn acquire_permit(&self) -> Option<WorkPermit> {
        Arc::clone(&self.permits).acquire_owned().await.ok().map(WorkPermit)
    }
}

/// An attempt's place, given back when it is dropped: by the attempt's thread, once there is one.
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

/// The right to work, until it is dropped.
#[derive(Debug)]
pub(super) struct WorkPermit(#[allow(dead_code, reason = "held, not looked at")] OwnedSemaphorePermit);

/// What is counted as one: whoever has an IPv6 address has a /64 of them.
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
