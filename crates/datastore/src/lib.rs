//! The state that all readers share, and the transactions that change it.
//!
//! Each change, by SET or by a reload of the configuration file, is one transaction. A
//! [`Datastore`] contains the current [`State`] and the [`TransactionLock`] that serializes
//! transactions; only the holder of the lock can publish a new state. A [`Coordinator`] executes
//! transactions in groups that share one write to the disk.
//!
//! This crate does no I/O, reads no clock and starts no thread: the agent and the simulator call it
//! from theirs. It does not depend on a management protocol.

mod coordinator;
mod proposed_state;
mod queue;
mod refusal;
mod state;
mod transaction_lock;

pub use coordinator::{Coordinator, DurableLog, GroupError, Transaction, TransactionResult, VolatileLog};
pub use portreeve_lcd::StateRecord;
pub use proposed_state::ProposedState;
pub use queue::{PushError, QueueStatus, ReachedLimit, TransactionLimits, TransactionQueue};
pub use refusal::{Place, Refusal, RefusalKind};
pub use state::{Datastore, LockedState, State, StateHandle, StateReader};
pub use transaction_lock::{
    Holder, LockStatus, LockTimeoutError, Purpose, Ticket, TransactionGuard, TransactionLock,
};
