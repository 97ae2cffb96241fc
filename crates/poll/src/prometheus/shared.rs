//! What the thread that polls and those that answer HTTP share.

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
    Plan, Target,
    poller::{About, Peer, Report, Variable},
};

/// Held by both; every lock only as long as references are copied.
pub(crate) struct Shared {
    plan: Mutex<Arc<Plan>>,
    latest: Mutex<BTreeMap<Arc<str>, Standing>>,
    reloads: Mutex<(Sender<Reload>, UnixStream)>,
    pub(super) reload_failed: AtomicBool,
    pub(super) requests: AtomicU64,
    pub(super) scrapes: AtomicU64,
    pub(super) failed_scrapes: AtomicU64,
}

/// A wish that the file be read again, and where to say what came of it.
pub(crate) type Reload = SyncSender<Result<(), String>>;

/// What is known of one target.
#[derive(Clone, Default)]
pub(super) struct Standing {
    pub(super) results: BTreeMap<About, Arc<[Variable]>>,
    pub(super) is_up: bool,
    pub(super) answers: u64,
    pub(super) failures: u64,
    pub(super) restarts: u64,
    pub(super) answered_at: Option<SystemTime>,
}

impl Shared {
    /// `waker` wakes the thread that takes the wishes out of what is returned.
    pub(crate) fn new(plan: Plan, waker: UnixStream) -> (Self, Receiver<Reload>) {
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

    /// Takes over another plan. What is known of targets that it does not have, and results of
    /// those that have changed, are forgotten.
    pub(crate) fn take_over(&self, plan: Plan) {
        let (plan, before) = (Arc::new(plan), self.plan());
        lock(&self.latest).retain(|name, standing| {
            let target = find(&plan, name);
            if target != find(&before, name) {
                // Other objects may be asked for under the same numbers.
                standing.results.clear();
            }
            target.is_some()
        });
        *lock(&self.plan) = plan;
    }

    /// Takes note whether the file was right when it was last read.
    pub(crate) fn note_reload(&self, well: bool) {
        self.reload_failed.store(!well, Ordering::Relaxed);
    }

    /// Takes in what came of a request.
    pub(crate) fn report(&self, peer: &Peer, report: &Report) {
        let variables = match &report.result {
            Ok((response, _)) if !response.is_error() => Some(Arc::from(peer.variables(report))),
            _ => None,
        };
        let mut latest = lock(&self.latest);
        let standing = latest.entry(Arc::clone(&peer.target().name)).or_default();
        standing.is_up = report.result.is_ok();
        match &report.result {
            Ok((_, change)) => {
                standing.answers += 1;
                standing.restarts += u64::from(change.rebooted);
                standing.answered_at = Some(SystemTime::now());
            }
            Err(_) => standing.failures += 1,
        }
        match variables {
            Some(variables) => drop(standing.results.insert(report.about, variables)),
            None => drop(standing.results.remove(&report.about)),
        }
    }

    pub(super) fn plan(&self) -> Arc<Plan> {
        Arc::clone(&lock(&self.plan))
    }

    pub(super) fn latest(&self) -> BTreeMap<Arc<str>, Standing> {
        lock(&self.latest).clone()
    }

    /// Has the file read again; says why that came to nothing.
    pub(super) fn reload(&self) -> Result<(), String> {
        let (reply, answer) = mpsc::sync_channel(1);
        {
            let mut reloads = lock(&self.reloads);
            reloads.0.send(reply).map_err(|_| "the poller is ending")?;
            // A full socket wakes as well as one octet more.
            let _ = reloads.1.write(&[0]);
        }
        match answer.recv_timeout(TO_RELOAD) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) => Err("the poller has not answered yet".into()),
            Err(RecvTimeoutError::Disconnected) => Err("the poller is ending".into()),
        }
    }
}

/// A plan's targets are in the order of their names.
fn find<'p>(plan: &'p Plan, name: &str) -> Option<&'p Target> {
    let at = plan.targets.binary_search_by(|target| (*target.name).cmp(name)).ok()?;
    plan.targets.get(at)
}

/// Nothing that is done under these locks leaves a value half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const TO_RELOAD: Duration = Duration::from_secs(30);
