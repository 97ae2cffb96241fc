//! What is asked: an operation and its variable bindings, encoded once however often they are sent.

use std::sync::Arc;

use portreeve_smi::{
    Value,
    ber::{BufferFullError, ForwardWriter},
};
use portreeve_snmp_message::PduType;

/// A request to be handed to a session, as often as one likes.
#[derive(Clone, Debug)]
pub struct Request {
    operation: Operation,
    /// Encoded variable bindings without the list's header; sessions that ask for them share them.
    var_binds: Arc<Vec<u8>>,
    has_counter64: bool,
}

/// What to do with the variables named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Read them.
    Get,
    /// Read the one after each.
    GetNext,
    /// Read several after each (RFC 3416 §4.2.3).
    GetBulk {
        /// Of how many names, counted from the first, only the one successor is wanted.
        non_repeaters: i32,
        /// How many successors of each of the others are wanted.
        max_repetitions: i32,
    },
    /// Write them, all or none.
    Set,
}

impl Operation {
    pub(crate) fn pdu_type(self) -> PduType {
        match self {
            Self::Get => PduType::GetRequest,
            Self::GetNext => PduType::GetNextRequest,
            Self::GetBulk { .. } => PduType::GetBulkRequest,
            Self::Set => PduType::SetRequest,
        }
    }

    /// The PDU's fields after the request-id.
    pub(crate) fn parameters(self) -> (i32, i32) {
        match self {
            Self::GetBulk { non_repeaters, max_repetitions } => (non_repeaters, max_repetitions),
            Self::Get | Self::GetNext | Self::Set => (0, 0),
        }
    }
}

impl Request {
    /// A request about no variable yet.
    pub fn new(operation: Operation) -> Self {
        Self { operation, var_binds: Arc::default(), has_counter64: false }
    }

    /// A request to read, in whichever way, the variables `names`.
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

    /// Adds a variable. Requests that read carry [`Value::Null`].
    pub fn push(&mut self, name: &[u32], value: Value<'_>) {
        self.has_counter64 |= matches!(value, Value::Counter64(_));
        append(Arc::make_mut(&mut self.var_binds), name, &value);
    }

    /// Becomes another request, keeping the memory unless a session still asks for the earlier one.
    pub fn reset(&mut self, operation: Operation) {
        self.operation = operation;
        match Arc::get_mut(&mut self.var_binds) {
            Some(own) => own.clear(),
            None => self.var_binds = Arc::default(),
        }
        self.has_counter64 = false;
    }

    /// What is asked.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    pub(crate) fn var_binds(&self) -> &Arc<Vec<u8>> {
        &self.var_binds
    }

    pub(crate) fn has_counter64(&self) -> bool {
        self.has_counter64
    }
}

/// Encodes a variable binding behind those that are there.
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

/// Enough for an identifier of usual length and a short value.
const INITIAL_ROOM: usize = 64;
