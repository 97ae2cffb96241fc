//! A NETCONF server (RFC 6241), without I/O.
//!
//! ```text
//! octets ─▶ Server ── Session ─ requests ─▶ Executor ─▶ Action::Commit ─▶ transactions
//! octets ◀─ Server ── Session ◀─ data, pulled in pieces ─┘
//! ```
//! [`Server`] contains the sessions of a process. A [`Session`] divides the octets of a peer into
//! requests and answers them. Its [`Datastores`], in the server the executor, execute the requests
//! on the published state; changes of the running configuration become transactions.

pub mod access;
mod action;
mod candidate;
mod capabilities;
mod datastores;
mod edit_log;
mod errors;
mod executor;
mod locks;
mod read;
mod server;
mod session;
mod sessions;
mod state;
#[cfg(test)]
mod test_server;
mod time;

pub use action::{Action, EditLog, EndReason, MAX_LOGGED_PATHS, TransactionId};
pub use datastores::{DataError, Datastores, Execution};
pub use locks::{Lock, LockOwner, LockTable};
pub use portreeve_netconf_message::rpc::{Datastore, OperationName};
pub use server::{LockStatus, OpenError, Server, SessionStatus, Settings, Status};
pub use session::{CloseReason, MAX_MESSAGE_OCTETS, MAX_OUTPUT_PIECE, Phase, Session};
pub use sessions::{Counters, Peer, TotalCounters, Transport};
pub use time::DateTime;
