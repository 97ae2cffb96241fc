//! An answer that outlives its message.

use portreeve_message::{Pdu, VarBinds};
use portreeve_smi::{
    ErrorStatus,
    ber::{Reader, ReverseWriter, Tag, header_len},
};

/// A Response that has been found to answer one request.
#[derive(Clone, Debug, Default)]
pub struct Response {
    request_id: i32,
    error_status: i32,
    error_index: i32,
    /// The list of variable bindings as an element of its own.
    list: Vec<u8>,
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
        (1..=self.var_binds().len()).contains(&index).then_some(index)
    }

    /// The variable bindings in order.
    pub fn var_binds(&self) -> VarBinds<'_> {
        // The list was validated when the message came.
        VarBinds::parse(&mut Reader::new(&self.list)).unwrap_or_default()
    }

    /// Copies what `pdu` says into `memory`, which an earlier response may have left.
    pub(crate) fn from_pdu(pdu: &Pdu<'_>, mut memory: Vec<u8>) -> Self {
        let content = pdu.var_binds.encoded();
        memory.clear();
        memory.resize(header_len(content.len()) + content.len(), 0);
        let mut writer = ReverseWriter::new(&mut memory);
        // The room is exact.
        let _ = writer.raw(content).and_then(|()| writer.wrap(Tag::SEQUENCE, 0));
        let request_id = pdu.request_id;
        Self { request_id, error_status: pdu.error_status, error_index: pdu.error_index, list: memory }
    }

    /// Octets of the variable bindings.
    pub(crate) fn octets(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.list
    }
}
