//! Visits the instances of a reference.

use std::sync::Arc;

use portreeve_yang::{Entry, InstancePath, ModuleNames, NodeId, Schema, TypeId, TypeKind};

use super::{Reference, targets::Targets};
use crate::{
    Child, LeafList, List, Row, Tree,
    defaults::{default_values, effective_leaf},
    keys::value_of,
    path::{entry_of_row, path_within, pop_steps, push_within},
};

/// A check of one reference in progress.
pub(in crate::validate) struct ReferenceCheck<'c> {
    schema: &'c Schema,
    tree: &'c Tree,
    reference: &'c Reference,
    targets: Targets<'c>,
    /// The rows above the leaf.
    rows: Vec<(NodeId, &'c Row)>,
    path: InstancePath,
    /// The changes can break instances that have not changed.
    can_break: bool,
    report: &'c mut dyn FnMut(InstancePath),
}

impl<'c> ReferenceCheck<'c> {
    /// Checks a reference in a tree. With a valid tree before, only in instances that have changed,
    /// or that can be broken. Returns the number of rows and values that were visited.
    pub(in crate::validate) fn run(
        schema: &'c Schema,
        reference: &'c Reference,
        (before, can_break): (Option<&'c Tree>, bool),
        tree: &'c Tree,
        report: &'c mut dyn FnMut(InstancePath),
    ) -> usize {
        let mut check = Self {
            schema,
            tree,
            reference,
            targets: Targets::new(schema),
            rows: Vec::new(),
            path: InstancePath::new(),
            can_break,
            report,
        };
        check.descend(NodeId::ROOT, before.map(Tree::root), tree.root());
        check.targets.visited
    }

    /// Examines the instances in a row and below it: those that differ from a version before.
    fn descend(&mut self, node: NodeId, before: Option<&'c Arc<Row>>, row: &'c Arc<Row>) {
        let schema = self.schema;
        if before.is_some_and(|before| Arc::ptr_eq(before, row)) {
            return;
        }
        let is_broken = self.can_break && self.rows.len() >= self.reference.common_row;
        let before = before.filter(|before| !is_broken && !self.has_other_condition(node, before, row));
        self.rows.push((node, row));
        match self.reference.rows.get(self.rows.len()) {
            None => self.instances(node, before.map(|before| &**before), row),
            Some(next) => {
                let index = schema.row_children_in(*next).start;
                let before = before.and_then(|before| before.child(index));
                match row.child(index) {
                    Some(Child::Container(row)) => {
                        self.enter(node, *next, before.and_then(Child::as_container), row);
                    }
                    Some(Child::List(list)) => {
                        self.entries(node, *next, before.and_then(Child::as_list), list);
                    }
                    _ => {}
                }
            }
        }
        self.rows.pop();
    }

    /// Returns true if a leaf of a row, which a condition of the reference states, has changed.
    fn has_other_condition(&self, node: NodeId, before: &Row, after: &Row) -> bool {
        let conditions = &self.reference.reads.conditions;
        let mut leafs = conditions.iter().filter(|(row, _)| *row == self.rows.len()).map(|(_, leaf)| *leaf);
        let value = |row, leaf| effective_leaf(self.schema, node, row, leaf);
        leafs.any(|leaf| value(before, leaf) != value(after, leaf))
    }

    fn entries(&mut self, parent: NodeId, node: NodeId, before: Option<&'c List>, list: &'c List) {
        let Some(before) = before else {
            list.by_key().iter().for_each(|(_, row)| self.enter(parent, node, None, row));
            return;
        };
        for item in before.by_key().differences(list.by_key()) {
            if let Some(row) = item.after {
                self.enter(parent, node, item.before, row);
            }
        }
    }

    fn enter(&mut self, parent: NodeId, node: NodeId, before: Option<&'c Arc<Row>>, row: &'c Arc<Row>) {
        let entry = entry_of_row(self.schema, node, row);
        let steps = push_within(&mut self.path, self.schema, parent, node, entry);
        self.descend(node, before, row);
        pop_steps(&mut self.path, steps);
    }

    fn instances(&mut self, node: NodeId, before: Option<&'c Row>, row: &'c Row) {
        let (schema, leaf) = (self.schema, self.reference.leaf);
        // A default can come into effect by another change of the row.
        let before = before.filter(|_| !self.reference.has_default(schema));
        if let Some(slot) = schema.slot(leaf) {
            if before.is_some_and(|before| before.leaf(slot) == row.leaf(slot)) {
                return;
            }
            if let Some(value) = effective_leaf(schema, node, row, leaf)
                && !self.is_satisfied(self.reference.value_type, value)
            {
                (self.report)(path_within(&self.path, schema, node, leaf, Entry::All));
            }
            return;
        }
        let index = schema.row_children_in(leaf).start;
        let empty = LeafList::new(false);
        let before = before.and_then(|before| before.leaf_list(index)).unwrap_or(&empty);
        if let Some(values) = row.leaf_list(index) {
            for item in before.by_key().differences(values.by_key()).filter(|item| item.after.is_some()) {
                self.value(node, value_of(item.key));
            }
        }
        for value in default_values(schema, node, row, leaf) {
            self.value(node, value);
        }
    }

    /// Checks a value of a leaf-list.
    fn value(&mut self, node: NodeId, value: &str) {
        if !self.is_satisfied(self.reference.value_type, value) {
            let entry = Entry::Value(value.into());
            (self.report)(path_within(&self.path, self.schema, node, self.reference.leaf, entry));
        }
    }

    /// Returns true if what a value of this type refers to exists. A value of a union belongs to
    /// one of the members that accept it, and need not be in the canonical form of this member: if
    /// the leafref before it refers to nothing, `04` is a number.
    fn is_satisfied(&mut self, value_type: TypeId, value: &str) -> bool {
        let schema = self.schema;
        self.targets.visited += 1;
        match &schema.value_type(value_type).kind {
            TypeKind::Leafref { steps, require_instance: true, .. } => {
                let from = (self.reference.leaf, &self.rows[..]);
                self.targets.exists(from, value_type, steps, value)
            }
            TypeKind::InstanceIdentifier { require_instance: true } => {
                let path = schema.instance_identifier(value).ok();
                path.is_some_and(|path| self.tree.contains(schema, &path))
            }
            // The schema has a maximum depth of unions.
            TypeKind::Union { members } => members.iter().any(|member| {
                let accepted = schema.canonical(*member, value, &ModuleNames::new(schema));
                accepted.is_ok_and(|accepted| self.is_satisfied(*member, &accepted))
            }),
            _ => true,
        }
    }
}
