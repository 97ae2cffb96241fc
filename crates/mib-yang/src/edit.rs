//! Changes rows of the tree as a SET requests.
//!
//! ```text
//! rows, outer ones first ─ exists? RowStatus? ─▶ steps with paths ─ sorted ─▶ Editor
//! ```
//! The steps are sorted by path, so that the editor opens each node once, as in one request.

use std::collections::BTreeMap;

use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_yang::NodeId;
use portreeve_yang_tree::{EditError, EditReason, Editor, Operation, Tree};

use crate::{
    draft::RowChange,
    keys::Keys,
    objects::Definitions,
    row_status::RowAction,
    table::{Table, Way},
};

/// Returns the tree after the changes of all rows.
///
/// # Errors
/// Returns the reason, with the variable at fault, if a row cannot be changed.
pub(crate) fn apply_rows(
    definitions: &Definitions,
    tree: &Tree,
    rows: &mut [RowChange],
) -> Result<Tree, Refusal> {
    rows.sort_by_key(|row| row.keys.ends.len());
    let mut plan = Plan { definitions, tree, steps: Vec::new(), existence: BTreeMap::new() };
    rows.iter().try_for_each(|row| plan.add_row(row))?;
    plan.steps.sort_by(|one, other| one.path.cmp(&other.path));
    edit(definitions, tree, &plan.steps)
}

/// A container or list entry on the way to a change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PathNode<'r> {
    node: NodeId,
    /// The key of a list entry.
    key: &'r [u8],
    /// The canonical values of the key.
    values: &'r [Box<str>],
}

/// A change at the end of a path.
struct Step<'r> {
    path: Vec<PathNode<'r>>,
    /// The variable at fault if the step is refused.
    variable: usize,
    change: Change<'r>,
}

enum Change<'r> {
    /// Creates the list entry if it does not exist.
    Create,
    /// Removes the list entry.
    Remove,
    /// Sets a leaf in the last node of the path.
    Set(NodeId, &'r str),
}

/// The steps of a SET.
struct Plan<'r> {
    definitions: &'r Definitions,
    /// The tree before the SET.
    tree: &'r Tree,
    steps: Vec<Step<'r>>,
    /// The entries that the SET creates and removes, by list and keys.
    existence: BTreeMap<(NodeId, &'r [u8]), bool>,
}

impl<'r> Plan<'r> {
    /// Adds the steps of a row. The rows that contain it have been added.
    fn add_row(&mut self, row: &'r RowChange) -> Result<(), Refusal> {
        let table = self.definitions.tables.get(row.table).ok_or(RefusalKind::Internal)?;
        let Some(list) = table.lists.last() else { return self.add_leafs(row, &[]) };
        let existed = self.exists(table, &row.keys);
        if !self.exists_after(table, row, existed)? {
            if existed {
                self.existence.insert((list.node, &row.keys.octets), false);
                self.add(path_of(table, row), row, Change::Remove);
            }
            return Ok(());
        }
        let path = path_of(table, row);
        if !existed {
            self.existence.insert((list.node, &row.keys.octets), true);
            self.add(path.clone(), row, Change::Create);
        }
        self.add_leafs(row, &path)
    }

    /// Returns true if a row exists after the SET.
    fn exists_after(&self, table: &Table, row: &RowChange, existed: bool) -> Result<bool, Refusal> {
        let inconsistent_name = |text: &'static str| {
            Err(Refusal::new(RefusalKind::InconsistentName, text).at_variable(row.first_variable))
        };
        match row.action {
            Some((RowAction::Destroy, _)) => Ok(false),
            _ if table.lists.len() > 1 && !self.exists(table, &row.keys.above()) => {
                inconsistent_name("the entry that contains the row does not exist")
            }
            Some((action, variable)) => {
                action.exists_after(existed).map_err(|refusal| refusal.at_variable(variable))
            }
            // Without a status, the first value creates the row.
            None if existed || table.row_status.is_none() => Ok(true),
            None => inconsistent_name("the row does not exist and is not created by this request"),
        }
    }

    /// Returns true if an entry of one of the table's lists exists after the steps so far.
    fn exists(&self, table: &Table, keys: &Keys) -> bool {
        // The last change of the entry, or of one that contains it, decides.
        for (list, end) in table.lists.iter().zip(&keys.ends) {
            let octets = keys.octets.get(..*end).unwrap_or_default();
            if let Some(exists) = self.existence.get(&(list.node, octets))
                && (!exists || *end == keys.octets.len())
            {
                return *exists;
            }
        }
        table.row(self.tree.root(), keys).is_some()
    }

    /// Adds the leafs of a row. Of several values of one leaf, the last one counts.
    fn add_leafs(&mut self, row: &'r RowChange, path: &[PathNode<'r>]) -> Result<(), Refusal> {
        let changes: BTreeMap<usize, _> = row.leafs.iter().map(|change| (change.leaf, change)).collect();
        for change in changes.into_values() {
            let leaf = self.definitions.leafs.get(change.leaf).ok_or(RefusalKind::Internal)?;
            // The entry has its keys already.
            if leaf.key.is_none() {
                let path = path.iter().copied().chain(containers(&leaf.way)).collect();
                let (variable, change) = (change.variable, Change::Set(leaf.node, &change.text));
                self.steps.push(Step { path, variable, change });
            }
        }
        Ok(())
    }

    fn add(&mut self, path: Vec<PathNode<'r>>, row: &RowChange, change: Change<'r>) {
        let variable = row.action.map_or(row.first_variable, |(_, variable)| variable);
        self.steps.push(Step { path, variable, change });
    }
}

/// Returns the path of a row: the containers and entries from the top level to it.
fn path_of<'r>(table: &Table, row: &'r RowChange) -> Vec<PathNode<'r>> {
    let mut path = Vec::new();
    for ((list, key), values) in table.lists.iter().zip(row.keys.iter()).zip(&row.key_values) {
        path.extend(containers(&list.way));
        path.push(PathNode { node: list.node, key, values });
    }
    path
}

fn containers<'r>(way: &Way) -> impl Iterator<Item = PathNode<'r>> {
    way.containers.iter().map(|container| PathNode { node: *container, key: &[], values: &[] })
}

/// Performs the steps, which are sorted by path.
fn edit(definitions: &Definitions, tree: &Tree, steps: &[Step<'_>]) -> Result<Tree, Refusal> {
    let mut editor = Editor::new(definitions.schema.clone(), tree, Operation::Merge);
    let mut open = Vec::new();
    for step in steps {
        perform(definitions, &mut editor, step, &mut open)
            .map_err(|error| refusal(error).at_variable(step.variable))?;
    }
    open.iter().try_for_each(|_| editor.close()).map_err(refusal)?;
    editor.finish().map_err(refusal)
}

/// Performs a step. `open` contains the nodes that are open in the editor.
fn perform<'r>(
    definitions: &Definitions,
    editor: &mut Editor,
    step: &Step<'r>,
    open: &mut Vec<PathNode<'r>>,
) -> Result<(), EditError> {
    while !step.path.starts_with(open) {
        editor.close()?;
        open.pop();
    }
    for (position, at) in step.path.iter().enumerate().skip(open.len()) {
        let is_last = position + 1 == step.path.len();
        let is_removed = is_last && matches!(step.change, Change::Remove);
        editor.open(at.node, is_removed.then_some(Operation::Remove), None)?;
        open.push(*at);
        for (leaf, value) in definitions.schema.keys(at.node).iter().zip(at.values) {
            editor.leaf(*leaf, None, Some(value))?;
        }
    }
    match step.change {
        Change::Set(leaf, text) => editor.leaf(leaf, None, Some(text)),
        Change::Create | Change::Remove => Ok(()),
    }
}

/// Returns the refusal of a SET whose edit is refused.
fn refusal(error: EditError) -> Refusal {
    let kind = match error.reason {
        EditReason::TwoCases(_) => RefusalKind::InconsistentValue,
        EditReason::RowTooLarge => RefusalKind::ResourceUnavailable,
        EditReason::InvalidKey => RefusalKind::NoCreation,
        _ => RefusalKind::Internal,
    };
    Refusal::new(kind, error.to_string())
}
