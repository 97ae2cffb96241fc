//! SNMP messages and PDUs: parsed without copying, built without allocating.
//!
//! Parsing validates a message completely, so that the result can be iterated without errors.
//! Messages are built backwards: the variable bindings are written at the end of a buffer, and each
//! `prepend_*` function puts a header in front of the existing content.

mod community_message;
mod pdu;
mod scoped_pdu;
mod trap_v1;
mod v3_message;
mod version;

pub use community_message::{CommunityMessage, prepend_community_message};
pub use pdu::{OwnedPdu, Pdu, PduType, VarBind, VarBinds, encoded_names, prepend_pdu};
pub use scoped_pdu::{ScopedPdu, prepend_scoped_pdu};
pub use trap_v1::TrapV1;
pub use v3_message::{HeaderData, MsgFlags, ScopedPduData, V3Message, prepend_v3_message};
pub use version::{Version, peek_version};
