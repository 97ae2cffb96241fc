//! NETCONF sessions of a server (RFC 6241), without I/O.
//!
//! ```text
//! octets ─▶ Session ─ requests ─▶ Datastores        one request at a time
//! octets ◀─ Session ◀─ data, pulled in pieces ─┘
//! ```
//! [`Session`] divides the octets of a peer into requests and answers them. [`Datastores`] executes
//! the requests. [`LockTable`] knows which session holds which lock.

mod datastores;
mod locks;
mod session;

pub use datastores::{DataError, Datastores, Execution};
pub use locks::{LockOwner, LockTable};
pub use session::{CloseReason, MAX_MESSAGE_OCTETS, MAX_OUTPUT_PIECE, Session};
