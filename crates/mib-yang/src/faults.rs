//! Finds the variable of a SET that makes the tree invalid.

use portreeve_datastore::{Model, Refusal};
use portreeve_yang::{Entry, InstancePath};
use portreeve_yang_tree::Tree;

use crate::{draft::RowChange, objects::Definitions};

/// Checks the tree after a SET. The coordinator of the transaction checks it again, but does not
/// know the variables.
///
/// # Errors
/// Returns the first fault, with the variable that sets its node, or else one of the same row.
pub(crate) fn check_change(
    definitions: &Definitions,
    model: &Model,
    rows: &[RowChange],
    before: &Tree,
    after: &Tree,
) -> Result<(), Refusal> {
    let faults = model.validator().validate_change(before, after);
    let Some(refusal) = Refusal::from_faults(&definitions.schema, &faults) else { return Ok(()) };
    let variable = faults.first().and_then(|fault| variable_of(definitions, rows, &fault.path));
    Err(match variable {
        Some(number) => refusal.at_variable(number),
        None => refusal,
    })
}

/// Returns the variable that sets a node, or else the first one of the row that contains it or of
/// any row.
fn variable_of(definitions: &Definitions, rows: &[RowChange], path: &InstancePath) -> Option<usize> {
    let row = rows
        .iter()
        .filter(|row| contains(definitions, row, path))
        .max_by_key(|row| row.keys.ends.len())
        .or(rows.first())?;
    let is_at_fault = |leaf: usize| definitions.leafs.get(leaf).is_some_and(|leaf| leaf.node == path.node());
    let change = row.leafs.iter().find(|change| is_at_fault(change.leaf)).map(|change| change.variable);
    change.or(row.action.map(|(_, variable)| variable)).or(Some(row.first_variable))
}

/// Returns true if a path leads through a row.
fn contains(definitions: &Definitions, row: &RowChange, path: &InstancePath) -> bool {
    let Some(table) = definitions.tables.get(row.table) else { return false };
    table.lists.iter().zip(&row.key_values).all(|(list, values)| {
        let mut steps = path.steps().iter().filter(|step| step.node == list.node);
        steps.any(|step| matches!(&step.entry, Entry::Keys(keys) if keys == values))
    })
}

#[cfg(test)]
mod tests;
