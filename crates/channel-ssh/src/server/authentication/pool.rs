//! Limits on concurrent password checks, each of which blocks a thread.
//!
//! ```text
//! attempt ─▶ free slot? source below its limit? ── no ──▶ displaces another, or refused
//!              │ yes
//!              └─▶ waits for a permit ─▶ thread checks ◀─▶ thread waits for an answer
//! ```
//! A wrong password keeps a verifier busy for seconds, and a user takes even longer to type. A
//! thread that waits for an answer holds a slot, but not a permit.
//!
//! Silent attempts must not lock out other users. If all slots are taken, a new attempt displaces
//! the one that has waited longest for its peer's answer, from the network with the most attempts.

use std::{
    cmp::Reverse,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::SyncSender,
    },
    time::Instant,
};

use portreeve_secret::Secret;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::LoginRefusalReason;
use crate::server::statistics::SshStatistics;

/// Limits on password and keyboard-interactive logins of one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordLimits {
    /// Maximum number of attempts in progress. Each attempt has its own thread once it has received
    /// its first permit.
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
    attempts: Attempts,
    /// One permit for each thread. A displaced attempt keeps its thread until the verifier has
    /// ended.
    threads: Arc<Semaphore>,
    permits: Arc<Semaphore>,
    /// Statistics in which displaced attempts are counted.
    statistics: Arc<SshStatistics>,
}

/// The attempts in progress, without displaced ones.
type Attempts = Arc<Mutex<Vec<Arc<Attempt>>>>;

/// One attempt, shared by its connection, its thread and the pool.
#[derive(Debug)]
pub(super) struct Attempt {
    source: IpAddr,
    network: IpAddr,
    phase: Mutex<Phase>,
    is_displaced: AtomicBool,
    displaced: Notify,
    /// Passes answers to the thread. Removing it ends the thread's wait for an answer.
    answers: Mutex<Option<SyncSender<AnswerBatch>>>,
}

/// Answers of the peer, with the permit to continue.
pub(super) struct AnswerBatch {
    pub(super) secrets: Vec<Secret>,
    pub(super) permit: WorkPermit,
}

/// The phase of an attempt, named after what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The attempt waits for a thread or a permit.
    Queued,
    /// The attempt waits for its verifier.
    Working,
    /// The attempt has waited for the peer's answer since this time.
    AwaitingAnswer(Instant),
}

impl PasswordPool {
    pub(in crate::server) fn new(limits: PasswordLimits) -> Self {
        Self {
            limits,
            attempts: Arc::default(),
            threads: Arc::new(Semaphore::new(limits.attempts)),
            permits: Arc::new(Semaphore::new(limits.concurrent_checks)),
            statistics: Arc::default(),
        }
    }

    /// Sets the statistics that count displaced attempts.
    pub(in crate::server) fn with_statistics(self, statistics: Arc<SshStatistics>) -> Self {
        Self { statistics, ..self }
    }

    /// Returns a slot for an attempt. If none is free, displaces another attempt, or refuses if
    /// that would be unfair.
    pub(super) fn acquire_slot(&self, address: IpAddr) -> Result<AttemptSlot, LoginRefusalReason> {
        let (source, network) = (source_of(address), network_of(address));
        let mut attempts = lock(&self.attempts);
        let of_source = attempts.iter().filter(|attempt| attempt.source == source).count();
        let victim = if of_source >= self.limits.attempts_per_source {
            let own = attempts.iter().filter(|attempt| attempt.source == source);
            own.filter_map(|attempt| Some((attempt.awaiting_since()?, attempt)))
                .min_by_key(|(since, _)| *since)
        } else if attempts.len() >= self.limits.attempts {
            find_victim(&attempts, network)
        } else {
            None
        };
        let is_full = of_source >= self.limits.attempts_per_source || attempts.len() >= self.limits.attempts;
        match victim.map(|(_, attempt)| Arc::clone(attempt)) {
            Some(victim) => {
                attempts.retain(|attempt| !Arc::ptr_eq(attempt, &victim));
                victim.displace();
                self.statistics.count_refusal(LoginRefusalReason::PasswordDisplaced);
            }
            None if is_full => return Err(LoginRefusalReason::PasswordBusy),
            None => {}
        }
        let attempt = Arc::new(Attempt {
            source,
            network,
            phase: Mutex::new(Phase::Queued),
            is_displaced: AtomicBool::new(false),
            displaced: Notify::new(),
            answers: Mutex::default(),
        });
        attempts.push(Arc::clone(&attempt));
        Ok(AttemptSlot { attempt, attempts: Arc::clone(&self.attempts), thread: None })
    }

    /// Waits until a thread is available for the slot: the threads of displaced attempts end with a
    /// delay.
    pub(super) async fn acquire_thread(&self, slot: &mut AttemptSlot) -> Result<(), LoginRefusalReason> {
        slot.thread = Some(slot.attempt.acquire(&self.threads).await?);
        Ok(())
    }

    /// Waits for a permit, in order of arrival.
    pub(super) async fn acquire_permit(&self, attempt: &Attempt) -> Result<WorkPermit, LoginRefusalReason> {
        attempt.set_phase(Phase::Queued);
        let permit = attempt.acquire(&self.permits).await?;
        attempt.set_phase(Phase::Working);
        Ok(WorkPermit(permit))
    }

    /// Returns the number of attempts in progress, without displaced ones.
    #[cfg(test)]
    pub(super) fn attempts_in_progress(&self) -> usize {
        lock(&self.attempts).len()
    }
}

/// Returns the attempt to displace for a new attempt from `own_network`. Only this network and
/// networks with more attempts can lose an attempt. Of the attempts that wait for an answer, the
/// one that has waited longest in the network with the most attempts is displaced. If no such
/// attempt waits for an answer, a queued attempt is displaced, but only if its network has at least
/// two attempts more than `own_network`.
fn find_victim(attempts: &[Arc<Attempt>], own_network: IpAddr) -> Option<(Instant, &Arc<Attempt>)> {
    let count = |network: IpAddr| attempts.iter().filter(|attempt| attempt.network == network).count();
    let own = count(own_network);
    let unanswered = attempts
        .iter()
        .filter(|attempt| attempt.network == own_network || count(attempt.network) > own)
        .filter_map(|attempt| Some((attempt.awaiting_since()?, attempt)))
        .max_by_key(|(since, attempt)| (count(attempt.network), Reverse(*since)));
    let queued = || {
        attempts
            .iter()
            .filter(|attempt| *lock(&attempt.phase) == Phase::Queued && count(attempt.network) > own + 1)
            .max_by_key(|attempt| count(attempt.network))
            .map(|attempt| (Instant::now(), attempt))
    };
    unanswered.or_else(queued)
}

impl Attempt {
    pub(super) fn set_phase(&self, phase: Phase) {
        *lock(&self.phase) = phase;
    }

    pub(super) fn is_displaced(&self) -> bool {
        self.is_displaced.load(Relaxed)
    }

    /// Sets the channel for answers, unless the attempt has been displaced.
    pub(super) fn set_answers(&self, answers: SyncSender<AnswerBatch>) {
        let mut slot = lock(&self.answers);
        if !self.is_displaced() {
            *slot = Some(answers);
        }
    }

    /// Passes answers to the thread. Has no effect if the thread has ended.
    pub(super) fn send_answers(&self, batch: AnswerBatch) {
        if let Some(answers) = lock(&self.answers).as_ref() {
            // The thread asks again only after it got an answer, so the channel has room.
            let _ = answers.try_send(batch);
        }
    }

    /// Ends the thread's wait for an answer, and any later wait at once.
    pub(super) fn close_answers(&self) {
        *lock(&self.answers) = None;
    }

    fn displace(&self) {
        self.is_displaced.store(true, Relaxed);
        self.displaced.notify_one();
        self.close_answers();
    }

    fn awaiting_since(&self) -> Option<Instant> {
        match *lock(&self.phase) {
            Phase::AwaitingAnswer(since) => Some(since),
            Phase::Queued | Phase::Working => None,
        }
    }

    /// Waits for a permit unless the attempt is displaced.
    async fn acquire(&self, semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, LoginRefusalReason> {
        if self.is_displaced() {
            return Err(LoginRefusalReason::PasswordDisplaced);
        }
        tokio::select! {
            biased;
            () = self.displaced.notified() => Err(LoginRefusalReason::PasswordDisplaced),
            permit = Arc::clone(semaphore).acquire_owned() => {
                permit.map_err(|_| LoginRefusalReason::PasswordBusy)
            }
        }
    }
}

/// A slot of one attempt. Dropping it releases the slot; once the attempt has a thread, the thread
/// owns it.
#[derive(Debug)]
pub(super) struct AttemptSlot {
    pub(super) attempt: Arc<Attempt>,
    attempts: Attempts,
    thread: Option<OwnedSemaphorePermit>,
}

impl Drop for AttemptSlot {
    fn drop(&mut self) {
        lock(&self.attempts).retain(|attempt| !Arc::ptr_eq(attempt, &self.attempt));
    }
}

/// The permit to run a verifier, released on drop.
#[derive(Debug)]
pub(super) struct WorkPermit(#[allow(dead_code, reason = "held until dropped")] OwnedSemaphorePermit);

/// Returns the source that an address counts for: an IPv4 address itself, or the /64 of an IPv6
/// address, because one host usually has a whole /64.
fn source_of(address: IpAddr) -> IpAddr {
    masked(address, u128::from(u64::MAX))
}

/// Returns the network that an address counts for if all slots are taken: the /24 of an IPv4
/// address or the /48 of an IPv6 address, because one site usually has all of it.
fn network_of(address: IpAddr) -> IpAddr {
    match masked(address, u128::MAX >> 48) {
        IpAddr::V4(address) => IpAddr::V4((address.to_bits() & !0xff).into()),
        network @ IpAddr::V6(_) => network,
    }
}

fn masked(address: IpAddr, host_bits: u128) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => IpAddr::from((u128::from(address) & !host_bits).to_be_bytes()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a slot of an attempt that its verifier works on, which cannot be displaced.
    fn working(pool: &PasswordPool, address: &str) -> Result<AttemptSlot, LoginRefusalReason> {
        let slot = pool.acquire_slot(address.parse().unwrap())?;
        slot.attempt.set_phase(Phase::Working);
        Ok(slot)
    }

    #[test]
    fn password_attempts_are_limited_per_source_and_in_total() {
        let pool =
            PasswordPool::new(PasswordLimits { attempts: 3, attempts_per_source: 2, concurrent_checks: 1 });
        let from = |address: &str| working(&pool, address);
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
    fn ipv6_addresses_of_one_64_bit_prefix_count_as_one_source() {
        let pool =
            PasswordPool::new(PasswordLimits { attempts: 9, attempts_per_source: 1, concurrent_checks: 1 });
        let from = |address: &str| working(&pool, address);
        let _first = from("2001:db8::1").unwrap();
        assert_eq!(from("2001:db8::ffff:2").unwrap_err(), LoginRefusalReason::PasswordBusy);
        let _other = from("2001:db8:0:1::1").unwrap();
        assert_eq!(pool.attempts_in_progress(), 2);
    }

    #[test]
    fn review_m7_login_attempts_from_one_ipv4_24_do_not_lock_out_others() {
        let pool =
            PasswordPool::new(PasswordLimits { attempts: 8, attempts_per_source: 8, concurrent_checks: 1 });
        let attackers: Vec<_> = (1..=8)
            .map(|host| {
                let slot = pool.acquire_slot(format!("192.0.2.{host}").parse().unwrap()).unwrap();
                slot.attempt.set_phase(Phase::Queued);
                slot
            })
            .collect();
        let _other = working(&pool, "198.51.100.1").unwrap();
        assert_eq!(attackers.iter().filter(|slot| slot.attempt.is_displaced()).count(), 1);
    }
}
