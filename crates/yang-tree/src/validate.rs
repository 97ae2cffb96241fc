//! Checks that a tree is valid: everything that must exist does, lists have as many entries as
//! permitted, and references lead to instances (RFC 7950 §8.1).
//!
//! Types and keys are checked when values are read, and choices when nodes are set. `must` and
//! `when` are not checked here.
//!
//! The check of a tree that follows a valid one examines only the rows that the two do not share,
//! lists in which the values of a `unique` have changed, and the references that the changes can
//! break.

mod changed;
mod checks;
mod references;
mod unique;

use std::sync::Arc;

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, Schema};

use crate::{
    Child, LeafList, List, Row, Tree,
    cases::exists_in,
    pairs::{Pair, pairs},
    path::{entry_of_row, path_within, pop_steps, push_within},
};
use changed::{Changed, Watched};
use checks::{Check, CheckKind, RowChecks};
use references::{Reference, ReferenceCheck};

/// Maximum number of faults that are reported for an edit.
pub const MAX_FAULTS: usize = 100;

/// The checks of a schema, prepared.
pub struct Validator {
    schema: Arc<Schema>,
    checks: RowChecks,
    references: Vec<Reference>,
    watched: Watched,
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

impl Validator {
    /// Prepares the checks of a schema.
    pub fn new(schema: Arc<Schema>) -> Self {
        let (checks, references) = (RowChecks::new(&schema), references::all(&schema));
        let watched = references::watched(&schema, &references);
        Self { schema, checks, references, watched }
    }

    /// Returns the faults of a tree, at most [`MAX_FAULTS`].
    pub fn validate(&self, tree: &Tree) -> Vec<Fault> {
        self.validate_up_to(tree, MAX_FAULTS)
    }

    /// Returns the faults of a tree, at most `max_faults`.
    pub fn validate_up_to(&self, tree: &Tree, max_faults: usize) -> Vec<Fault> {
        self.run(None, tree, max_faults).faults
    }

    /// Returns the faults of a tree, if the tree `before` has none. The result is the same as that
    /// of [`Self::validate`], but unchanged parts take no time.
    pub fn validate_change(&self, before: &Tree, tree: &Tree) -> Vec<Fault> {
        self.run(Some(before), tree, MAX_FAULTS).faults
    }

    fn run<'v>(&'v self, before: Option<&'v Tree>, tree: &'v Tree, max_faults: usize) -> Run<'v> {
        let mut run = Run {
            validator: self,
            path: InstancePath::new(),
            faults: Vec::new(),
            max_faults,
            changed: Changed::default(),
            is_change: before.is_some(),
            visited: 0,
        };
        run.row(NodeId::ROOT, before.map(Tree::root), Some(tree.root()));
        for reference in &self.references {
            let scope = (before, reference.can_break(&run.changed));
            let faults = &mut run.faults;
            let mut report = |path| add(faults, max_faults, FaultReason::InstanceRequired, path);
            run.visited += ReferenceCheck::run(&self.schema, reference, scope, tree, &mut report);
        }
        run
    }
}

/// A check in progress.
struct Run<'v> {
    validator: &'v Validator,
    path: InstancePath,
    faults: Vec<Fault>,
    max_faults: usize,
    /// The differences from the tree before.
    changed: Changed,
    is_change: bool,
    /// The number of rows and values that were visited for references and for `unique`.
    visited: usize,
}

impl Run<'_> {
    /// Checks a row that existed before, exists now, or both.
    fn row(&mut self, node: NodeId, before: Option<&Arc<Row>>, after: Option<&Arc<Row>>) {
        if let (Some(before), Some(after)) = (before, after)
            && Arc::ptr_eq(before, after)
        {
            return;
        }
        let validator = self.validator;
        if self.is_change {
            self.changed.add(&validator.watched, &validator.schema, node, before, after);
        }
        if let Some(after) = after {
            for check in validator.checks.of(node) {
                self.check(node, after, check);
            }
        }
        let empty = Arc::default();
        for (index, pair) in pairs(before.unwrap_or(&empty), after.unwrap_or(&empty)) {
            let Some(child) = validator.schema.row_layout(node).children.get(index).copied() else {
                continue;
            };
            match pair {
                Pair::Containers(before, after) => self.instance(node, child, before, after),
                Pair::Lists(before, after) => {
                    for difference in before.by_key().differences(after.by_key()) {
                        self.instance(node, child, difference.before, difference.after);
                    }
                    self.uniques(node, child, before, after);
                }
                Pair::LeafLists(..) => {}
            }
        }
    }

    fn instance(&mut self, row: NodeId, node: NodeId, before: Option<&Arc<Row>>, after: Option<&Arc<Row>>) {
        let schema = &self.validator.schema;
        let Some(any) = after.or(before) else { return };
        let steps = push_within(&mut self.path, schema, row, node, entry_of_row(schema, node, any));
        self.row(node, before, after);
        pop_steps(&mut self.path, steps);
    }

    fn check(&mut self, node: NodeId, row: &Row, check: &Check) {
        let schema = &self.validator.schema;
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
        add(&mut self.faults, self.max_faults, reason, path);
    }

    fn uniques(&mut self, row: NodeId, node: NodeId, before: &List, after: &List) {
        let schema = &self.validator.schema;
        let NodeKind::List(definition) = &schema.node(node).kind else { return };
        let versions = (Some(before).filter(|_| self.is_change), after);
        for (number, leafs) in definition.uniques.iter().enumerate() {
            for entry in unique::duplicates(schema, node, versions, leafs, &mut self.visited) {
                let path = path_within(&self.path, schema, row, node, entry_of_row(schema, node, entry));
                add(&mut self.faults, self.max_faults, FaultReason::NotUnique(number), path);
            }
        }
    }
}

fn add(faults: &mut Vec<Fault>, max_faults: usize, reason: FaultReason, path: InstancePath) {
    if faults.len() < max_faults {
        faults.push(Fault { reason, path });
    }
}

#[cfg(test)]
mod tests;
