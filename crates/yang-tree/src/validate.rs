//! Checks that a tree is valid: everything that must exist does, lists have as many entries as
//! permitted, and references lead to instances (RFC 7950 §8.1).
//!
//! Types and keys are checked when values are read, and choices when nodes are set. `must` and
//! `when` are not checked here.
//!
//! The check of a tree that follows a valid one examines only the rows that the two do not share,
//! lists with `unique` that have changed, and references whose rows have changed.

mod checks;
mod references;
mod unique;

use std::{collections::BTreeSet, sync::Arc};

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, Schema};

use crate::{
    Child, LeafList, List, Row, Tree,
    cases::exists_in,
    changes::pairs,
    path::{entry_of_row, path_within, pop_steps, push_within},
};
use checks::{Check, CheckKind, RowChecks};
use references::Reference;

/// Maximum number of faults that are reported.
pub const MAX_FAULTS: usize = 100;

/// The checks of a schema, prepared.
pub struct Validator<'s> {
    schema: &'s Schema,
    checks: RowChecks,
    references: Vec<Reference>,
}

/// A fault of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The kind of the fault.
    pub reason: FaultReason,
    /// The node that is missing, has too many or too few entries, or refers to nothing.
    pub path: InstancePath,
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultReason {
    /// A mandatory leaf, anydata or anyxml does not exist (RFC 7950 §7.6.5).
    MandatoryMissing,
    /// No node of this mandatory choice exists (RFC 7950 §15.6). The path is that of its parent.
    ChoiceMissing(NodeId),
    /// Nodes of several cases of this choice exist. The path is that of its parent.
    SeveralCases(NodeId),
    /// A list or leaf-list has too few entries (RFC 7950 §15.3).
    TooFewElements,
    /// A list or leaf-list has too many entries (RFC 7950 §15.2).
    TooManyElements,
    /// Entries of a list have the same values (RFC 7950 §15.1): number of the `unique` statement.
    /// The path is that of the second entry.
    NotUnique(usize),
    /// The instance to which a leaf refers does not exist (RFC 7950 §15.5).
    InstanceRequired,
}

impl<'s> Validator<'s> {
    /// Prepares the checks of a schema.
    pub fn new(schema: &'s Schema) -> Self {
        Self { schema, checks: RowChecks::new(schema), references: references::all(schema) }
    }

    /// Returns the faults of a tree, at most [`MAX_FAULTS`].
    pub fn validate(&self, tree: &Tree) -> Vec<Fault> {
        self.run(None, tree)
    }

    /// Returns the faults of a tree, if the tree `before` has none. The result is the same as that
    /// of [`Self::validate`], but unchanged parts take no time.
    pub fn validate_change(&self, before: &Tree, tree: &Tree) -> Vec<Fault> {
        self.run(Some(before), tree)
    }

    fn run(&self, before: Option<&Tree>, tree: &Tree) -> Vec<Fault> {
        let mut run =
            Run { validator: self, path: InstancePath::new(), faults: Vec::new(), changed: BTreeSet::new() };
        run.row(NodeId::ROOT, before.map(|tree| &tree.root), Some(&tree.root));
        let Run { mut faults, changed, .. } = run;
        for reference in &self.references {
            if before.is_none() || reference.reads(&changed) {
                reference.check(self.schema, tree, &mut |path| {
                    add(&mut faults, FaultReason::InstanceRequired, path)
                });
            }
        }
        faults
    }
}

/// A check in progress.
struct Run<'v, 's> {
    validator: &'v Validator<'s>,
    path: InstancePath,
    faults: Vec<Fault>,
    /// The nodes whose rows have changed.
    changed: BTreeSet<NodeId>,
}

impl Run<'_, '_> {
    /// Checks a row that existed before, exists now, or both.
    fn row(&mut self, node: NodeId, before: Option<&Arc<Row>>, after: Option<&Arc<Row>>) {
        if let (Some(before), Some(after)) = (before, after)
            && Arc::ptr_eq(before, after)
        {
            return;
        }
        self.changed.insert(node);
        if let Some(after) = after {
            for check in self.validator.checks.of(node) {
                self.check(node, after, check);
            }
        }
        let empty = Arc::default();
        for (index, before, after) in pairs(before.unwrap_or(&empty), after.unwrap_or(&empty)) {
            let schema = self.validator.schema;
            if let Some(child) = schema.row_layout(node).children.get(index) {
                self.child(node, *child, before, after);
            }
        }
    }

    fn child(&mut self, row: NodeId, node: NodeId, before: Option<&Child>, after: Option<&Child>) {
        match (before, after) {
            (Some(Child::Container(_)), _) | (_, Some(Child::Container(_))) => {
                let [before, after] = [before, after].map(|child| child.and_then(Child::as_container));
                self.instance(row, node, before, after);
            }
            (Some(Child::List(_)), _) | (_, Some(Child::List(_))) => {
                let empty = List::new(false);
                let [before, after] =
                    [before, after].map(|child| child.and_then(Child::as_list).unwrap_or(&empty));
                for difference in before.by_key().differences(after.by_key()) {
                    self.instance(row, node, difference.before, difference.after);
                }
                self.uniques(row, node, after);
            }
            _ => {
                self.changed.insert(node);
            }
        }
    }

    fn instance(&mut self, row: NodeId, node: NodeId, before: Option<&Arc<Row>>, after: Option<&Arc<Row>>) {
        let schema = self.validator.schema;
        let Some(any) = after.or(before) else { return };
        let steps = push_within(&mut self.path, schema, row, node, entry_of_row(schema, node, any));
        self.row(node, before, after);
        pop_steps(&mut self.path, steps);
    }

    fn check(&mut self, node: NodeId, row: &Row, check: &Check) {
        let schema = self.validator.schema;
        if check.case.is_some_and(|case| !exists_in(schema, row, case)) {
            return;
        }
        let entries = || match row.child(schema.row_children_in(check.node).start) {
            Some(Child::List(list)) => list.len(),
            Some(Child::LeafList(values)) => LeafList::len(values),
            _ => 0,
        };
        let reason = match check.kind {
            CheckKind::Mandatory if !exists_in(schema, row, check.node) => FaultReason::MandatoryMissing,
            CheckKind::MandatoryChoice if !exists_in(schema, row, check.node) => {
                FaultReason::ChoiceMissing(check.node)
            }
            CheckKind::OneCase if checks::cases(schema, row, check.node) > 1 => {
                FaultReason::SeveralCases(check.node)
            }
            CheckKind::Min(min) if entries() < min => FaultReason::TooFewElements,
            CheckKind::Max(max) if entries() > max => FaultReason::TooManyElements,
            _ => return,
        };
        let place = match reason {
            FaultReason::ChoiceMissing(choice) | FaultReason::SeveralCases(choice) => {
                schema.data_parent(choice).filter(|parent| *parent != node)
            }
            _ => Some(check.node),
        };
        let path = match place {
            Some(place) => path_within(&self.path, schema, node, place, Entry::All),
            None => self.path.clone(),
        };
        add(&mut self.faults, reason, path);
    }

    fn uniques(&mut self, row: NodeId, node: NodeId, list: &List) {
        let schema = self.validator.schema;
        let NodeKind::List(definition) = &schema.node(node).kind else { return };
        for (number, leafs) in definition.uniques.iter().enumerate() {
            for entry in unique::duplicates(schema, node, list, leafs) {
                let path = path_within(&self.path, schema, row, node, entry_of_row(schema, node, entry));
                add(&mut self.faults, FaultReason::NotUnique(number), path);
            }
        }
    }
}

fn add(faults: &mut Vec<Fault>, reason: FaultReason, path: InstancePath) {
    if faults.len() < MAX_FAULTS {
        faults.push(Fault { reason, path });
    }
}

#[cfg(test)]
mod tests;
