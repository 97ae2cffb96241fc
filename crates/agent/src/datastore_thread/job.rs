//! The changes that the thread executes, and the paths of their results.

use std::sync::Arc;

use portreeve_datastore::{
    ProposedState, Refusal, Transaction, TransactionQueue, TransactionResult, TreeEdit,
};
use portreeve_mib::ServedObjects;
use portreeve_smi::SecurityModel;
use portreeve_snmp_apps::{SetRequest, SetToken};
use portreeve_transport::WorkerWaker;

use crate::worker_queue::{WorkerEvent, WorkerQueue};

/// The queue of changes for the thread.
pub(crate) type JobQueue = TransactionQueue<Job, JobPrincipal>;

/// The security model and the securityName of the user that has sent a change. Users of NETCONF
/// have the Transport Security Model.
pub(crate) type JobPrincipal = (SecurityModel, Arc<[u8]>);

/// A change that waits for the thread.
pub(crate) enum Job {
    Set(SetJob),
    Edit(EditJob),
}

/// A SET, and the worker that waits for its result.
pub(crate) struct SetJob {
    pub(crate) set: SetRequest,
    /// The user and the address, for the status of the transaction lock.
    pub(crate) owner: Arc<str>,
    pub(crate) worker: ResultPath,
}

/// An edit of the data tree.
pub(crate) struct EditJob {
    pub(crate) edit: TreeEdit,
    /// The user and the address, for the status of the transaction lock.
    pub(crate) owner: Arc<str>,
    /// Receives the result on the thread that executes changes. It must not wait.
    pub(crate) done: Box<dyn FnOnce(TransactionResult) + Send>,
}

impl EditJob {
    /// The size of an edit in the queue. Its trees are not counted, because the NETCONF server
    /// bounds the requests that are being executed.
    pub(crate) const OCTETS: usize = 4096;
}

/// The path of results to one worker.
#[derive(Clone)]
pub(crate) struct ResultPath {
    pub(crate) queue: WorkerQueue,
    pub(crate) waker: WorkerWaker,
}

impl Job {
    /// Starts the execution. Returns `None` if the change must not be executed any more.
    pub(super) fn start(self) -> Option<(Change, Origin)> {
        match self {
            Self::Set(SetJob { set, owner, worker }) => {
                let report = Report::Worker(set.token(), worker);
                set.start().then(|| (Change::Set(Box::new(set)), Origin { owner, report }))
            }
            Self::Edit(EditJob { edit, owner, done }) => {
                Some((Change::Edit(edit), Origin { owner, report: Report::Function(done) }))
            }
        }
    }
}

/// The origin of a change that is being executed.
pub(super) struct Origin {
    pub(super) owner: Arc<str>,
    report: Report,
}

enum Report {
    Worker(SetToken, ResultPath),
    Function(Box<dyn FnOnce(TransactionResult) + Send>),
}

impl Origin {
    pub(super) fn report(self, result: TransactionResult) {
        match self.report {
            Report::Worker(token, ResultPath { queue, waker }) => {
                queue.push(&waker, WorkerEvent::SetFinished(token, result));
            }
            Report::Function(done) => done(result),
        }
    }
}

/// A change that is being executed.
pub(super) enum Change {
    Set(Box<SetRequest>),
    Edit(TreeEdit),
}

impl Transaction for Change {
    type Participants = ServedObjects;

    fn prepare(&mut self, served: &mut ServedObjects, proposed: &mut ProposedState) -> Result<(), Refusal> {
        match self {
            Self::Set(set) => set.prepare(served, proposed),
            Self::Edit(edit) => edit.prepare(proposed),
        }
    }

    fn commit(&mut self) -> Result<(), Refusal> {
        match self {
            Self::Set(set) => set.commit(),
            Self::Edit(_) => Ok(()),
        }
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        match self {
            Self::Set(set) => set.undo(),
            Self::Edit(_) => Ok(()),
        }
    }

    fn publish(&mut self) {
        if let Self::Set(set) = self {
            set.publish();
        }
    }

    fn session(&self) -> Option<u32> {
        match self {
            Self::Set(_) => None,
            Self::Edit(edit) => edit.session(),
        }
    }
}
