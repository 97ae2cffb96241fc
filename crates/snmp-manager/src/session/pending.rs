//! A request that has not ended yet.

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
    /// True while the request waits for `poll_output`.
    pub(super) queued: bool,
    /// True if the clocks have been synchronized for this request.
    pub(super) resynchronized: bool,
}

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A request of the caller, with its handle.
    Caller(RequestHandle),
    /// A request of the session for the agent's engine ID.
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

    /// Creates a request without variables, whose Report contains the engine ID (RFC 3414 §4).
    pub(super) fn for_discovery(request_id: i32, timer: RetryTimer) -> Self {
        Self::new(Purpose::Discovery, Operation::Get, Arc::default(), request_id, timer)
    }

    /// Creates a request whose Response contains the engine ID (RFC 5343 §3.2).
    pub(super) fn for_engine_id_query(request_id: i32, request: &Request, timer: RetryTimer) -> Self {
        let var_binds = Arc::clone(request.var_binds());
        Self::new(Purpose::Discovery, request.operation(), var_binds, request_id, timer)
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

    /// Restarts the request as if it had never been sent: responses to earlier transmissions are no
    /// longer accepted.
    pub(super) fn restart(&mut self) {
        self.forget_msg_ids();
        self.timer.restart();
        self.queued = true;
    }

    /// Stops accepting responses to earlier transmissions. The timer continues.
    pub(super) fn forget_msg_ids(&mut self) {
        self.msg_ids = MsgIds::default();
    }

    /// Returns true if a response with these variables can answer this request. Responses to Get,
    /// Set and Inform have exactly the names that were sent; after GetNext and GetBulk the agent
    /// chooses the names.
    pub(super) fn matches_response(&self, response: &VarBinds<'_>) -> bool {
        let requested = encoded_names(&self.var_binds);
        match self.operation {
            Operation::Get | Operation::Set | Operation::Inform => {
                encoded_names(response.encoded()).eq(requested)
            }
            Operation::GetNext => response.len() == requested.count(),
            Operation::GetBulk { .. } => true,
        }
    }
}

/// The msgIDs of the last transmissions of a request. A response to any of them is accepted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MsgIds([i32; 4]);

impl MsgIds {
    pub(super) fn push(&mut self, msg_id: i32) {
        self.0.rotate_right(1);
        if let Some(newest) = self.0.first_mut() {
            *newest = msg_id;
        }
    }

    /// Returns true if `msg_id` is one of these msgIDs. Zero is never used as a msgID.
    pub(super) fn contains(&self, msg_id: i32) -> bool {
        msg_id != 0 && self.0.contains(&msg_id)
    }
}
