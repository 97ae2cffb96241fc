//! Finds leafrefs and instance identifiers that lead to no instance (RFC 7950 §9.9, §9.13).
//!
//! A reference is checked in three ways:
//! - in all instances, if there is no valid tree before;
//! - in the instances that have changed, if the changes of the tree cannot break the others;
//! - in all instances below a changed row in which both ends of the reference are, if they can.

mod check;
mod targets;

use std::collections::BTreeSet;

use portreeve_yang::{LeafrefPath, LeafrefStart, NodeId, NodeKind, Schema, TypeId, TypeKind};

use super::changed::{Changed, Watched};
use crate::defaults::has_default;
pub(super) use check::ReferenceCheck;

/// A leaf or leaf-list whose values have to exist elsewhere.
pub(super) struct Reference {
    leaf: NodeId,
    value_type: TypeId,
    /// The rows above the leaf, from the top level to the one that contains it.
    rows: Vec<NodeId>,
    /// The number of the lowest of these rows that contains all that a check reads.
    common_row: usize,
    reads: Reads,
}

/// The nodes that the check of a reference reads.
#[derive(Default)]
struct Reads {
    /// Nodes at the end of paths and on the way there: their creation breaks nothing.
    targets: BTreeSet<NodeId>,
    /// Nodes of which any change can break a reference: in conditions, or with defaults.
    others: BTreeSet<NodeId>,
    /// Rows in which another case of a choice can put a default out of effect.
    rows_with_cases: BTreeSet<NodeId>,
    /// Leafs in conditions, each with the number of the row above the reference that contains it. A
    /// change breaks references below this row only.
    conditions: Vec<(usize, NodeId)>,
    /// The type has an instance-identifier, which can lead to all nodes.
    is_any: bool,
}

/// Returns all references of a schema.
pub(super) fn all(schema: &Schema) -> Vec<Reference> {
    let config = schema.nodes().filter(|(_, node)| node.config);
    config.filter_map(|(leaf, _)| Reference::new(schema, leaf)).collect()
}

/// Returns the nodes that references read.
pub(super) fn watched(schema: &Schema, references: &[Reference]) -> Watched {
    let reads = references.iter().map(|reference| &reference.reads);
    let nodes = reads.flat_map(|it| it.targets.iter().chain(&it.others).chain(&it.rows_with_cases).copied());
    Watched::new(schema, nodes, references.iter().any(|reference| reference.reads.is_any))
}

impl Reference {
    fn new(schema: &Schema, leaf: NodeId) -> Option<Self> {
        let value_type = schema.type_of(leaf)?;
        let mut rows = Vec::new();
        let mut next = schema.row_of(leaf);
        while let Some(row) = next {
            rows.push(row);
            next = schema.row_of(row);
        }
        rows.reverse();
        // Leafs of operations are not in a tree.
        if rows.first() != Some(&NodeId::ROOT) {
            return None;
        }
        let common_row = rows.len() - 1;
        let mut reference = Self { leaf, value_type, rows, common_row, reads: Reads::default() };
        if !reference.add_type(schema, value_type) {
            return None;
        }
        Some(reference)
    }

    /// Adds what the check of a type reads. Returns false if it reads nothing.
    fn add_type(&mut self, schema: &Schema, value_type: TypeId) -> bool {
        match &schema.value_type(value_type).kind {
            TypeKind::Leafref { steps, require_instance: true, .. } => {
                self.add_path(schema, steps);
                true
            }
            TypeKind::InstanceIdentifier { require_instance: true } => {
                self.reads.is_any = true;
                self.common_row = 0;
                true
            }
            // The schema has a maximum depth of unions.
            TypeKind::Union { members } => {
                members.iter().fold(false, |reads, member| self.add_type(schema, *member) | reads)
            }
            _ => false,
        }
    }

    fn add_path(&mut self, schema: &Schema, path: &LeafrefPath) {
        let start = match path.start {
            LeafrefStart::Root => Some(NodeId::ROOT),
            LeafrefStart::Up(levels) => ancestor(schema, self.leaf, levels),
        };
        self.include_row(schema, start);
        for step in &path.steps {
            self.reads.targets.insert(step.node);
            if has_default(schema, step.node) {
                self.add_other(schema, step.node);
            }
            for predicate in &step.predicates {
                let Some(leaf) = predicate.steps.last().copied() else { continue };
                let row = schema.row_of(leaf);
                match self.rows.iter().position(|other| Some(*other) == row) {
                    Some(number) => self.reads.conditions.push((number, leaf)),
                    None => {
                        self.include_row(schema, ancestor(schema, self.leaf, predicate.up));
                        self.add_other(schema, leaf);
                        self.reads.others.extend(row);
                    }
                }
            }
        }
    }

    /// Adds a leaf or leaf-list of which any change can break a reference.
    fn add_other(&mut self, schema: &Schema, node: NodeId) {
        self.reads.others.insert(node);
        if has_default(schema, node) && is_in_choice(schema, node) {
            self.reads.rows_with_cases.extend(schema.row_of(node));
        }
    }

    /// Notes that a check reads from the row that is this node or contains it.
    fn include_row(&mut self, schema: &Schema, node: Option<NodeId>) {
        let row = node.and_then(|node| row_at(schema, node));
        let number = self.rows.iter().position(|other| Some(*other) == row).unwrap_or(0);
        self.common_row = self.common_row.min(number);
    }

    /// Returns true if the changes of a tree can break instances that have not changed.
    pub(super) fn can_break(&self, changed: &Changed) -> bool {
        changed.has_lost(&self.reads.targets)
            || changed.has_changed(&self.reads.others)
            || changed.has_changed_content(&self.reads.rows_with_cases)
            || (self.reads.is_any && changed.has_removals())
    }

    /// Returns true if the leaf or leaf-list can have a value without an instance.
    fn has_default(&self, schema: &Schema) -> bool {
        has_default(schema, self.leaf)
    }
}

/// Returns the data node so many levels above a leaf.
fn ancestor(schema: &Schema, leaf: NodeId, levels: u16) -> Option<NodeId> {
    (0..levels).try_fold(leaf, |node, _| schema.data_parent(node))
}

/// Returns the node of the row that is this node or contains it.
fn row_at(schema: &Schema, node: NodeId) -> Option<NodeId> {
    let is_row = node == NodeId::ROOT || schema.node(node).is_row();
    if is_row { Some(node) } else { schema.row_of(node) }
}

/// Returns true if there is a choice between a node and the row that contains it.
fn is_in_choice(schema: &Schema, node: NodeId) -> bool {
    let row = schema.row_of(node);
    let mut at = schema.node(node).parent;
    while let Some(parent) = at.filter(|parent| Some(*parent) != row) {
        if matches!(schema.node(parent).kind, NodeKind::Choice(_)) {
            return true;
        }
        at = schema.node(parent).parent;
    }
    false
}

/// Returns true for a list.
fn is_list(schema: &Schema, node: NodeId) -> bool {
    matches!(schema.node(node).kind, NodeKind::List(_))
}
