//! Finds leafrefs and instance identifiers that lead to no instance (RFC 7950 §9.9, §9.13).

use std::collections::{BTreeMap, BTreeSet};

use portreeve_yang::{
    Entry, InstancePath, LeafrefPath, LeafrefStart, LeafrefStep, ModuleNames, NodeId, NodeKind, Schema,
    TypeId, TypeKind,
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
    /// The nodes of all rows, and the leaf-lists, that the check reads; none if it can read all.
    reads: Option<BTreeSet<NodeId>>,
}

/// Returns all references of a schema.
pub(super) fn all(schema: &Schema) -> Vec<Reference> {
    let config = schema.nodes().filter(|(_, node)| node.config);
    config.filter_map(|(leaf, _)| Reference::new(schema, leaf)).collect()
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
        let mut reads = BTreeSet::new();
        let has_all = match add_reads(schema, value_type, &mut reads) {
            Reads::Nothing => return None,
            Reads::Paths => false,
            Reads::Anything => true,
        };
        reads.extend(rows.iter().copied().chain([leaf]));
        Some(Self { leaf, value_type, rows, reads: (!has_all).then_some(reads) })
    }

    /// Returns true if the check reads one of these rows or leaf-lists.
    pub(super) fn reads(&self, changed: &BTreeSet<NodeId>) -> bool {
        match &self.reads {
            Some(reads) => !reads.is_disjoint(changed),
            None => !changed.is_empty(),
        }
    }

    /// Reports each instance whose value does not exist at the end of the path.
    pub(super) fn check(&self, schema: &Schema, tree: &Tree, report: &mut dyn FnMut(InstancePath)) {
        let mut check = ReferenceCheck {
            schema,
            tree,
            reference: self,
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
    tree: &'c Tree,
    reference: &'c Reference,
    /// The rows above the leaf.
    rows: Vec<(NodeId, &'c Row)>,
    path: InstancePath,
    /// The values at the end of the path of a leafref, by the address of the row at its start, if
    /// it has no conditions.
    values: BTreeMap<(TypeId, *const Row), BTreeSet<&'c str>>,
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
                    && !self.is_satisfied(self.reference.value_type, value)
                {
                    (self.report)(path_within(&self.path, schema, node, leaf, Entry::All));
                }
            }
            None => {
                let values = row.leaf_list(schema.row_children_in(leaf).start);
                for (key, ()) in values.iter().flat_map(|values| values.by_key()) {
                    if !self.is_satisfied(self.reference.value_type, value_of(key)) {
                        (self.report)(path_within(&self.path, schema, node, leaf, entry_of_value(key)));
                    }
                }
            }
        }
    }

    /// Returns true if what a value of this type refers to exists. A value of a union is a value of
    /// one of its members that accept it.
    fn is_satisfied(&mut self, value_type: TypeId, value: &str) -> bool {
        let schema = self.schema;
        match &schema.value_type(value_type).kind {
            TypeKind::Leafref { steps, require_instance: true, .. } => self.exists(value_type, steps, value),
            TypeKind::InstanceIdentifier { require_instance: true } => {
                let path = schema.instance_identifier(value).ok();
                path.is_some_and(|path| self.tree.contains(schema, &path))
            }
            // The schema has a maximum depth of unions.
            TypeKind::Union { members } => members.iter().any(|member| {
                let accepted = schema.canonical(*member, value, &ModuleNames::new(schema));
                accepted.is_ok_and(|accepted| accepted == value) && self.is_satisfied(*member, value)
            }),
            _ => true,
        }
    }

    fn exists(&mut self, value_type: TypeId, target: &'c LeafrefPath, value: &str) -> bool {
        let start = match target.start {
            LeafrefStart::Root => Some(NodeId::ROOT),
            LeafrefStart::Up(levels) => self.ancestor(levels),
        };
        let Some(row) = start.and_then(|start| self.row_with(start)) else { return false };
        let has_conditions = target.steps.iter().any(|step| !step.predicates.is_empty());
        if has_conditions || self.ends_at_key(&target.steps) {
            return self.find(&target.steps, row, value);
        }
        let place = (value_type, std::ptr::from_ref(row));
        if let Some(values) = self.values.get(&place) {
            return values.contains(value);
        }
        let mut values = BTreeSet::new();
        self.collect(&target.steps, row, &mut values);
        let exists = values.contains(value);
        self.values.insert(place, values);
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
    fn ends_at_key(&self, steps: &[LeafrefStep]) -> bool {
        let lists = steps.iter().filter(|step| matches!(self.schema.node(step.node).kind, NodeKind::List(_)));
        let last = steps.last().map(|step| step.node);
        let mut lists = lists.map(|step| self.schema.keys(step.node));
        lists.next().is_some_and(|list| list == last.as_slice()) && lists.next().is_none()
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

/// The instances that the check of a type reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reads {
    /// The type refers to nothing that has to exist.
    Nothing,
    /// The paths of leafrefs.
    Paths,
    /// Any instance.
    Anything,
}

/// Adds the rows and leaf-lists on the paths of a type's leafrefs.
fn add_reads(schema: &Schema, value_type: TypeId, reads: &mut BTreeSet<NodeId>) -> Reads {
    match &schema.value_type(value_type).kind {
        TypeKind::Leafref { steps, require_instance: true, .. } => {
            for step in &steps.steps {
                let predicates = step.predicates.iter().flat_map(|predicate| predicate.steps.iter().copied());
                for node in predicates.chain([step.node]) {
                    reads.extend(schema.row_of(node).into_iter().chain([node]));
                }
            }
            Reads::Paths
        }
        TypeKind::InstanceIdentifier { require_instance: true } => Reads::Anything,
        // The schema has a maximum depth of unions.
        TypeKind::Union { members } => {
            let members = members.iter().map(|member| add_reads(schema, *member, reads));
            members.max().unwrap_or(Reads::Nothing)
        }
        _ => Reads::Nothing,
    }
}
