//! A request between its making and its end.

use std::sync::Arc;

use portreeve_snmp_message::{VarBinds, encoded_names};

use super::RequestHandle;
use crate::{Operation, request::Request, retry::RetryTimer};

#[derive(Debug)]
pub(super) struct PendingRequest {
    pub(super) purpose: Purpose,
    pub(super) operation: Operation,
    /// Encoded variable bindings without the list's header.
    pub(super) var_binds: Arc<Vec<u8>>,
    pub(super) request_id: i32,
    pub(super) msg_ids: MsgIds,
    pub(super) timer: RetryTimer,
    /// Waits to be polled out.
    pub(super) queued: bool,
    /// The clocks have been synchronised for this request once.
    pub(super) resynchronized: bool,
}

/// Whom a request serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The caller, who knows it by this handle.
    Caller(RequestHandle),
    /// The session: it looks for the agent's engine ID.
    Discovery,
}

impl PendingRequest {
    pub(super) fn for_caller(
        handle: RequestHandle,
        request: &Request,
        request_id: i32,
        timer: RetryTimer,
    ) -> Self {
        let var_binds = Arc::clone(request.var_binds());
        Self::new(Purpose::Caller(handle), request.operation(), var_binds, request_id, timer)
    }

    /// A request without variables, whose Report tells the engine ID (RFC 3414 §4).
    pub(super) fn for_discovery(request_id: i32, timer: RetryTimer) -> Self {
        Self::new(Purpose::Discovery, Operation::Get, Arc::default(), request_id, timer)
    }

    /// A request whose Response tells the engine ID (RFC 5343 §3.2).
    pub(super) fn for_engine_id_query(request_id: i32, question: &Request, timer: RetryTimer) -> Self {
        let var_binds = Arc::clone(question.var_binds());
        Self::new(Purpose::Discovery, question.operation(), var_binds, request_id, timer)
    }

    fn new(
        purpose: Purpose,
        operation: Operation,
        var_binds: Arc<Vec<u8>>,
        request_id: i32,
        timer: RetryTimer,
    ) -> Self {
        Self {
            purpose,
            operation,
            var_binds,
            request_id,
            msg_ids: MsgIds::default(),
            timer,
            queued: true,
            resynchronized: false,
        }
    }

    /// Starts over, as if never sent: whatever still comes in answer to what was sent does not count.
    pub(super) fn restart(&mut self) {
        self.forget_msg_ids();
        self.timer.restart();
        self.queued = true;
    }

    /// Whatever still comes in answer to what was sent does not count; patience goes on.
    pub(super) fn forget_msg_ids(&mut self) {
        self.msg_ids = MsgIds::default();
    }

    /// Whether an answer with these variables can be this request's: reading and writing are answered about the very
    /// names that were sent; what comes after a name is the agent's to say.
    pub(super) fn matches_response(&self, answer: &VarBinds<'_>) -> bool {
        let asked = encoded_names(&self.var_binds);
        match self.operation {
            Operation::Get | Operation::Set => encoded_names(answer.encoded()).eq(asked),
            Operation::GetNext => answer.len() == asked.count(),
            Operation::GetBulk { .. } => true,
        }
    }
}

/// The msgIDs of a request's latest sendings: an answer to any of them is an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MsgIds([i32; 4]);

impl MsgIds {
    pub(super) fn push(&mut self, msg_id: i32) {
        self.0.rotate_right(1);
        if let Some(newest) = self.0.first_mut() {
            *newest = msg_id;
        }
    }

    /// Whether one of them is `msg_id`, which is never zero in a request of ours.
    pub(super) fn contains(&self, msg_id: i32) -> bool {
        msg_id != 0 && self.0.contains(&msg_id)
    }
}
