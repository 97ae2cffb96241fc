//! Requests: an operation and its variable bindings, encoded once for any number of transmissions.

use std::sync::Arc;

use portreeve_smi::{
    Value,
    ber::{BufferFullError, ForwardWriter},
};
use portreeve_snmp_message::{PduType, VarBinds, encoded_names};

/// A request, which can be passed to sessions any number of times.
#[derive(Clone, Debug)]
pub struct Request {
    operation: Operation,
    /// Encoded variable bindings without the list's header, shared with the sessions that send
    /// them.
    var_binds: Arc<Vec<u8>>,
    has_counter64: bool,
}

/// The operation on the named variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reads the named variables.
    Get,
    /// Reads the successor of each variable.
    GetNext,
    /// Reads several successors of each variable (RFC 3416 §4.2.3).
    GetBulk {
        /// The number of names, counted from the first, of which only one successor is read.
        non_repeaters: i32,
        /// The number of successors to read for each of the other names.
        max_repetitions: i32,
    },
    /// Writes the variables, all or none.
    Set,
    /// Notifies the receiver, which confirms that it has received the notification (RFC 3416
    /// §4.2.7). The variables begin with sysUpTime.0 and snmpTrapOID.0.
    Inform,
}

impl Operation {
    pub(crate) fn pdu_type(self) -> PduType {
        match self {
            Self::Get => PduType::GetRequest,
            Self::GetNext => PduType::GetNextRequest,
            Self::GetBulk { .. } => PduType::GetBulkRequest,
            Self::Set => PduType::SetRequest,
            Self::Inform => PduType::InformRequest,
        }
    }

    /// Returns the two fields of the PDU after the request-id.
    pub(crate) fn parameters(self) -> (i32, i32) {
        match self {
            Self::GetBulk { non_repeaters, max_repetitions } => (non_repeaters, max_repetitions),
            Self::Get | Self::GetNext | Self::Set | Self::Inform => (0, 0),
        }
    }
}

impl Request {
    /// Creates a request without variables.
    pub fn new(operation: Operation) -> Self {
        Self { operation, var_binds: Arc::default(), has_counter64: false }
    }

    /// Creates a request that reads the variables `names`.
    ///
    /// ```
    /// use portreeve_snmp_manager::{Operation, Request};
    ///
    /// let request = Request::read(Operation::Get, [[1, 3, 6, 1, 2, 1, 1, 3, 0]]);
    /// assert_eq!(request.operation(), Operation::Get);
    /// ```
    pub fn read(operation: Operation, names: impl IntoIterator<Item: AsRef<[u32]>>) -> Self {
        let mut request = Self::new(operation);
        for name in names {
            request.push(name.as_ref(), Value::Null);
        }
        request
    }

    /// Appends a variable. Use [`Value::Null`] in requests that read.
    pub fn push(&mut self, name: &[u32], value: Value<'_>) {
        self.has_counter64 |= matches!(value, Value::Counter64(_));
        append(Arc::make_mut(&mut self.var_binds), name, &value);
    }

    /// Clears the request for another operation. Its memory is reused unless a session still needs
    /// it.
    pub fn reset(&mut self, operation: Operation) {
        self.operation = operation;
        match Arc::get_mut(&mut self.var_binds) {
            Some(own) => own.clear(),
            None => self.var_binds = Arc::default(),
        }
        self.has_counter64 = false;
    }

    /// Returns the operation of the request.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// Returns the variables in their encoded form.
    pub fn variables(&self) -> VarBinds<'_> {
        VarBinds::from_validated(&self.var_binds, encoded_names(&self.var_binds).count())
    }

    pub(crate) fn var_binds(&self) -> &Arc<Vec<u8>> {
        &self.var_binds
    }

    pub(crate) fn has_counter64(&self) -> bool {
        self.has_counter64
    }
}

/// Appends an encoded variable binding.
pub(crate) fn append(var_binds: &mut Vec<u8>, name: &[u32], value: &Value<'_>) {
    let used = var_binds.len();
    let mut room = INITIAL_ROOM + value.content_len();
    loop {
        var_binds.resize(used + room, 0);
        let mut writer = ForwardWriter::resume(var_binds, used);
        match writer.var_bind(name, value) {
            Ok(()) => {
                let end = writer.len();
                return var_binds.truncate(end);
            }
            Err(BufferFullError) => room *= 2,
        }
    }
}

/// The initial size of the buffer in octets: an object identifier of usual length and a short value
/// fit.
const INITIAL_ROOM: usize = 64;
