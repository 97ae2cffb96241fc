//! One SET request for the columns of a row, for the verbs that manage tables.

use portreeve_mib::Object;
use portreeve_smi::{OidBuf, Value};
use portreeve_snmp_manager::{Operation, Request};

use super::{Agent, rejection};
use crate::{command_error::CommandError, output::Output};

/// The SET request for one row.
pub(super) struct RowChange {
    index: Vec<u32>,
    request: Request,
}

impl RowChange {
    pub(super) fn for_row(index: Vec<u32>) -> Self {
        Self { index, request: Request::new(Operation::Set) }
    }

    /// Adds a column and its new value to the request.
    pub(super) fn set(mut self, column: &Object, value: Value<'_>) -> Result<Self, CommandError> {
        let name = instance(column, &self.index)?;
        self.request.push(&name, value);
        Ok(self)
    }

    /// Adds a column and its new value, a number, to the request.
    pub(super) fn set_number(self, column: &Object, number: i32) -> Result<Self, CommandError> {
        self.set(column, Value::Integer(number))
    }

    /// Sends the request and returns the exit code. An error response is printed.
    pub(super) fn send(self, agent: &mut Agent, output: &Output) -> Result<u8, CommandError> {
        let response = agent.request(&self.request)?;
        if response.is_error() {
            rejection::report(&response, output, "Error in packet.");
            return Ok(rejection::EXIT_CODE);
        }
        Ok(0)
    }
}

/// Returns the OID of a column instance.
pub(super) fn instance(column: &Object, index: &[u32]) -> Result<OidBuf, CommandError> {
    let mut name = column.oid();
    let too_long = |_| CommandError::Message("the OID of the row is too long".to_owned());
    name.extend(index).map_err(too_long)?;
    Ok(name)
}

/// Appends octets to an index, preceded by their count (RFC 2578 §7.7).
pub(super) fn push_counted(index: &mut Vec<u32>, octets: &[u8]) {
    index.push(u32::try_from(octets.len()).unwrap_or(u32::MAX));
    index.extend(octets.iter().copied().map(u32::from));
}

/// The values of RowStatus (RFC 2579).
pub(super) mod row_status {
    pub(crate) const ACTIVE: i32 = 1;
    pub(crate) const NOT_IN_SERVICE: i32 = 2;
    pub(crate) const CREATE_AND_GO: i32 = 4;
    pub(crate) const CREATE_AND_WAIT: i32 = 5;
    pub(crate) const DESTROY: i32 = 6;
}
