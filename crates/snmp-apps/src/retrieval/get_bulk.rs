//! GetBulkRequest (RFC 3416 §4.2.3).
//!
//! If the reply is full, the remaining variables are omitted. The request is rejected only if no
//! variable fits. The names of one repetition are read back from the reply when the next repetition
//! starts, so that they need no other storage.

use portreeve_smi::{
    OidBuf,
    ber::{ForwardWriter, Reader},
};
use portreeve_snmp_message::{Pdu, VarBind};

use super::{Appended, RetrievalContext, StopReason};

/// Appends the successors of the non-repeaters once, then the successors of the other variables
/// repeatedly.
pub(crate) fn get_bulk(
    context: &mut RetrievalContext<'_>,
    pdu: &Pdu<'_>,
    reply: &mut ForwardWriter<'_>,
) -> Result<(), StopReason> {
    match append_all(context, pdu, reply) {
        Err(StopReason::Full) if !reply.is_empty() => Ok(()),
        other => other,
    }
}

fn append_all(
    context: &mut RetrievalContext<'_>,
    pdu: &Pdu<'_>,
    reply: &mut ForwardWriter<'_>,
) -> Result<(), StopReason> {
    //= rfc3413#3.2-3
    let non_repeaters = usize::try_from(pdu.error_status).unwrap_or(0).min(pdu.var_binds.len());
    let max_repetitions = usize::try_from(pdu.error_index).unwrap_or(0);
    let repeaters = pdu.var_binds.len() - non_repeaters;
    let (mut after, mut name) = (OidBuf::new(), OidBuf::new());
    for (position, var_bind) in pdu.var_binds.iter().take(non_repeaters).enumerate() {
        var_bind.name.decode_into(&mut after);
        let mut leaf = context.served.first_leaf_after(&after);
        context.append_next(position + 1, &after, &mut leaf, &mut name, reply)?;
    }
    if repeaters == 0 {
        return Ok(());
    }
    let mut leaves = [None; MAX_CACHED_LEAVES];
    let mut row_start = reply.len();
    for repetition in 0..max_repetitions {
        let mut ended = 0;
        let mut previous = row_start;
        row_start = reply.len();
        let mut requested = pdu.var_binds.iter().skip(non_repeaters);
        for column in 0..repeaters {
            match repetition {
                0 => next_requested(&mut requested, &mut after),
                _ => previous = read_back(reply, previous, &mut after),
            }
            let cached = leaves.get(column).copied().flatten();
            let mut leaf = cached.unwrap_or_else(|| context.served.first_leaf_after(&after));
            let variable = non_repeaters + column + 1;
            let appended = context.append_next(variable, &after, &mut leaf, &mut name, reply)?;
            if let Some(slot) = leaves.get_mut(column) {
                *slot = Some(leaf);
            }
            ended += usize::from(appended == Appended::EndOfMibView);
        }
        if ended == repeaters {
            break; // further repetitions would contain only endOfMibView
        }
    }
    Ok(())
}

fn next_requested<'a>(requested: &mut impl Iterator<Item = VarBind<'a>>, after: &mut OidBuf) {
    match requested.next() {
        Some(var_bind) => var_bind.name.decode_into(after),
        None => after.clear(),
    }
}

/// Reads the name of the variable binding at `position` of the reply, and returns the position of
/// the next binding.
fn read_back(reply: &ForwardWriter<'_>, position: usize, name: &mut OidBuf) -> usize {
    let rest = reply.written().get(position..).unwrap_or_default();
    let mut reader = Reader::at(rest, position);
    if let Ok(var_bind) = VarBind::parse(&mut reader) {
        var_bind.name.decode_into(name);
    }
    reader.position()
}

/// The number of columns for which the leaf of the last repetition is cached. For further columns,
/// each repetition looks up the leaf.
const MAX_CACHED_LEAVES: usize = 64;
