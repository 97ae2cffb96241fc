//! The state that all readers share, and the transactions that change it.
//!
//! Each change, by SET, by an edit of the data tree or by a reload of the configuration file, is
//! one transaction. A [`Datastore`] contains the current [`State`] and the [`TransactionLock`] that
//! serializes transactions; only the holder of the lock can publish a new state. A [`Coordinator`]
//! executes transactions in groups that share one write to the disk.
//!
//! The state consists of the tables and scalars of SNMP and of the data tree of YANG modules. The
//! [`Model`] defines the tree and keeps it consistent with the tables.
//!
//! This crate does no I/O, reads no clock and starts no thread: the agent and the simulator call it
//! from theirs. It does not depend on a management protocol.

mod coordinator;
mod group_draft;
mod model;
mod proposed_state;
mod queue;
mod refusal;
mod running_lock;
mod state;
mod transaction_lock;
mod tree_edit;

pub use coordinator::{
    Coordinator, DurableLog, GroupError, Transaction, TransactionRecords, TransactionResult, TreeChange,
    VolatileLog,
};
pub use model::{Link, Model};
pub use portreeve_lcd::StateRecord;
pub use portreeve_yang_tree::Tree;
pub use proposed_state::ProposedState;
pub use queue::{PushError, QueueStatus, ReachedLimit, TransactionLimits, TransactionQueue};
pub use refusal::{DataPath, Place, Refusal, RefusalKind};
pub use running_lock::{ChangeGuard, RunningLock, RunningLockHolder};
pub use state::{Datastore, LockedState, State, StateHandle, StateReader};
pub use transaction_lock::{
    Holder, LockStatus, LockTimeoutError, Purpose, Ticket, TransactionGuard, TransactionLock,
};
pub use tree_edit::TreeEdit;
