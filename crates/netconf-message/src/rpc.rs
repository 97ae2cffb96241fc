//! Requests: the `rpc` element, operations and their parameters (RFC 6241 §4.1, §7 and §8).
//!
//! ```text
//! octets ─▶ RpcReader ──▶ Rpc { reply: ReplyTag, operation or RpcError }
//!               └─ events of `config` ─▶ RpcHandler
//! ```
//! An error in the message is found as soon as possible; the rest of the message is then checked
//! to be well-formed XML, but not stored. The parameters come in any order.

mod arguments;
mod checks;
mod operation;
mod parameter;
mod reader;

#[cfg(test)]
mod tests;

pub use operation::{
    ConfigUse, Datastore, DefaultOperation, EditConfig, ErrorOption, GetSchema, Operation, OperationName,
    Source, TestOption, WithDefaults,
};
pub use reader::{MAX_MESSAGE_ID, MAX_PARAMETER, Rpc, RpcHandler, RpcReader};
