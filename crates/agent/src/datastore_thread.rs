//! The thread that executes SETs: it takes all that wait, executes them as one group with one sync,
//! and passes the results to the workers.
//!
//! ```text
//! workers ─▶ TransactionQueue ─▶ this thread ─▶ store ─▶ published ─▶ WorkerQueue ─▶ workers
//! ```

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
    Datastore, DurableLog, GroupError, Purpose, Refusal, RefusalKind, StateRecord, Ticket, TransactionLimits,
    TransactionQueue, TransactionResult,
};
use portreeve_mib::ServedObjects;
use portreeve_smi::SecurityModel;
use portreeve_snmp_apps::{SetExecutor, SetRequest, SetToken};
use portreeve_store::{Record, Writer};
use portreeve_transport::{Clock, WorkerWaker};
use tokio::sync::Notify;

use crate::worker_queue::{WorkerEvent, WorkerQueue};

/// The queue of SETs for the thread.
pub(crate) type SetQueue = TransactionQueue<SetJob, SetPrincipal>;

/// The security model and the securityName of the user that has sent a SET.
pub(crate) type SetPrincipal = (SecurityModel, Arc<[u8]>);

/// A SET, and the worker that waits for its result.
pub(crate) struct SetJob {
    pub(crate) set: SetRequest,
    /// The user and the address, for the status of the transaction lock.
    pub(crate) owner: Arc<str>,
    pub(crate) worker: ResultPath,
}

/// The path of results to one worker.
#[derive(Clone)]
pub(crate) struct ResultPath {
    pub(crate) queue: WorkerQueue,
    pub(crate) waker: WorkerWaker,
}

impl ResultPath {
    fn report(&self, token: SetToken, result: TransactionResult) {
        self.queue.push(&self.waker, WorkerEvent::SetFinished(token, result));
    }
}

/// The running thread. Dropping it is the same as [`finish`](Self::finish) with
/// [`MAX_FINISH_TIME`].
pub(crate) struct DatastoreThread {
    queue: SetQueue,
    interrupted: Arc<Notify>,
    /// Disconnected when the thread has closed the store. Nothing is sent.
    ended: Receiver<Infallible>,
    handle: Option<JoinHandle<Result<(), FinishError>>>,
}

impl DatastoreThread {
    /// Starts the thread. `served` contains the objects that SETs can change.
    pub(crate) fn start(
        datastore: Datastore,
        writer: Writer,
        served: ServedObjects,
        clock: Clock,
    ) -> io::Result<Self> {
        let queue = SetQueue::new(QUEUE_LIMITS);
        let interrupted = Arc::new(Notify::new());
        let (waiting, interruption) = (queue.clone(), Arc::clone(&interrupted));
        let executor = SetExecutor::new(datastore, StoreLog(writer), served);
        let (running, ended) = mpsc::channel();
        let handle = thread::Builder::new().name("datastore".into()).spawn(move || {
            // Dropped last, also by a panic.
            let _running = running;
            execute_all(executor, &waiting, &interruption, clock)
        })?;
        Ok(Self { queue, interrupted, ended, handle: Some(handle) })
    }

    /// Waits until a panic has occurred after the thread began to store SETs. They are answered
    /// with undoFailed, and those that wait with genErr. The agent must stop: its state may differ
    /// from the one on the disk.
    pub(crate) async fn interrupted(&self) {
        self.interrupted.notified().await;
    }

    /// Returns the queue in which workers put SETs.
    pub(crate) fn queue(&self) -> SetQueue {
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
    mut executor: SetExecutor<StoreLog>,
    waiting: &SetQueue,
    interruption: &Notify,
    clock: Clock,
) -> Result<(), FinishError> {
    while let Some(jobs) = waiting.take_group(GROUP_LIMITS) {
        execute(&mut executor, jobs, clock);
        if executor.was_interrupted() {
            // The SETs that wait are still taken, so that they are answered.
            waiting.close();
            interruption.notify_one();
        }
    }
    if executor.was_interrupted() { Err(FinishError::Interrupted) } else { Ok(()) }
}

/// Executes the SETs that no worker has answered yet, and reports the results.
fn execute(executor: &mut SetExecutor<StoreLog>, jobs: Vec<SetJob>, clock: Clock) {
    let (mut sets, mut owners, mut workers) = (Vec::new(), Vec::new(), Vec::new());
    for SetJob { set, owner, worker } in jobs.into_iter().filter(|job| job.set.start()) {
        sets.push(set);
        owners.push(owner);
        workers.push(worker);
    }
    execute_and_report(executor, &mut sets, &owners, &workers, clock);
}

/// Executes a group, and reports each result to the worker of its SET. After a panic before
/// anything was stored, executes the SETs one by one, so that only those that panic fail.
fn execute_and_report(
    executor: &mut SetExecutor<StoreLog>,
    sets: &mut [SetRequest],
    owners: &[Arc<str>],
    workers: &[ResultPath],
    clock: Clock,
) {
    let results = match execute_group(executor, sets, owners, clock) {
        Some(results) => results,
        None if sets.len() > 1 => {
            for ((set, owner), worker) in sets.iter_mut().zip(owners).zip(workers) {
                let (set, owner, worker) =
                    (slice::from_mut(set), slice::from_ref(owner), slice::from_ref(worker));
                execute_and_report(executor, set, owner, worker, clock);
            }
            return;
        }
        None => internal_errors(sets),
    };
    for ((set, worker), result) in sets.iter().zip(workers).zip(results) {
        worker.report(set.token(), result);
    }
}

/// Executes a group, and returns the results, or `None` after a panic before anything was stored.
/// After a panic that has interrupted an earlier group, no SET is executed.
fn execute_group(
    executor: &mut SetExecutor<StoreLog>,
    sets: &mut [SetRequest],
    owners: &[Arc<str>],
    clock: Clock,
) -> Option<Vec<TransactionResult>> {
    if executor.was_interrupted() {
        return Some(internal_errors(sets));
    }
    let owner = match owners {
        [] => return Some(Vec::new()),
        [owner] => Arc::clone(owner),
        [first, others @ ..] => format!("{first} and {} others", others.len()).into(),
    };
    let ticket = Ticket::new(owner, Purpose::Set, clock.now());
    let executed = catch_unwind(AssertUnwindSafe(|| executor.execute_group(sets, ticket, || clock.now())));
    if let Ok(results) = executed {
        return Some(results);
    }
    if executor.was_interrupted() {
        tracing::error!(
            "the agent stops after a panic: SETs may be in the state directory without being in effect"
        );
        let text = "an internal error occurred while the change was stored";
        return Some(vec![Err(Refusal::new(RefusalKind::UndoFailed, text)); sets.len()]);
    }
    if sets.len() > 1 {
        tracing::error!(
            sets = sets.len(),
            "a panic occurred before SETs were stored; they are executed one by one"
        );
    } else {
        tracing::error!("a panic occurred before a SET was stored; it has no effect");
    }
    None
}

/// Returns the results of SETs that are not executed because of an error in the agent.
fn internal_errors(sets: &[SetRequest]) -> Vec<TransactionResult> {
    vec![Err(RefusalKind::Internal.into()); sets.len()]
}

/// Stores the records of SETs in the state directory.
struct StoreLog(Writer);

impl DurableLog for StoreLog {
    fn commit_group(&mut self, batches: Vec<Vec<StateRecord>>) -> Result<(), GroupError> {
        let stored = |batch: Vec<StateRecord>| batch.into_iter().map(into_stored).collect::<Vec<_>>().into();
        self.0.commit_group(batches.into_iter().map(stored).collect()).map_err(|failed| {
            let error = failed.error;
            tracing::error!(%error, "SET rejected: cannot write the change to the state directory");
            let may_reappear = error.may_reappear();
            GroupError { durable: failed.durable, reason: error.to_string(), may_reappear }
        })
    }
}

fn into_stored(record: StateRecord) -> Record {
    match record.value {
        Some(value) => Record::Set { key: record.key, value: value.into_octets() },
        None => Record::remove(record.key),
    }
}

/// The maximum number and total size of SETs that wait. A SET that does not fit is answered with
/// resourceUnavailable.
const QUEUE_LIMITS: TransactionLimits = TransactionLimits { transactions: 1024, octets: 8 << 20 };

/// The maximum time for the SETs that wait when the agent stops, and for the store to close: a disk
/// that works, even a slow one under load, needs seconds.
pub(crate) const MAX_FINISH_TIME: Duration = Duration::from_secs(30);

/// The maximum number and total size of SETs that share a sync. They are answered together, so that
/// a longer group would delay all of them.
const GROUP_LIMITS: TransactionLimits = TransactionLimits { transactions: 256, octets: 1 << 20 };
