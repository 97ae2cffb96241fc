//! Transactions on the configuration datastore.
//!
//! Each change, by SET or by a reload of the configuration file, is one transaction. A
//! [`TransactionLock`] serializes them. This crate does no I/O, reads no clock and starts no
//! thread: the agent and the simulator call it from theirs.

mod transaction_lock;

pub use transaction_lock::{
    Holder, LockStatus, LockTimeoutError, Purpose, Ticket, TransactionGuard, TransactionLock,
};
