//! The part of a SET that changes the tree.
//!
//! ```text
//! each variable: access ─ type, length, value ─ valid index? ─▶ change of a row
//! each row:      RowStatus ─ row exists? ─▶ Editor ─▶ tree
//! ```
//! The variables of a row can be in any order and together with those of other rows: all of them
//! are one edit.

use std::{collections::BTreeMap, sync::Arc};

use portreeve_datastore::{ProposedState, Refusal, RefusalKind};
use portreeve_mib::{Draft, SetVariable};
use portreeve_yang::{ModuleNames, NodeId, Schema};

use crate::{
    edit::apply_rows,
    faults::check_change,
    form::Form,
    keys::Keys,
    leafs::ServedLeaf,
    objects::Definitions,
    row_status::{RowAction, action_of},
    table::Table,
};

/// The changes of one SET, by row.
pub(crate) struct SetDraft {
    definitions: Arc<Definitions>,
    rows: Vec<RowChange>,
    /// The position of each row by table and keys.
    positions: BTreeMap<(usize, Box<[u8]>), usize>,
}

/// The canonical values of the keys of each list on the way to a row.
pub(crate) type KeyValues = Vec<Vec<Box<str>>>;

/// The changes of one row, or of the scalars.
pub(crate) struct RowChange {
    pub(crate) table: usize,
    pub(crate) keys: Keys,
    pub(crate) key_values: KeyValues,
    /// The index arcs, to recognize the row in the next variable.
    index: Box<[u32]>,
    /// The first variable.
    pub(crate) first_variable: usize,
    /// The value of the row's status, and its variable.
    pub(crate) action: Option<(RowAction, usize)>,
    pub(crate) leafs: Vec<LeafChange>,
}

/// A new value of a leaf.
pub(crate) struct LeafChange {
    /// The number of the variable, counted from 1.
    pub(crate) variable: usize,
    /// The position of the leaf among the definitions.
    pub(crate) leaf: usize,
    /// The canonical text.
    pub(crate) text: Box<str>,
}

impl SetDraft {
    pub(crate) fn new(definitions: Arc<Definitions>) -> Self {
        Self { definitions, rows: Vec::new(), positions: BTreeMap::new() }
    }

    /// Returns the change of the row with this index.
    fn row(&mut self, leaf: &ServedLeaf, number: usize, index: &[u32]) -> Result<&mut RowChange, Refusal> {
        // The variables of a row usually follow each other.
        let is_last = self.rows.last().is_some_and(|row| row.table == leaf.table && *row.index == *index);
        if !is_last {
            let definitions = Arc::clone(&self.definitions);
            let table = definitions.table(leaf).ok_or(RefusalKind::Internal)?;
            let (keys, key_values) = entry_of(&definitions.schema, table, index)?;
            let rows = &mut self.rows;
            let entry = self.positions.entry((leaf.table, keys.octets.as_slice().into()));
            let position = *entry.or_insert_with(|| {
                rows.push(RowChange {
                    table: leaf.table,
                    keys,
                    key_values,
                    index: index.into(),
                    first_variable: number,
                    action: None,
                    leafs: Vec::new(),
                });
                rows.len() - 1
            });
            return Ok(self.rows.get_mut(position).ok_or(RefusalKind::Internal)?);
        }
        Ok(self.rows.last_mut().ok_or(RefusalKind::Internal)?)
    }
}

impl Draft for SetDraft {
    fn test(&mut self, _: &mut ProposedState, variable: &SetVariable<'_>) -> Result<(), Refusal> {
        let SetVariable { number, leaf: position, index, ref value } = *variable;
        let definitions = Arc::clone(&self.definitions);
        let leaf = definitions.leafs.get(position).ok_or(RefusalKind::Internal)?;
        if !leaf.access.is_writable() {
            return Err(Refusal::new(RefusalKind::NotWritable, "the object is read-only"));
        }
        if leaf.value_type.form == Form::RowStatus {
            let action = action_of(value)?;
            let row = self.row(leaf, number, index)?;
            if row.action.is_some_and(|(other, _)| other != action) {
                let text = "two different actions on one row";
                return Err(Refusal::new(RefusalKind::InconsistentValue, text));
            }
            row.action = Some((action, number));
            return Ok(());
        }
        let text = leaf.value_type.to_text(&definitions.schema, value)?;
        let row = self.row(leaf, number, index)?;
        if let Some(key) = leaf.key
            && row.key_values.last().and_then(|values| values.get(key)) != Some(&text)
        {
            return Err(Refusal::new(RefusalKind::WrongValue, "the value differs from the index"));
        }
        row.leafs.push(LeafChange { variable: number, leaf: position, text });
        Ok(())
    }

    fn apply(&mut self, proposed: &mut ProposedState) -> Result<(), Refusal> {
        self.positions.clear();
        let mut rows = std::mem::take(&mut self.rows);
        let tree = apply_rows(&self.definitions, proposed.tree(), &mut rows)?;
        check_change(&self.definitions, proposed.model(), &rows, proposed.tree(), &tree)?;
        proposed.set_tree(tree);
        Ok(())
    }
}

/// Returns the keys of the entry with this index, and their canonical values.
///
/// # Errors
/// The index is not that of an instance that could exist.
fn entry_of(schema: &Schema, table: &Table, index: &[u32]) -> Result<(Keys, KeyValues), Refusal> {
    let invalid = || Refusal::new(RefusalKind::NoCreation, "the index is invalid");
    let mut keys = Keys::default();
    if table.lists.is_empty() {
        return if index == [0] { Ok((keys, Vec::new())) } else { Err(invalid()) };
    }
    if !keys.set(schema, &table.lists, index) {
        return Err(invalid());
    }
    let mut values = Vec::with_capacity(table.lists.len());
    for (list, key) in table.lists.iter().zip(keys.iter()) {
        let of_list = schema.key_values(list.node, key).ok_or_else(invalid)?;
        let is_permitted = |leaf: NodeId, value: &str| {
            let names = ModuleNames::new(schema);
            let canonical = schema.type_of(leaf).map(|it| schema.canonical(it, value, &names));
            matches!(canonical, Some(Ok(canonical)) if canonical == value)
        };
        let mut leafs = schema.keys(list.node).iter().zip(&of_list);
        if !leafs.all(|(leaf, value)| is_permitted(*leaf, value)) {
            return Err(invalid());
        }
        values.push(of_list);
    }
    Ok((keys, values))
}

#[cfg(test)]
mod tests;
