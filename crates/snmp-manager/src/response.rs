//! An answer that outlives its message.

use portreeve_smi::ErrorStatus;
use portreeve_snmp_message::{Pdu, VarBinds};

/// A Response that has been found to answer one request.
#[derive(Clone, Debug, Default)]
pub struct Response {
    request_id: i32,
    error_status: i32,
    error_index: i32,
    /// The encoded variable bindings, validated when the message came, and how many they are.
    var_binds: Vec<u8>,
    count: usize,
}

impl Response {
    /// The request-id of the message that was answered, for logs.
    pub fn request_id(&self) -> i32 {
        self.request_id
    }

    /// Whether the agent rejected the request.
    pub fn is_error(&self) -> bool {
        self.error_status != 0
    }

    /// The error-status as it came, which may be no number the RFCs know.
    pub fn error_status_number(&self) -> i32 {
        self.error_status
    }

    /// The error-status, `None` for a number the RFCs do not know.
    pub fn error_status(&self) -> Option<ErrorStatus> {
        ErrorStatus::from_wire(self.error_status)
    }

    /// Which binding is at fault, counted from 1; `None` when the agent names none of those it sent back.
    pub fn error_index(&self) -> Option<usize> {
        let index = usize::try_from(self.error_index).ok()?;
        (1..=self.count).contains(&index).then_some(index)
    }

    /// The variable bindings in order.
    pub fn var_binds(&self) -> VarBinds<'_> {
        VarBinds::from_validated(&self.var_binds, self.count)
    }

    /// Copies what `pdu` says into `memory`, which an earlier response may have left.
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

    /// Octets of the variable bindings.
    pub(crate) fn octets(&self) -> usize {
        self.var_binds.len()
    }

    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.var_binds
    }
}
