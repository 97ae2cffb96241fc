//! The thread that executes SETs and edits of the data tree: it takes all that wait, executes them
//! as one group with one sync, and passes the results to the workers and to the NETCONF thread.
//!
//! ```text
//! workers ─▶ JobQueue ─▶ this thread ─▶ store ─▶ published ─┬─▶ WorkerQueue ─▶ workers
//! NETCONF ─▶                                                └─▶ EditJob::done
//! ```

mod job;

use std::{
    convert::Infallible,
    fmt, io,
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use portreeve_datastore::{
    Datastore, Purpose, Refusal, RefusalKind, StateHandle, Ticket, TransactionLimits, TransactionResult,
};
use portreeve_mib::ServedObjects;
use portreeve_snmp_apps::SetExecutor;
use portreeve_state_store::StateLog;
use portreeve_transport::Clock;
use tokio::sync::Notify;

pub(crate) use job::EditJob;
use job::{Change, Origin};
pub(crate) use job::{Job, JobQueue, ResultPath, SetJob};

use crate::worker_queue::WorkerQueues;

/// The running thread. Dropping it is the same as [`finish`](Self::finish) with
/// [`MAX_FINISH_TIME`].
pub(crate) struct DatastoreThread {
    queue: JobQueue,
    interrupted: Arc<Notify>,
    /// Disconnected when the thread has closed the store. Nothing is sent.
    ended: Receiver<Infallible>,
    handle: Option<JoinHandle<Result<(), FinishError>>>,
}

impl DatastoreThread {
    /// Starts the thread. `served` contains the objects that SETs can change. The workers are
    /// notified when they keep a state that has been replaced.
    pub(crate) fn start(
        datastore: Datastore,
        log: StateLog,
        served: ServedObjects,
        workers: WorkerQueues,
        clock: Clock,
    ) -> io::Result<Self> {
        let queue = JobQueue::new(QUEUE_LIMITS);
        let interrupted = Arc::new(Notify::new());
        let (waiting, interruption) = (queue.clone(), Arc::clone(&interrupted));
        let state = datastore.state().clone();
        let executor = SetExecutor::new(datastore, log, served);
        let (running, ended) = mpsc::channel();
        let handle = thread::Builder::new().name("datastore".into()).spawn(move || {
            // Dropped last, also by a panic.
            let _running = running;
            execute_all(executor, &waiting, &interruption, &state, &workers, clock)
        })?;
        Ok(Self { queue, interrupted, ended, handle: Some(handle) })
    }

    /// Waits until a panic has occurred after the thread began to store SETs. They are answered
    /// with undoFailed, and those that wait with genErr. The agent must stop: its state may differ
    /// from the one on the disk.
    pub(crate) async fn interrupted(&self) {
        self.interrupted.notified().await;
    }

    /// Returns the queue in which workers put SETs, and the NETCONF thread edits.
    pub(crate) fn queue(&self) -> JobQueue {
        self.queue.clone()
    }

    /// Executes the SETs in the queue, closes the store, and ends the thread. Waits at most
    /// `max_wait`.
    ///
    /// # Errors
    /// If the thread has not ended in time, or if a panic has interrupted it.
    pub(crate) fn finish(mut self, max_wait: Duration) -> Result<(), FinishError> {
        self.end(max_wait)
    }

    fn end(&mut self, max_wait: Duration) -> Result<(), FinishError> {
        self.queue.close();
        let Some(handle) = self.handle.take() else { return Ok(()) };
        if self.ended.recv_timeout(max_wait) == Err(RecvTimeoutError::Timeout) {
            tracing::error!(seconds = max_wait.as_secs(), "SETs have not ended in time");
            return Err(FinishError::TimedOut);
        }
        handle.join().unwrap_or_else(|_| {
            tracing::error!("the thread that executes SETs has panicked");
            Err(FinishError::Panicked)
        })
    }
}

impl Drop for DatastoreThread {
    fn drop(&mut self) {
        // The error is in the log.
        let _ = self.end(MAX_FINISH_TIME);
    }
}

/// The reason why the thread has not finished its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FinishError {
    /// The thread has not ended in time. The SETs that it executes are not answered.
    TimedOut,
    /// A panic while SETs were stored.
    Interrupted,
    /// Another panic that has ended the thread.
    Panicked,
}

impl fmt::Display for FinishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimedOut => {
                "stopped before all SETs had ended: SETs without an answer may be in effect after a restart\n\
                 hint: check that the disk of the state directory responds"
            }
            Self::Interrupted => {
                "stopped after an internal error while SETs were stored: their changes may be in the state \
                 directory without being in effect\n\
                 hint: start the agent again; it reads the state directory"
            }
            Self::Panicked => {
                "stopped after an internal error of the thread that executes SETs: SETs without an answer \
                 may be in effect after a restart"
            }
        })
    }
}

/// Executes SETs until the queue is closed and empty. Then closes the store.
///
/// # Errors
/// If a panic has interrupted a SET that was stored.
fn execute_all(
    mut executor: SetExecutor<StateLog>,
    waiting: &JobQueue,
    interruption: &Notify,
    state: &StateHandle,
    workers: &WorkerQueues,
    clock: Clock,
) -> Result<(), FinishError> {
    let take_jobs = || match state.free_replaced() {
        0 => waiting.take_group(GROUP_LIMITS),
        // A worker has received no message since the state was replaced.
        _ => waiting.take_group_within(GROUP_LIMITS, FREE_INTERVAL),
    };
    while let Some(jobs) = take_jobs() {
        if jobs.is_empty() {
            workers.notify_state_replaced();
        }
        execute(&mut executor, jobs, clock);
        if executor.was_interrupted() {
            // The SETs that wait are still taken, so that they are answered.
            waiting.close();
            interruption.notify_one();
        }
    }
    if executor.was_interrupted() { Err(FinishError::Interrupted) } else { Ok(()) }
}

/// Executes the SETs that no worker has answered yet, and the edits. Reports the results.
fn execute(executor: &mut SetExecutor<StateLog>, jobs: Vec<Job>, clock: Clock) {
    let (mut changes, mut origins) = (Vec::new(), Vec::new());
    for job in jobs {
        let Some((change, origin)) = job.start() else { continue };
        changes.push(change);
        origins.push(origin);
    }
    execute_and_report(executor, &mut changes, origins, clock);
}

/// Executes a group and reports the results. After a panic before anything was stored, executes the
/// changes one by one, so that only those that panic fail, and reports each result at once.
fn execute_and_report(
    executor: &mut SetExecutor<StateLog>,
    changes: &mut [Change],
    origins: Vec<Origin>,
    clock: Clock,
) {
    let results = match execute_group(executor, changes, &origins, clock) {
        Some(results) => results,
        None if changes.len() > 1 => {
            for (change, origin) in changes.iter_mut().zip(origins) {
                execute_and_report(executor, slice::from_mut(change), vec![origin], clock);
            }
            return;
        }
        None => internal_errors(changes),
    };
    for (origin, result) in origins.into_iter().zip(results) {
        origin.report(result);
    }
}

/// Executes a group, and returns the results, or `None` after a panic before anything was stored.
/// After a panic that has interrupted an earlier group, nothing is executed.
fn execute_group(
    executor: &mut SetExecutor<StateLog>,
    changes: &mut [Change],
    origins: &[Origin],
    clock: Clock,
) -> Option<Vec<TransactionResult>> {
    if executor.was_interrupted() {
        return Some(internal_errors(changes));
    }
    let owner = match origins {
        [] => return Some(Vec::new()),
        [origin] => Arc::clone(&origin.owner),
        [first, others @ ..] => format!("{} and {} others", first.owner, others.len()).into(),
    };
    let has_edit = changes.iter().any(|change| matches!(change, Change::Edit(_)));
    let purpose = if has_edit { Purpose::Edit } else { Purpose::Set };
    let ticket = Ticket::new(owner, purpose, clock.now());
    let executed = catch_unwind(AssertUnwindSafe(|| executor.execute_group(changes, ticket, || clock.now())));
    if let Ok(results) = executed {
        return Some(results);
    }
    if executor.was_interrupted() {
        tracing::error!(
            "the agent stops after a panic: changes may be in the state directory without being in effect"
        );
        let text = "an internal error occurred while the change was stored";
        return Some(vec![Err(Refusal::new(RefusalKind::UndoFailed, text)); changes.len()]);
    }
    if changes.len() > 1 {
        tracing::error!(
            changes = changes.len(),
            "a panic occurred before changes were stored; they are executed one by one"
        );
    } else {
        tracing::error!("a panic occurred before a change was stored; it has no effect");
    }
    None
}

/// Returns the results of changes that are not executed because of an error in the agent.
fn internal_errors(changes: &[Change]) -> Vec<TransactionResult> {
    vec![Err(RefusalKind::Internal.into()); changes.len()]
}

/// The maximum number and total size of changes that wait. A SET that does not fit is answered with
/// resourceUnavailable.
const QUEUE_LIMITS: TransactionLimits = TransactionLimits { transactions: 1024, octets: 8 << 20 };

/// The time after which replaced states are freed that readers have used in the meantime.
const FREE_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum time for the SETs that wait when the agent stops, and for the store to close: a disk
/// that works, even a slow one under load, needs seconds.
pub(crate) const MAX_FINISH_TIME: Duration = Duration::from_secs(30);

/// The maximum number and total size of SETs that share a sync. They are answered together, so that
/// a longer group would delay all of them.
const GROUP_LIMITS: TransactionLimits = TransactionLimits { transactions: 256, octets: 1 << 20 };
