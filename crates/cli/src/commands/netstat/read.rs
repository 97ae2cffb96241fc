//! Reading scalars that an agent may not have, and tables row by row.

use portreeve_mib::Object;
use portreeve_smi::{ErrorStatus, OwnedValue, Value};
use portreeve_snmp_manager::{Operation, Request};

use crate::{
    command_error::CommandError,
    commands::{Agent, rejection, row_change::instance},
    output::Output,
};

/// The values of these instances; `None` for what the agent does not have.
pub(super) fn read_values(
    agent: &mut Agent,
    output: &Output,
    wanted: &[(&'static Object, &[u32])],
) -> Result<Vec<Option<OwnedValue>>, CommandError> {
    let mut values = Vec::with_capacity(wanted.len());
    for some in wanted.chunks(MAX_VARIABLES_PER_REQUEST) {
        match read_batch(agent, output, some)? {
            Some(some) => values.extend(some),
            // SNMPv1 answers nothing where one is missing.
            None => {
                for one in some.chunks(1) {
                    values.extend(read_batch(agent, output, one)?.unwrap_or_else(|| vec![None]));
                }
            }
        }
    }
    Ok(values)
}

/// `None` where the agent does not have all of them and says nothing of the others.
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

/// Hands every row of the first column's table to `visit`: its index, and a value for each column that it has.
pub(super) fn visit_rows(
    agent: &mut Agent,
    output: &Output,
    columns: &[&'static Object],
    mut visit: impl FnMut(&[u32], &[Option<OwnedValue>]),
) -> Result<(), CommandError> {
    let mut index: Vec<u32> = Vec::new();
    let mut values = vec![None; columns.len()];
    // Positions in `columns`. SNMPv1 answers nothing once a column has come to the end of everything.
    let mut asked: Vec<usize> = (0..columns.len()).collect();
    loop {
        let mut request = Request::new(Operation::GetNext);
        for column in asked.iter().filter_map(|position| columns.get(*position)) {
            request.push(&instance(column, &index)?, Value::Null);
        }
        let response = agent.request(&request)?;
        if response.error_status() == Some(ErrorStatus::NoSuchName) {
            // Counted from 1; without the first there is no next row.
            let Some(after) = response.error_index().filter(|index| (2..=asked.len()).contains(index)) else {
                return Ok(());
            };
            asked.remove(after - 1);
            agent.recycle(response);
            continue;
        }
        if response.is_error() {
            rejection::report(&response, output, "Error in packet.");
            return Err(CommandError::Reported(rejection::EXIT_CODE));
        }
        let mut next: Option<Vec<u32>> = None;
        values.fill(None);
        for (position, bind) in asked.iter().zip(response.var_binds().iter()) {
            let (Some(column), Some(value)) = (columns.get(*position), values.get_mut(*position)) else {
                continue;
            };
            let name = bind.name.to_buf();
            let Some(found) = name.strip_prefix(column.arcs()).filter(|_| !bind.value.is_exception()) else {
                continue;
            };
            if *position == 0 {
                next = Some(found.to_vec());
            }
            if next.as_deref() == Some(found) {
                *value = Some(OwnedValue::from(bind.value));
            }
        }
        agent.recycle(response);
        // An agent whose rows do not rise has no end.
        let Some(next) = next.filter(|next| *next > index) else { return Ok(()) };
        visit(&next, &values);
        index = next;
    }
}

/// A number, whatever its type.
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

/// A text; what steers a terminal is shown as dots.
pub(super) fn text(value: Option<&OwnedValue>) -> Option<String> {
    let Some(OwnedValue::OctetString(octets)) = value else { return None };
    let shown = |character: char| if character.is_control() { '.' } else { character };
    Some(String::from_utf8_lossy(octets).chars().map(shown).collect())
}

/// How many variables one request asks for: their answers fit in the smallest message that an agent has to take.
const MAX_VARIABLES_PER_REQUEST: usize = 16;
