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
    handle: Option<JoinHandle<()>>,
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
            execute_all(executor, &waiting, &interruption, clock);
        })?;
        Ok(Self { queue, interrupted, ended, handle: Some(handle) })
    }

    /// Waits until the thread has ended because of a panic after it began to store SETs. They have
    /// been answered with undoFailed. The agent must stop: its state may differ from the one on the
    /// disk.
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
    /// If the thread has not ended. The SETs that it executes are not answered.
    pub(crate) fn finish(mut self, max_wait: Duration) -> Result<(), UnfinishedSetsError> {
        self.end(max_wait)
    }

    fn end(&mut self, max_wait: Duration) -> Result<(), UnfinishedSetsError> {
        self.queue.close();
        let Some(handle) = self.handle.take() else { return Ok(()) };
        if self.ended.recv_timeout(max_wait) == Err(RecvTimeoutError::Timeout) {
            tracing::error!(
                seconds = max_wait.as_secs(),
                "the agent stops although SETs have not ended: the disk does not respond"
            );
            return Err(UnfinishedSetsError);
        }
        if handle.join().is_err() {
            tracing::error!("the thread that executes SETs has panicked");
        }
        Ok(())
    }
}

impl Drop for DatastoreThread {
    fn drop(&mut self) {
        // The error is in the log.
        let _ = self.end(MAX_FINISH_TIME);
    }
}

/// The thread that executes SETs has not ended in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnfinishedSetsError;

impl fmt::Display for UnfinishedSetsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "stopped before all SETs had ended: SETs without an answer may be in effect after a restart\n\
             hint: check the disk of the state directory",
        )
    }
}

/// Executes SETs until the queue is closed and empty, or until a panic ends the agent. Then closes
/// the store.
fn execute_all(mut executor: SetExecutor<StoreLog>, waiting: &SetQueue, interruption: &Notify, clock: Clock) {
    while let Some(jobs) = waiting.take_group(GROUP_LIMITS) {
        execute(&mut executor, jobs, clock);
        if executor.was_interrupted() {
            waiting.close();
            return interruption.notify_one();
        }
    }
}

/// Executes a group, and reports each result to the worker of its SET.
fn execute(executor: &mut SetExecutor<StoreLog>, jobs: Vec<SetJob>, clock: Clock) {
    let (mut sets, mut owners, mut workers) = (Vec::new(), Vec::new(), Vec::new());
    for SetJob { set, owner, worker } in jobs.into_iter().filter(|job| job.set.start()) {
        sets.push(set);
        owners.push(owner);
        workers.push(worker);
    }
    let results = execute_group(executor, &mut sets, &owners, clock);
    for ((set, worker), result) in sets.iter().zip(workers).zip(results) {
        worker.report(set.token(), result);
    }
}

/// Executes a group, and returns the results. After a panic before anything was stored, executes
/// the SETs one by one, so that only those that panic fail.
fn execute_group(
    executor: &mut SetExecutor<StoreLog>,
    sets: &mut [SetRequest],
    owners: &[Arc<str>],
    clock: Clock,
) -> Vec<TransactionResult> {
    let owner = match owners {
        [] => return Vec::new(),
        [owner] => Arc::clone(owner),
        [first, others @ ..] => format!("{first} and {} others", others.len()).into(),
    };
    let ticket = Ticket::new(owner, Purpose::Set, clock.now());
    let executed = catch_unwind(AssertUnwindSafe(|| executor.execute_group(sets, ticket, || clock.now())));
    if let Ok(results) = executed {
        return results;
    }
    if executor.was_interrupted() {
        tracing::error!(
            "the agent stops after a panic: SETs may be in the state directory without being in effect"
        );
        let text = "an internal error occurred while the change was stored";
        return vec![Err(Refusal::new(RefusalKind::UndoFailed, text)); sets.len()];
    }
    let [_, _, ..] = owners else {
        tracing::error!("a panic occurred before a SET was stored; it has no effect");
        return vec![Err(RefusalKind::Internal.into())];
    };
    tracing::error!(
        sets = sets.len(),
        "a panic occurred before SETs were stored; they are executed one by one"
    );
    let one_by_one = sets.iter_mut().zip(owners).flat_map(|(set, owner)| {
        if executor.was_interrupted() {
            return vec![Err(RefusalKind::Internal.into())];
        }
        execute_group(executor, slice::from_mut(set), slice::from_ref(owner), clock)
    });
    one_by_one.collect()
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
