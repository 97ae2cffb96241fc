//! Combines the changes of two versions since a common one.

use std::sync::Arc;

use portreeve_yang::{Entry, InstancePath, NodeId, Schema};

use crate::{
    Child, DifferenceItem, IsSame, LeafList, Leafs, List, Row, Tree,
    cases::crowded_choice,
    entries::Entries,
    pairs::changed_children,
    path::{entry_of_row, path_within, pop_steps, push_within},
    row::Children,
};

/// Maximum number of conflicts that are reported.
pub const MAX_CONFLICTS: usize = 100;

/// Two versions have different changes of the same nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflicts {
    /// The nodes, at most [`MAX_CONFLICTS`].
    pub paths: Vec<InstancePath>,
}

impl Tree {
    /// Returns this version with the changes from `base` to `other`: the same version if it has all
    /// of them already. Parts that the versions share take no time.
    ///
    /// # Errors
    /// Both versions changed a leaf to different values, both created a row with different content,
    /// only one of them removed a row that the other changed, both changed the sequence of a list
    /// that the user orders, or each of them set another case of a choice. A change that both
    /// versions made alike does not conflict.
    pub fn merge(&self, schema: &Schema, base: &Self, other: &Self) -> Result<Self, Conflicts> {
        let mut merge = Merge { schema, path: InstancePath::new(), conflicts: Vec::new() };
        let root = merge.rows(NodeId::ROOT, Some(base.root()), self.root(), other.root());
        match merge.conflicts.is_empty() {
            true => Ok(self.with_root(root)),
            false => Err(Conflicts { paths: merge.conflicts }),
        }
    }
}

struct Merge<'s> {
    schema: &'s Schema,
    /// The row that is being merged.
    path: InstancePath,
    conflicts: Vec<InstancePath>,
}

impl Merge<'_> {
    fn rows(
        &mut self,
        node: NodeId,
        base: Option<&Arc<Row>>,
        ours: &Arc<Row>,
        theirs: &Arc<Row>,
    ) -> Arc<Row> {
        let is_base = |row| base.is_some_and(|base| Arc::ptr_eq(base, row));
        if Arc::ptr_eq(ours, theirs) || is_base(theirs) {
            return ours.clone();
        }
        if is_base(ours) {
            return theirs.clone();
        }
        let empty = Arc::default();
        let base = base.unwrap_or(&empty);
        let conflicts = self.conflicts.len();
        let leafs = self.leafs(node, &base.leafs, &ours.leafs, &theirs.leafs);
        let children = self.children(node, base, ours, theirs);
        if leafs == ours.leafs && children.is_same_version(&ours.children) {
            return ours.clone();
        }
        let row = Row { leafs, children };
        // A conflict of leafs in different cases is one conflict.
        if self.conflicts.len() == conflicts && crowded_choice(self.schema, node, &row).is_some() {
            self.conflict(self.path.clone());
        }
        Arc::new(row)
    }

    fn leafs(&mut self, node: NodeId, base: &Leafs, ours: &Leafs, theirs: &Leafs) -> Leafs {
        if theirs == base || theirs == ours {
            return ours.clone();
        }
        if ours == base {
            return theirs.clone();
        }
        let mut slots: Vec<_> = ours.iter().chain(theirs.iter()).map(|(slot, _)| slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let mut merged = Vec::with_capacity(slots.len());
        for slot in slots {
            let (base, ours, theirs) = (base.get(slot), ours.get(slot), theirs.get(slot));
            let value = if ours == base { theirs } else { ours };
            if ours != base && theirs != base && ours != theirs {
                self.conflict_at(node, self.schema.row_layout(node).slots.get(slot).copied(), Entry::All);
            }
            merged.extend(value.map(|value| (slot, value)));
        }
        Leafs::pack(merged.into_iter())
    }

    fn children(&mut self, node: NodeId, base: &Row, ours: &Row, theirs: &Row) -> Children {
        let mut merged = ours.children.clone();
        for (index, before, after) in changed_children(base, theirs) {
            let Some(child) = self.schema.row_layout(node).children.get(index).copied() else { continue };
            let current = ours.child(index);
            let result = self.child(node, child, before, current, after);
            match result {
                Some(result) => merged.set(index, result),
                None => merged.remove(index),
            }
        }
        merged
    }

    /// Merges a child that differs between the base and their version.
    fn child(
        &mut self,
        row: NodeId,
        node: NodeId,
        base: Option<&Child>,
        ours: Option<&Child>,
        theirs: Option<&Child>,
    ) -> Option<Child> {
        let any = ours.or(theirs).or(base)?;
        match any {
            Child::Container(_) => {
                let [base, ours, theirs] =
                    [base, ours, theirs].map(|child| child.and_then(Child::as_container));
                self.instances(row, node, base, ours, theirs).map(Child::Container)
            }
            Child::List(any) => {
                let empty = List::new(any.order().is_some());
                let versions =
                    [base, ours, theirs].map(|child| child.and_then(Child::as_list).unwrap_or(&empty));
                let merged = self.lists(row, node, versions);
                (!merged.is_empty()).then_some(Child::List(merged))
            }
            Child::LeafList(any) => {
                let empty = LeafList::new(any.order().is_some());
                let versions =
                    [base, ours, theirs].map(|child| child.and_then(Child::as_leaf_list).unwrap_or(&empty));
                let merged = self.leaf_lists(row, node, versions);
                (!merged.is_empty()).then_some(Child::LeafList(merged))
            }
        }
    }

    /// Merges three versions of a list entry or presence container.
    fn instances(
        &mut self,
        row: NodeId,
        node: NodeId,
        base: Option<&Arc<Row>>,
        ours: Option<&Arc<Row>>,
        theirs: Option<&Arc<Row>>,
    ) -> Option<Arc<Row>> {
        match (base, ours, theirs) {
            (_, None, None) => None,
            (None, Some(ours), Some(theirs)) => {
                if ours != theirs {
                    self.conflict_at(row, Some(node), entry_of_row(self.schema, node, ours));
                }
                Some(ours.clone())
            }
            (Some(_), Some(ours), Some(theirs)) => {
                let entry = entry_of_row(self.schema, node, ours);
                let steps = push_within(&mut self.path, self.schema, row, node, entry);
                let merged = self.rows(node, base, ours, theirs);
                pop_steps(&mut self.path, steps);
                Some(merged)
            }
            (None, Some(only), None) | (None, None, Some(only)) => Some(only.clone()),
            // One version removed what the other left as it was, or changed.
            (Some(base), Some(left), None) | (Some(base), None, Some(left)) => {
                if !Arc::ptr_eq(base, left) && base != left {
                    let entry = entry_of_row(self.schema, node, left);
                    self.conflict_at(row, Some(node), entry);
                }
                None
            }
        }
    }

    fn lists(&mut self, row: NodeId, node: NodeId, [base, ours, theirs]: [&List; 3]) -> List {
        let mut merged = ours.clone();
        for DifferenceItem { key, before, after } in base.by_key().differences(theirs.by_key()) {
            let current = ours.get(key.as_octets());
            match self.instances(row, node, before, current, after) {
                Some(entry) if current.is_some_and(|current| Arc::ptr_eq(current, &entry)) => continue,
                Some(entry) => merged.insert(key.clone(), entry),
                None => merged.remove(key.as_octets()),
            };
        }
        self.order(row, node, [base, ours, theirs], merged)
    }

    fn leaf_lists(&mut self, row: NodeId, node: NodeId, [base, ours, theirs]: [&LeafList; 3]) -> LeafList {
        let mut merged = ours.clone();
        for DifferenceItem { key, after, .. } in base.by_key().differences(theirs.by_key()) {
            match after {
                Some(()) if ours.get(key.as_octets()).is_some() => continue,
                Some(()) => merged.insert(key.clone(), ()),
                None => merged.remove(key.as_octets()),
            };
        }
        self.order(row, node, [base, ours, theirs], merged)
    }

    /// Gives the merged entries the sequence of the version that changed it.
    fn order<V: Clone + IsSame>(
        &mut self,
        row: NodeId,
        node: NodeId,
        [base, ours, theirs]: [&Entries<V>; 3],
        merged: Entries<V>,
    ) -> Entries<V> {
        let (Some(before), Some(current), Some(after)) = (base.order(), ours.order(), theirs.order()) else {
            return merged;
        };
        if after.is_same_sequence(before) || after.is_same_sequence(current) {
            return merged.with_order(Some(current.clone()));
        }
        if !current.is_same_sequence(before) {
            self.conflict_at(row, Some(node), Entry::All);
        }
        merged.with_order(Some(after.clone()))
    }

    fn conflict_at(&mut self, row: NodeId, node: Option<NodeId>, entry: Entry) {
        if let Some(node) = node {
            self.conflict(path_within(&self.path, self.schema, row, node, entry));
        }
    }

    fn conflict(&mut self, path: InstancePath) {
        if self.conflicts.len() < MAX_CONFLICTS && !self.conflicts.contains(&path) {
            self.conflicts.push(path);
        }
    }
}

impl std::fmt::Display for Conflicts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("both versions changed the same nodes")
    }
}

impl std::error::Error for Conflicts {}

#[cfg(test)]
mod tests;
