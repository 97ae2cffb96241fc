//! The state shared by the polling thread and the HTTP threads.

use std::{
    collections::BTreeMap,
    io::Write,
    os::unix::net::UnixStream,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    time::{Duration, SystemTime},
};

use crate::{
    PollPlan, Target,
    poller::{Peer, PollResult, ResultSubject, Variable},
};

/// The state shared with the HTTP threads. Locks are held only to copy references.
pub(crate) struct SharedState {
    plan: Mutex<Arc<PollPlan>>,
    latest: Mutex<BTreeMap<Arc<str>, TargetState>>,
    reloads: Mutex<(Sender<ReloadRequest>, UnixStream)>,
    pub(super) reload_failed: AtomicBool,
    pub(super) requests: AtomicU64,
    pub(super) scrapes: AtomicU64,
    pub(super) failed_scrapes: AtomicU64,
}

/// A request to reload the file. It contains the channel for the result.
pub(crate) type ReloadRequest = SyncSender<Result<(), String>>;

/// The last results and counters of one target.
#[derive(Clone, Default)]
pub(super) struct TargetState {
    pub(super) results: BTreeMap<ResultSubject, Arc<[Variable]>>,
    pub(super) is_up: bool,
    pub(super) responses: u64,
    pub(super) failures: u64,
    pub(super) restarts: u64,
    pub(super) last_response: Option<SystemTime>,
}

impl SharedState {
    /// Creates the state and the receiver of reload requests. `waker` wakes the thread that
    /// receives them.
    pub(crate) fn new(plan: PollPlan, waker: UnixStream) -> (Self, Receiver<ReloadRequest>) {
        let (sender, receiver) = mpsc::channel();
        let shared = Self {
            plan: Mutex::new(Arc::new(plan)),
            latest: Mutex::default(),
            reloads: Mutex::new((sender, waker)),
            reload_failed: AtomicBool::new(false),
            requests: AtomicU64::new(0),
            scrapes: AtomicU64::new(0),
            failed_scrapes: AtomicU64::new(0),
        };
        (shared, receiver)
    }

    /// Replaces the plan. Drops the state of removed targets and the results of changed ones.
    pub(crate) fn set_plan(&self, plan: PollPlan) {
        let (plan, before) = (Arc::new(plan), self.plan());
        lock(&self.latest).retain(|name, state| {
            let target = find(&plan, name);
            if target != find(&before, name) {
                // The identifiers in the old results may now refer to other objects.
                state.results.clear();
            }
            target.is_some()
        });
        *lock(&self.plan) = plan;
    }

    /// Records whether the last read of the file succeeded.
    pub(crate) fn record_reload(&self, success: bool) {
        self.reload_failed.store(!success, Ordering::Relaxed);
    }

    /// Records the result of a request.
    pub(crate) fn record_result(&self, peer: &Peer, result: &PollResult) {
        let variables = match &result.outcome {
            Ok((response, _)) if !response.is_error() => Some(Arc::from(peer.variables(result))),
            _ => None,
        };
        let mut latest = lock(&self.latest);
        let state = latest.entry(Arc::clone(&peer.target().name)).or_default();
        state.is_up = result.outcome.is_ok();
        match &result.outcome {
            Ok((_, change)) => {
                state.responses += 1;
                state.restarts += u64::from(change.rebooted);
                state.last_response = Some(SystemTime::now());
            }
            Err(_) => state.failures += 1,
        }
        match variables {
            Some(variables) => drop(state.results.insert(result.subject, variables)),
            None => drop(state.results.remove(&result.subject)),
        }
    }

    pub(super) fn plan(&self) -> Arc<PollPlan> {
        Arc::clone(&lock(&self.plan))
    }

    pub(super) fn latest(&self) -> BTreeMap<Arc<str>, TargetState> {
        lock(&self.latest).clone()
    }

    /// Requests that the polling thread reloads the file, and returns the result.
    pub(super) fn reload(&self) -> Result<(), String> {
        let (reply, response) = mpsc::sync_channel(1);
        {
            let mut reloads = lock(&self.reloads);
            reloads.0.send(reply).map_err(|_| "the poller is shutting down")?;
            // Writing fails if the socket is full, but then the thread is woken anyway.
            let _ = reloads.1.write(&[0]);
        }
        match response.recv_timeout(RELOAD_TIMEOUT) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) => Err("the reload has not finished yet".into()),
            Err(RecvTimeoutError::Disconnected) => Err("the poller is shutting down".into()),
        }
    }
}

/// Returns the target with this name. The plan's targets are sorted by name.
fn find<'p>(plan: &'p PollPlan, name: &str) -> Option<&'p Target> {
    let at = plan.targets.binary_search_by(|target| (*target.name).cmp(name)).ok()?;
    plan.targets.get(at)
}

/// Locks `mutex`, poisoned or not: values stay consistent even if a thread panics while it holds
/// the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const RELOAD_TIMEOUT: Duration = Duration::from_secs(30);
