//! Reads instances that an agent may not have, and tables row by row.

use portreeve_mib::Object;
use portreeve_smi::{ErrorStatus, OwnedValue, Value, controls_display};
use portreeve_snmp_manager::{Operation, Request};

use crate::{
    command_error::CommandError,
    commands::{Agent, rejection, row_change::instance},
    output::Output,
};

/// Reads the values of these instances; `None` for those that the agent does not have.
pub(super) fn read_values(
    agent: &mut Agent,
    output: &Output,
    wanted: &[(&'static Object, &[u32])],
) -> Result<Vec<Option<OwnedValue>>, CommandError> {
    let mut values = Vec::with_capacity(wanted.len());
    for batch in wanted.chunks(MAX_VARIABLES_PER_REQUEST) {
        match read_batch(agent, output, batch)? {
            Some(batch) => values.extend(batch),
            // An SNMPv1 agent returns no values at all if one instance is missing, so each instance
            // is requested on its own.
            None => {
                for single in batch.chunks(1) {
                    values.extend(read_batch(agent, output, single)?.unwrap_or_else(|| vec![None]));
                }
            }
        }
    }
    Ok(values)
}

/// Reads the values with one request; `None` if the agent rejects the whole request because one of
/// the instances is missing or the response is too big.
fn read_batch(
    agent: &mut Agent,
    output: &Output,
    wanted: &[(&'static Object, &[u32])],
) -> Result<Option<Vec<Option<OwnedValue>>>, CommandError> {
    let mut request = Request::new(Operation::Get);
    for (object, index) in wanted {
        request.push(&instance(object, index)?, Value::Null);
    }
    let response = agent.request(&request)?;
    match response.error_status() {
        Some(ErrorStatus::NoSuchName | ErrorStatus::TooBig) => return Ok(None),
        _ if response.is_error() => {
            rejection::report(&response, output, "Error in packet.");
            return Err(CommandError::Reported(rejection::EXIT_CODE));
        }
        _ => {}
    }
    let value = |value: Value<'_>| (!value.is_exception()).then(|| OwnedValue::from(value));
    let mut values: Vec<_> = response.var_binds().iter().map(|bind| value(bind.value)).collect();
    values.resize(wanted.len(), None);
    agent.recycle(response);
    Ok(Some(values))
}

/// Calls `visit` for every row of the first column's table, with its index and the value of each
/// column.
pub(super) fn visit_rows(
    agent: &mut Agent,
    output: &Output,
    columns: &[&'static Object],
    mut visit: impl FnMut(&[u32], &[Option<OwnedValue>]),
) -> Result<(), CommandError> {
    let mut index: Vec<u32> = Vec::new();
    let mut values = vec![None; columns.len()];
    // The positions in `columns` of the columns that are still requested. An SNMPv1 agent rejects
    // the whole request once a column has reached the end of the MIB; that column is then removed.
    let mut requested: Vec<usize> = (0..columns.len()).collect();
    loop {
        let mut request = Request::new(Operation::GetNext);
        for column in requested.iter().filter_map(|position| columns.get(*position)) {
            request.push(&instance(column, &index)?, Value::Null);
        }
        let response = agent.request(&request)?;
        if response.error_status() == Some(ErrorStatus::NoSuchName) {
            // error-index starts at 1. If it refers to the first column, there is no next row.
            let Some(after) = response.error_index().filter(|index| (2..=requested.len()).contains(index))
            else {
                return Ok(());
            };
            requested.remove(after - 1);
            agent.recycle(response);
            continue;
        }
        if response.is_error() {
            rejection::report(&response, output, "Error in packet.");
            return Err(CommandError::Reported(rejection::EXIT_CODE));
        }
        let mut next: Option<Vec<u32>> = None;
        values.fill(None);
        for (position, bind) in requested.iter().zip(response.var_binds().iter()) {
            let (Some(column), Some(value)) = (columns.get(*position), values.get_mut(*position)) else {
                continue;
            };
            let name = bind.name.to_buf();
            let Some(row_index) = name.strip_prefix(column.arcs()).filter(|_| !bind.value.is_exception())
            else {
                continue;
            };
            if *position == 0 {
                next = Some(row_index.to_vec());
            }
            if next.as_deref() == Some(row_index) {
                *value = Some(OwnedValue::from(bind.value));
            }
        }
        agent.recycle(response);
        // If the rows did not increase, the loop would never end.
        let Some(next) = next.filter(|next| *next > index) else { return Ok(()) };
        visit(&next, &values);
        index = next;
    }
}

/// Returns the value of any numeric type.
pub(super) fn number(value: Option<&OwnedValue>) -> Option<u64> {
    match value? {
        OwnedValue::Integer(number) => u64::try_from(*number).ok(),
        OwnedValue::Counter32(number) | OwnedValue::Gauge32(number) | OwnedValue::TimeTicks(number) => {
            Some(u64::from(*number))
        }
        OwnedValue::Counter64(number) => Some(*number),
        _ => None,
    }
}

/// Returns a string as text, with control characters replaced by dots.
pub(super) fn text(value: Option<&OwnedValue>) -> Option<String> {
    let Some(OwnedValue::OctetString(octets)) = value else { return None };
    let printable = |character: char| if controls_display(character) { '.' } else { character };
    Some(String::from_utf8_lossy(octets).chars().map(printable).collect())
}

/// Maximum number of variables in one request, so that the response fits the smallest message size
/// that every agent must support.
const MAX_VARIABLES_PER_REQUEST: usize = 16;
