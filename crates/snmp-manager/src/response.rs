//! Responses, copied out of their messages.

use portreeve_smi::ErrorStatus;
use portreeve_snmp_message::{Pdu, VarBinds};

/// An accepted Response to one request.
#[derive(Clone, Debug, Default)]
pub struct Response {
    request_id: i32,
    error_status: i32,
    error_index: i32,
    /// The encoded variable bindings, already validated, and their number.
    var_binds: Vec<u8>,
    count: usize,
}

impl Response {
    /// Returns the request-id of the Response, for logs.
    pub fn request_id(&self) -> i32 {
        self.request_id
    }

    /// Returns true if the agent rejected the request.
    pub fn is_error(&self) -> bool {
        self.error_status != 0
    }

    /// Returns the error-status as received; it may be a number that no RFC defines.
    pub fn error_status_number(&self) -> i32 {
        self.error_status
    }

    /// Returns the error-status; `None` for a number that no RFC defines.
    pub fn error_status(&self) -> Option<ErrorStatus> {
        ErrorStatus::from_wire(self.error_status)
    }

    /// Returns the position of the binding at fault, counted from 1; `None` if the error-index does
    /// not refer to a binding in the response.
    pub fn error_index(&self) -> Option<usize> {
        let index = usize::try_from(self.error_index).ok()?;
        (1..=self.count).contains(&index).then_some(index)
    }

    /// Returns the variable bindings in order.
    pub fn var_binds(&self) -> VarBinds<'_> {
        VarBinds::from_validated(&self.var_binds, self.count)
    }

    /// Copies the response out of `pdu` into `memory`, which may come from an earlier response.
    pub(crate) fn from_pdu(pdu: &Pdu<'_>, mut memory: Vec<u8>) -> Self {
        memory.clear();
        memory.extend_from_slice(pdu.var_binds.encoded());
        Self {
            request_id: pdu.request_id,
            error_status: pdu.error_status,
            error_index: pdu.error_index,
            var_binds: memory,
            count: pdu.var_binds.len(),
        }
    }

    /// Returns the size of the variable bindings in octets.
    pub(crate) fn octets(&self) -> usize {
        self.var_binds.len()
    }

    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.var_binds
    }
}
