//! The objects that the SETs change: columns of existing rows of snmpTargetAddrTable.
//!
//! The rows are in blocks of nine. One SET changes four columns of each row of a block, so it has
//! 36 variables. All values follow from the serial number of the SET, and differ from those of the
//! previous SET on the same block.

use portreeve_smi::{OidRef, OwnedValue};
use portreeve_snmp_manager::{Operation, Request, Response, Value};

use crate::error::Result;

/// The number of variables of a SET.
pub(super) const VARIABLES: usize = ROWS_PER_BLOCK * CHANGED_COLUMNS.len();

/// Returns the SET that creates the rows of a block as active, nonvolatile rows.
pub(super) fn creation(block: usize) -> Request {
    let mut request = Request::new(Operation::Set);
    for row in rows(block) {
        let mut push = |column, value| request.push(&name(column, row), value);
        push(T_DOMAIN, Value::ObjectId(OidRef::Arcs(SNMP_UDP_DOMAIN)));
        push(T_ADDRESS, Value::OctetString(&[192, 0, 2, 1, 0, 162]));
        push(PARAMS, Value::OctetString(b"created"));
        push(ROW_STATUS, Value::Integer(CREATE_AND_GO));
    }
    request
}

/// Returns the SET with this serial number on a block.
pub(super) fn change(block: usize, serial: u32) -> Request {
    let mut request = Request::new(Operation::Set);
    for row in rows(block) {
        for (column, value) in changed_columns(row, serial) {
            request.push(&name(column, row), value.as_value());
        }
    }
    request
}

/// Returns a GET of all variables that SETs on the block have changed.
pub(super) fn reading(block: usize) -> Request {
    let names = rows(block).flat_map(|row| CHANGED_COLUMNS.map(|column| name(column, row)));
    Request::read(Operation::Get, names)
}

/// Checks that the response to [`reading`] has the values of the SET with this serial number.
pub(super) fn check(block: usize, serial: u32, response: &Response) -> Result<()> {
    let wanted = rows(block).flat_map(|row| changed_columns(row, serial).map(|(_, value)| value));
    let found: Vec<_> = response.var_binds().iter().collect();
    if found.len() != VARIABLES {
        return Err(format!("a GET returned {} variables instead of {VARIABLES}", found.len()).into());
    }
    match found.iter().zip(wanted).find(|(found, wanted)| found.value != wanted.as_value()) {
        None => Ok(()),
        Some((found, wanted)) => Err(format!(
            "{:?} is {:?} instead of {wanted:?}, the value of SET {serial}",
            found.name.to_buf(),
            found.value
        )
        .into()),
    }
}

/// Returns the columns that a SET changes in a row, with their new values.
fn changed_columns(row: usize, serial: u32) -> [(u32, OwnedValue); CHANGED_COLUMNS.len()] {
    let number = serial as i32;
    let text = |prefix| OwnedValue::OctetString(format!("{prefix}{serial:08}-{row:06}").into_bytes());
    [
        (TIMEOUT, OwnedValue::Integer(number)),
        (RETRY_COUNT, OwnedValue::Integer(number % 256)),
        (TAG_LIST, text("tag")),
        (PARAMS, text("params")),
    ]
}

/// Returns the numbers of the rows of a block.
fn rows(block: usize) -> std::ops::Range<usize> {
    block * ROWS_PER_BLOCK..(block + 1) * ROWS_PER_BLOCK
}

/// Returns the name of a column of a row. The index is snmpTargetAddrName, which is IMPLIED.
fn name(column: u32, row: usize) -> Vec<u32> {
    let index = format!("lab{row:06}").into_bytes();
    SNMP_TARGET_ADDR_ENTRY.iter().copied().chain([column]).chain(index.into_iter().map(u32::from)).collect()
}

/// The number of rows that one SET changes.
pub(super) const ROWS_PER_BLOCK: usize = 9;

const SNMP_TARGET_ADDR_ENTRY: &[u32] = &[1, 3, 6, 1, 6, 3, 12, 1, 2, 1];
const SNMP_UDP_DOMAIN: &[u32] = &[1, 3, 6, 1, 6, 1, 1];

const T_DOMAIN: u32 = 2;
const T_ADDRESS: u32 = 3;
const TIMEOUT: u32 = 4;
const RETRY_COUNT: u32 = 5;
const TAG_LIST: u32 = 6;
const PARAMS: u32 = 7;
const ROW_STATUS: u32 = 9;

/// Columns that can be changed while a row is active.
const CHANGED_COLUMNS: [u32; 4] = [TIMEOUT, RETRY_COUNT, TAG_LIST, PARAMS];

/// The value createAndGo of RowStatus.
const CREATE_AND_GO: i32 = 4;
