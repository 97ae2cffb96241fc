//! The thread that executes SETs: it takes all that wait, executes them as one group with one sync,
//! and passes the results to the workers.
//!
//! ```text
//! workers ─▶ TransactionQueue ─▶ this thread ─▶ store ─▶ published ─▶ WorkerQueue ─▶ workers
//! ```

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread::{self, JoinHandle},
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

/// The running thread. When it is dropped, the SETs in the queue are executed first.
pub(crate) struct DatastoreThread {
    queue: SetQueue,
    interrupted: Arc<Notify>,
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
        let mut executor = SetExecutor::new(datastore, StoreLog(writer), served);
        let handle = thread::Builder::new().name("datastore".into()).spawn(move || {
            while let Some(jobs) = waiting.take_group(GROUP_LIMITS) {
                execute(&mut executor, jobs, clock);
                if executor.was_interrupted() {
                    waiting.close();
                    return interruption.notify_one();
                }
            }
        })?;
        Ok(Self { queue, interrupted, handle: Some(handle) })
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
}

impl Drop for DatastoreThread {
    fn drop(&mut self) {
        self.queue.close();
        if self.handle.take().is_some_and(|handle| handle.join().is_err()) {
            tracing::error!("the thread that executes SETs has panicked");
        }
    }
}

/// Executes a group, and reports each result to the worker of its SET.
fn execute(executor: &mut SetExecutor<StoreLog>, jobs: Vec<SetJob>, clock: Clock) {
    let (mut sets, mut workers, mut owner) = (Vec::new(), Vec::new(), None);
    for SetJob { set, owner: requester, worker } in jobs.into_iter().filter(|job| job.set.start()) {
        sets.push(set);
        workers.push(worker);
        owner.get_or_insert(requester);
    }
    let Some(owner) = owner else { return };
    let owner = match sets.len() {
        1 => owner,
        count => format!("{owner} and {} others", count - 1).into(),
    };
    let ticket = Ticket::new(owner, Purpose::Set, clock.now());
    let executed =
        catch_unwind(AssertUnwindSafe(|| executor.execute_group(&mut sets, ticket, || clock.now())));
    let results =
        executed.unwrap_or_else(|_| vec![Err(panic_refusal(executor.was_interrupted())); sets.len()]);
    for ((set, worker), result) in sets.iter().zip(workers).zip(results) {
        worker.report(set.token(), result);
    }
}

/// Logs a panic, and returns the refusal of the SETs that it has ended.
fn panic_refusal(is_interrupted: bool) -> Refusal {
    if is_interrupted {
        tracing::error!(
            "the agent stops after a panic: SETs may be in the state directory without being in effect"
        );
        Refusal::new(RefusalKind::UndoFailed, "an internal error occurred while the change was stored")
    } else {
        tracing::error!("a panic occurred before SETs were stored; they have no effect");
        RefusalKind::Internal.into()
    }
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

/// The maximum number and total size of SETs that share a sync. They are answered together, so that
/// a longer group would delay all of them.
const GROUP_LIMITS: TransactionLimits = TransactionLimits { transactions: 256, octets: 1 << 20 };
