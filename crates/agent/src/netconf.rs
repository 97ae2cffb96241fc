//! NETCONF in the agent: carries the octets of sessions between the workers and one thread, which
//! runs the server.
//!
//! ```text
//! worker: channel ─▶ NetconfSession ─▶ Pipe: input  ─▶ NETCONF thread ─▶ edits   ─▶ datastore
//!                 ◀─                ◀─ Pipe: output ◀─                ◀─ results ◀─ thread
//! ```
//! The thread serves the sessions in turn: in each turn, a session gets at most one piece of input
//! handled and one piece of output produced. The workers never wait for it. A pipe is bounded in
//! both directions, so that a session that does not read is not served, and does not delay others.

mod edit_log;
mod event_queue;
mod pipe;
mod service;
mod session_place;
mod session_protocol;
mod sessions;
mod status;
mod thread;

pub(crate) use edit_log::datastore_name;
pub(crate) use status::NetconfStatus;
pub(crate) use thread::{NetconfHandle, NetconfSettings, NetconfThread};

/// The maximum number of octets that a session has received and that the server has not handled.
const MAX_INPUT: usize = 128 * 1024;
/// The maximum number of octets that the server handles in one turn of a session.
const INPUT_PIECE: usize = 64 * 1024;
/// The maximum number of pieces of output that wait for the worker of a session. While the worker
/// sends one, the server produces the next.
const MAX_OUTPUT_PIECES: usize = 2;
