//! Finds list entries with the same values (RFC 7950 §7.8.3).

use std::{collections::BTreeSet, sync::Arc};

use portreeve_yang::{NodeId, Schema};

use crate::{List, Row, defaults::effective_leaf};

/// Returns the entries whose values of these leafs an entry before has as well. An entry without a
/// value or default of one of the leafs is not compared. Entries that are the same in the version
/// `before`, which has no duplicates, are visited only if they can be duplicates now. Adds the
/// number of entries that were visited.
pub(super) fn duplicates<'l>(
    schema: &'l Schema,
    node: NodeId,
    (before, list): (Option<&'l List>, &'l List),
    leafs: &[NodeId],
    visited: &mut usize,
) -> Vec<&'l Arc<Row>> {
    let places: Vec<_> = leafs.iter().map(|leaf| Place::new(schema, node, *leaf)).collect();
    let values =
        |row: &'l Row| -> Option<Vec<_>> { places.iter().map(|place| place.value(schema, row)).collect() };
    let mut new = BTreeSet::new();
    if let Some(before) = before {
        for item in before.by_key().differences(list.by_key()) {
            *visited += 1;
            let after = item.after.and_then(|row| values(row));
            if after.is_some() && after != item.before.and_then(|row| values(row)) {
                new.extend(after);
            }
        }
        if new.is_empty() {
            return Vec::new();
        }
    }
    *visited += list.len();
    let mut seen = BTreeSet::new();
    let rows = list.by_key().iter().map(|(_, row)| row);
    let is_duplicate = |row: &&'l Arc<Row>| {
        let values = values(row).filter(|values| before.is_none() || new.contains(values));
        values.is_some_and(|values| !seen.insert(values))
    };
    rows.filter(is_duplicate).collect()
}

/// The place of a leaf below a list entry.
struct Place {
    leaf: NodeId,
    /// The rows from the entry down to the one that contains the leaf. Those below the entry are
    /// presence containers.
    rows: Vec<NodeId>,
}

impl Place {
    fn new(schema: &Schema, list: NodeId, leaf: NodeId) -> Self {
        let mut rows = Vec::new();
        let mut next = schema.row_of(leaf);
        while let Some(row) = next {
            rows.push(row);
            next = if row == list { None } else { schema.row_of(row) };
        }
        rows.reverse();
        Self { leaf, rows }
    }

    fn value<'l>(&self, schema: &'l Schema, entry: &'l Row) -> Option<&'l str> {
        let (list, containers) = self.rows.split_first()?;
        let (mut node, mut row) = (*list, entry);
        for container in containers {
            row = row.container(schema.row_children_in(*container).start)?;
            node = *container;
        }
        effective_leaf(schema, node, row, self.leaf)
    }
}
