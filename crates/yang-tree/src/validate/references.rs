//! Finds leafrefs that lead to no instance (RFC 7950 §9.9).

use std::collections::{BTreeMap, BTreeSet};

use portreeve_yang::{
    Entry, InstancePath, LeafrefPath, LeafrefStart, LeafrefStep, NodeId, NodeKind, Schema, TypeId, TypeKind,
};

use crate::{
    Child, Row, Tree,
    defaults::effective_leaf,
    keys::value_of,
    path::{entry_of_row, entry_of_value, path_within, pop_steps, push_within},
};

/// A leaf or leaf-list whose values have to exist elsewhere.
pub(super) struct Reference {
    leaf: NodeId,
    value_type: TypeId,
    /// The rows above the leaf, from the top level to the one that contains it.
    rows: Vec<NodeId>,
    /// The nodes of all rows, and the leaf-lists, that the check reads.
    pub(super) reads: BTreeSet<NodeId>,
}

/// Returns all references of a schema.
pub(super) fn all(schema: &Schema) -> Vec<Reference> {
    let config = schema.nodes().filter(|(_, node)| node.config);
    config.filter_map(|(leaf, _)| Reference::new(schema, leaf)).collect()
}

impl Reference {
    fn new(schema: &Schema, leaf: NodeId) -> Option<Self> {
        let value_type = schema.type_of(leaf)?;
        let TypeKind::Leafref { steps, require_instance: true, .. } = &schema.value_type(value_type).kind
        else {
            return None;
        };
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
        let mut reads: BTreeSet<_> = rows.iter().copied().chain([leaf]).collect();
        for step in &steps.steps {
            let predicates = step.predicates.iter().flat_map(|predicate| predicate.steps.iter().copied());
            for node in predicates.chain([step.node]) {
                reads.extend(schema.row_of(node).into_iter().chain([node]));
            }
        }
        Some(Self { leaf, value_type, rows, reads })
    }

    /// Reports each instance whose value does not exist at the end of the path.
    pub(super) fn check(&self, schema: &Schema, tree: &Tree, report: &mut dyn FnMut(InstancePath)) {
        let TypeKind::Leafref { steps, .. } = &schema.value_type(self.value_type).kind else { return };
        let mut check = ReferenceCheck {
            schema,
            reference: self,
            target: steps,
            rows: Vec::new(),
            path: InstancePath::new(),
            values: BTreeMap::new(),
            report,
        };
        check.descend(NodeId::ROOT, tree.root());
    }
}

struct ReferenceCheck<'c> {
    schema: &'c Schema,
    reference: &'c Reference,
    target: &'c LeafrefPath,
    /// The rows above the leaf.
    rows: Vec<(NodeId, &'c Row)>,
    path: InstancePath,
    /// The values at the end of the path, by the address of the row at its start, if it has no
    /// conditions.
    values: BTreeMap<*const Row, BTreeSet<&'c str>>,
    report: &'c mut dyn FnMut(InstancePath),
}

impl<'c> ReferenceCheck<'c> {
    /// Examines the instances in a row and below it.
    fn descend(&mut self, node: NodeId, row: &'c Row) {
        let schema = self.schema;
        self.rows.push((node, row));
        match self.reference.rows.get(self.rows.len()) {
            None => self.instances(node, row),
            Some(next) => match row.child(schema.row_children_in(*next).start) {
                Some(Child::Container(row)) => self.enter(node, *next, row),
                Some(Child::List(list)) => {
                    list.by_key().iter().for_each(|(_, row)| self.enter(node, *next, row))
                }
                _ => {}
            },
        }
        self.rows.pop();
    }

    fn enter(&mut self, parent: NodeId, node: NodeId, row: &'c Row) {
        let entry = entry_of_row(self.schema, node, row);
        let steps = push_within(&mut self.path, self.schema, parent, node, entry);
        self.descend(node, row);
        pop_steps(&mut self.path, steps);
    }

    fn instances(&mut self, node: NodeId, row: &'c Row) {
        let (schema, leaf) = (self.schema, self.reference.leaf);
        match schema.slot(leaf) {
            Some(_) => {
                if let Some(value) = self.leaf(leaf, row)
                    && !self.exists(value)
                {
                    (self.report)(path_within(&self.path, schema, node, leaf, Entry::All));
                }
            }
            None => {
                let values = row.leaf_list(schema.row_children_in(leaf).start);
                for (key, ()) in values.iter().flat_map(|values| values.by_key()) {
                    if !self.exists(value_of(key)) {
                        (self.report)(path_within(&self.path, schema, node, leaf, entry_of_value(key)));
                    }
                }
            }
        }
    }

    fn exists(&mut self, value: &str) -> bool {
        let start = match self.target.start {
            LeafrefStart::Root => Some(NodeId::ROOT),
            LeafrefStart::Up(levels) => self.ancestor(levels),
        };
        let Some(row) = start.and_then(|start| self.row_with(start)) else { return false };
        let has_conditions = self.target.steps.iter().any(|step| !step.predicates.is_empty());
        if has_conditions || self.ends_at_key() {
            return self.find(&self.target.steps, row, value);
        }
        if let Some(values) = self.values.get(&std::ptr::from_ref(row)) {
            return values.contains(value);
        }
        let mut values = BTreeSet::new();
        self.collect(&self.target.steps, row, &mut values);
        let exists = values.contains(value);
        self.values.insert(std::ptr::from_ref(row), values);
        exists
    }

    /// Returns the data node so many levels above the leaf.
    fn ancestor(&self, levels: u16) -> Option<NodeId> {
        (0..levels).try_fold(self.reference.leaf, |node, _| self.schema.data_parent(node))
    }

    /// Returns the row that is this node or contains it, among those above the leaf.
    fn row_with(&self, node: NodeId) -> Option<&'c Row> {
        let row = if self.schema.node(node).is_row() { node } else { self.schema.row_of(node)? };
        self.rows.iter().find(|(other, _)| *other == row).map(|(_, row)| *row)
    }

    /// Returns true if the path leads through containers to the only key of a list, where a value
    /// is found without a search.
    fn ends_at_key(&self) -> bool {
        let lists = self
            .target
            .steps
            .iter()
            .filter(|step| matches!(self.schema.node(step.node).kind, NodeKind::List(_)));
        let keys = self.target.steps.last().map(|step| step.node);
        let mut lists = lists.map(|step| self.schema.keys(step.node));
        lists.next().is_some_and(|list| list == keys.as_slice()) && lists.next().is_none()
    }

    /// Returns true if a target with this value exists below a row.
    fn find(&self, steps: &[LeafrefStep], row: &'c Row, value: &str) -> bool {
        let schema = self.schema;
        let Some((step, rest)) = steps.split_first() else { return false };
        let child = || row.child(schema.row_children_in(step.node).start);
        match &schema.node(step.node).kind {
            NodeKind::Leaf(_) => self.leaf(step.node, row) == Some(value),
            NodeKind::Container(container) if !container.presence => self.find(rest, row, value),
            _ => match child() {
                Some(Child::Container(row)) => self.find(rest, row, value),
                Some(Child::LeafList(values)) => values.get(value.as_bytes()).is_some(),
                Some(Child::List(list)) => {
                    let Some(conditions) = self.conditions(step) else { return false };
                    let keys = schema.keys(step.node);
                    let known =
                        keys.iter().map(|key| match conditions.iter().find(|(other, _)| other == key) {
                            Some((_, value)) => Some(*value),
                            None => rest.first().filter(|next| next.node == *key).map(|_| value),
                        });
                    if let Some(values) = known.collect::<Option<Vec<_>>>() {
                        let key = schema.encode_key(step.node, values).ok();
                        let entry = key.and_then(|key| list.get(&key));
                        return entry.is_some_and(|row| self.find(rest, row, value));
                    }
                    let is_match = |row: &Row| {
                        conditions.iter().all(|(key, wanted)| {
                            schema.slot(*key).and_then(|slot| row.leaf(slot)) == Some(*wanted)
                        })
                    };
                    list.by_key().iter().any(|(_, row)| is_match(row) && self.find(rest, row, value))
                }
                None => false,
            },
        }
    }

    /// Returns the key leafs that the conditions of a step state, with their values. None if a leaf
    /// that they name does not exist: no entry matches then.
    fn conditions(&self, step: &LeafrefStep) -> Option<Vec<(NodeId, &'c str)>> {
        let conditions = step.predicates.iter().map(|predicate| {
            let start = self.ancestor(predicate.up)?;
            let (leaf, containers) = predicate.steps.split_last()?;
            let mut row = self.row_with(start)?;
            for container in containers {
                if !self.schema.node(*container).is_plain_container() {
                    row = row.container(self.schema.row_children_in(*container).start)?;
                }
            }
            Some((predicate.key, row.leaf(self.schema.slot(*leaf)?)?))
        });
        conditions.collect()
    }

    /// Returns the value or default of a leaf in its row.
    fn leaf(&self, leaf: NodeId, row: &'c Row) -> Option<&'c str> {
        effective_leaf(self.schema, self.schema.row_of(leaf)?, row, leaf)
    }

    /// Collects the values of all targets below a row.
    fn collect(&self, steps: &[LeafrefStep], row: &'c Row, values: &mut BTreeSet<&'c str>) {
        let schema = self.schema;
        let Some((step, rest)) = steps.split_first() else { return };
        match &schema.node(step.node).kind {
            NodeKind::Leaf(_) => values.extend(self.leaf(step.node, row)),
            NodeKind::Container(container) if !container.presence => self.collect(rest, row, values),
            _ => match row.child(schema.row_children_in(step.node).start) {
                Some(Child::Container(row)) => self.collect(rest, row, values),
                Some(Child::LeafList(found)) => {
                    values.extend(found.by_key().iter().map(|(key, ())| value_of(key)))
                }
                Some(Child::List(list)) => {
                    list.by_key().iter().for_each(|(_, row)| self.collect(rest, row, values));
                }
                None => {}
            },
        }
    }
}
