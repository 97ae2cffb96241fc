//! The effects that the program around the server brings about.

use std::sync::Arc;

use portreeve_datastore::TreeEdit;
use portreeve_netconf_message::rpc::{Datastore, OperationName};

/// An effect that the server requests.
pub enum Action {
    /// Execute a transaction, and pass its result to [`Server::complete`](crate::Server::complete).
    Commit {
        /// The transaction, with the session that waits for its result.
        transaction: TransactionId,
        /// The name of its user.
        user: Arc<str>,
        /// The change.
        edit: TreeEdit,
    },
    /// Close the connection of a session after what has been produced for it, and call
    /// [`Server::closed`](crate::Server::closed).
    Close {
        /// The session.
        session: u32,
        /// The reason.
        reason: EndReason,
    },
    /// The lock on the running datastore has changed: the session that holds it.
    RunningLock(Option<u32>),
    /// Write a line to the log: a change was made or refused.
    Log(EditLog),
}

/// The identifier of a transaction, which is unique in the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TransactionId {
    pub(crate) session: u32,
    pub(crate) number: u64,
}

impl TransactionId {
    /// Returns the session that has requested the transaction.
    #[must_use]
    pub fn session(self) -> u32 {
        self.session
    }
}

/// A reason for which the server ends a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// Another session has killed it.
    KilledBySession(u32),
    /// The operator has ended it.
    KilledByOperator,
}

/// A change that a session has requested, for the log. It contains no values except those of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditLog {
    /// The session.
    pub session: u32,
    /// The name of its user.
    pub user: Arc<str>,
    /// The address of its peer.
    pub address: Arc<str>,
    /// The operation.
    pub operation: OperationName,
    /// The datastore that is changed; `None` for a request that was refused before its execution.
    pub datastore: Option<Datastore>,
    /// The number of nodes that have changed: leafs, and list entries, containers and leaf-list
    /// entries that were created or removed.
    pub changes: usize,
    /// The paths of the first of them, at most [`MAX_LOGGED_PATHS`]; of a refused request, those of
    /// its errors.
    pub paths: Vec<String>,
    /// The reason why the change was refused; `None` if it was made.
    pub failure: Option<String>,
}

/// Maximum number of paths in an [`EditLog`].
pub const MAX_LOGGED_PATHS: usize = 10;
