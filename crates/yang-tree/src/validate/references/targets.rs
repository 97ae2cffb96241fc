//! Finds the values at the end of the paths of leafrefs.
//!
//! A value of the only unknown key of a list is looked up. For other paths, all values are
//! collected once for each start and each set of conditions.

use std::collections::{BTreeMap, BTreeSet};

use portreeve_yang::{
    LeafrefPath, LeafrefPredicate, LeafrefStart, LeafrefStep, NodeId, NodeKind, Schema, TypeId,
};

use super::{ancestor, is_list, row_at};
use crate::{
    Child, List, Row,
    defaults::{default_values, effective_leaf},
    keys::value_of,
};

/// The targets that are known so far.
pub(super) struct Targets<'c> {
    schema: &'c Schema,
    /// The values at the end of a path.
    values: BTreeMap<Start<'c>, BTreeSet<&'c str>>,
    /// The entries of a list by the values of the keys that the conditions of a path state.
    groups: BTreeMap<(*const List, *const LeafrefStep), Groups<'c>>,
    /// The number of rows and values that were visited.
    pub(super) visited: usize,
}

/// The type of a leafref, the row at the start of its path, and the values in its conditions.
type Start<'c> = (TypeId, *const Row, Conditions<'c>);

/// The values of the key leafs in the conditions of all steps, in sequence.
type Conditions<'c> = Vec<&'c str>;

type Groups<'c> = BTreeMap<Vec<&'c str>, Vec<&'c Row>>;

/// A leaf with the rows above it.
type From<'a, 'c> = (NodeId, &'a [(NodeId, &'c Row)]);

impl<'c> Targets<'c> {
    pub(super) fn new(schema: &'c Schema) -> Self {
        Self { schema, values: BTreeMap::new(), groups: BTreeMap::new(), visited: 0 }
    }

    /// Returns true if a path leads to an instance with this value.
    pub(super) fn exists(
        &mut self,
        from: From<'_, 'c>,
        value_type: TypeId,
        path: &'c LeafrefPath,
        value: &str,
    ) -> bool {
        let schema = self.schema;
        let start = match path.start {
            LeafrefStart::Root => Some(NodeId::ROOT),
            LeafrefStart::Up(levels) => ancestor(schema, from.0, levels),
        };
        let Some(row) = start.and_then(|start| self.row_with(from, start)) else { return false };
        let predicates = path.steps.iter().flat_map(|step| &step.predicates);
        // No entry matches a leaf that does not exist.
        let conditions = predicates.map(|predicate| self.condition(from, predicate));
        let Some(conditions) = conditions.collect::<Option<Conditions<'c>>>() else { return false };
        if self.is_looked_up(&path.steps) {
            return self.find(&path.steps, row, &conditions, value);
        }
        let start = (value_type, std::ptr::from_ref(row), conditions);
        if let Some(values) = self.values.get(&start) {
            return values.contains(value);
        }
        let mut values = BTreeSet::new();
        self.collect(&path.steps, row, &start.2, &mut values);
        let exists = values.contains(value);
        self.values.insert(start, values);
        exists
    }

    /// Returns the row that is this node or contains it, among those above the leaf.
    fn row_with(&self, from: From<'_, 'c>, node: NodeId) -> Option<&'c Row> {
        let row = row_at(self.schema, node)?;
        from.1.iter().find(|(other, _)| *other == row).map(|(_, row)| *row)
    }

    /// Returns the value that a condition states for its key.
    fn condition(&self, from: From<'_, 'c>, predicate: &LeafrefPredicate) -> Option<&'c str> {
        let schema = self.schema;
        let start = ancestor(schema, from.0, predicate.up)?;
        let (leaf, containers) = predicate.steps.split_last()?;
        let mut row = self.row_with(from, start)?;
        for container in containers {
            if !schema.node(*container).is_plain_container() {
                row = row.container(schema.row_children_in(*container).start)?;
            }
        }
        effective_leaf(schema, schema.row_of(*leaf)?, row, *leaf)
    }

    /// Returns true if a value is found without a visit of more than one entry of each list. The
    /// conditions state all keys, or the target is a key of the last list and is with them the
    /// first keys of this list.
    fn is_looked_up(&self, steps: &[LeafrefStep]) -> bool {
        let mut lists = steps.iter().enumerate().filter(|(_, step)| is_list(self.schema, step.node));
        let all = lists.all(|(number, step)| {
            let target = steps.get(number + 1).filter(|_| number + 2 == steps.len()).map(|next| next.node);
            let keys = self.schema.keys(step.node);
            let is_known = |key: &&NodeId| {
                target == Some(**key) || step.predicates.iter().any(|predicate| predicate.key == **key)
            };
            let (known, all) =
                (keys.iter().take_while(is_known).count(), keys.iter().filter(is_known).count());
            known == keys.len() || (known == all && target.is_some_and(|target| keys.contains(&target)))
        });
        all && steps.iter().any(|step| is_list(self.schema, step.node))
    }

    /// Looks up a target with this value below a row.
    fn find(&mut self, steps: &'c [LeafrefStep], row: &'c Row, conditions: &[&'c str], value: &str) -> bool {
        let schema = self.schema;
        let Some((step, rest)) = steps.split_first() else { return false };
        if let NodeKind::Container(container) = &schema.node(step.node).kind
            && !container.presence
        {
            return self.find(rest, row, conditions, value);
        }
        match row.child(schema.row_children_in(step.node).start) {
            Some(Child::Container(row)) => self.find(rest, row, conditions, value),
            Some(Child::List(list)) => {
                let (known, conditions) = split(step, conditions);
                let target = rest.first().map(|next| next.node);
                let key = self.key_prefix(step, |key| {
                    known_key(step, known, key).or(Some(value).filter(|_| target == Some(key)))
                });
                let first = key.as_deref().and_then(|key| list.by_key().starting_at(key).next());
                let entry =
                    first.filter(|(found, _)| key.is_some_and(|key| found.as_octets().starts_with(&key)));
                // The conditions can state the target as well, with another value.
                entry.is_some_and(|(_, row)| self.find(rest, row, conditions, value))
            }
            _ => match steps {
                [last] => self.is_value(last.node, row, value),
                _ => false,
            },
        }
    }

    /// Returns true if a leaf or leaf-list in a row has this value.
    fn is_value(&self, node: NodeId, row: &Row, value: &str) -> bool {
        let mut values = BTreeSet::new();
        self.add_values(node, row, &mut values);
        values.contains(value)
    }

    /// Collects the values of all targets below a row.
    fn collect(
        &mut self,
        steps: &'c [LeafrefStep],
        row: &'c Row,
        conditions: &[&'c str],
        values: &mut BTreeSet<&'c str>,
    ) {
        let schema = self.schema;
        self.visited += 1;
        let Some((step, rest)) = steps.split_first() else { return };
        match &schema.node(step.node).kind {
            NodeKind::Leaf(_) | NodeKind::LeafList(_) => self.add_values(step.node, row, values),
            NodeKind::Container(container) if !container.presence => {
                self.collect(rest, row, conditions, values);
            }
            _ => match row.child(schema.row_children_in(step.node).start) {
                Some(Child::Container(row)) => self.collect(rest, row, conditions, values),
                Some(Child::List(list)) => {
                    let (known, conditions) = split(step, conditions);
                    for row in self.entries(step, list, known) {
                        self.collect(rest, row, conditions, values);
                    }
                }
                _ => {}
            },
        }
    }

    fn add_values<'v>(&self, node: NodeId, row: &'v Row, values: &mut BTreeSet<&'v str>)
    where
        'c: 'v,
    {
        let Some(row_node) = self.schema.row_of(node) else { return };
        if self.schema.leaf_list(node).is_none() {
            values.extend(effective_leaf(self.schema, row_node, row, node));
            return;
        }
        if let Some(found) = row.leaf_list(self.schema.row_children_in(node).start) {
            values.extend(found.by_key().iter().map(|(key, ())| value_of(key)));
        }
        values.extend(default_values(self.schema, row_node, row, node).iter().map(|value| &**value));
    }

    /// Returns the entries of a list that match the conditions of a step.
    fn entries(&mut self, step: &'c LeafrefStep, list: &'c List, known: &[&'c str]) -> Vec<&'c Row> {
        let all = || list.by_key().iter().map(|(_, row)| &**row);
        if known.is_empty() {
            return all().collect();
        }
        let keys = self.schema.keys(step.node).iter();
        let first_keys = keys.take_while(|key| known_key(step, known, **key).is_some()).count();
        if first_keys == known.len()
            && let Some(prefix) = self.key_prefix(step, |key| known_key(step, known, key))
        {
            let matching = list.by_key().starting_at(&prefix);
            let matching = matching.take_while(|(key, _)| key.as_octets().starts_with(&prefix));
            return matching.map(|(_, row)| &**row).collect();
        }
        let place = (std::ptr::from_ref(list), std::ptr::from_ref(step));
        let (schema, visited) = (self.schema, &mut self.visited);
        let groups = self.groups.entry(place).or_insert_with(|| {
            let mut groups = Groups::new();
            for row in all() {
                *visited += 1;
                let keys = step.predicates.iter().map(|predicate| row.leaf(schema.slot(predicate.key)?));
                if let Some(keys) = keys.collect() {
                    groups.entry(keys).or_default().push(row);
                }
            }
            groups
        });
        groups.get(known).cloned().unwrap_or_default()
    }

    /// Returns the octets with which the keys of entries begin whose first keys have these values.
    fn key_prefix<'v>(
        &self,
        step: &LeafrefStep,
        value: impl Fn(NodeId) -> Option<&'v str>,
    ) -> Option<Vec<u8>> {
        let mut prefix = Vec::new();
        for key in self.schema.keys(step.node) {
            let Some(value) = value(*key) else { break };
            self.schema.encode_key_value(self.schema.type_of(*key)?, value, &mut prefix).ok()?;
        }
        Some(prefix)
    }
}

/// Divides the values of conditions into those of a step and those of the steps after it.
fn split<'k, 'c>(step: &LeafrefStep, conditions: &'k [&'c str]) -> (&'k [&'c str], &'k [&'c str]) {
    conditions.split_at_checked(step.predicates.len()).unwrap_or_default()
}

/// Returns the value that the conditions of a step state for a key.
fn known_key<'c>(step: &LeafrefStep, known: &[&'c str], key: NodeId) -> Option<&'c str> {
    let mut conditions = step.predicates.iter().zip(known);
    conditions.find(|(predicate, _)| predicate.key == key).map(|(_, value)| *value)
}
