//! Looks up the list entries whose keys are in the filter, one in each step.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::DataTree;
use super::super::plan::{Matches, Plan, PlanId};

/// The filter nodes for one kind of children, divided: entries of those with all keys are looked
/// up.
pub(super) struct LookUp<T: DataTree> {
    plans: Vec<PlanId>,
    /// Index of the next filter node.
    next: usize,
    /// The filter nodes for which all children are looked at.
    others: Vec<PlanId>,
    found: Vec<(T::Node, PlanId)>,
}

/// A list entry, and the filter nodes with its keys.
pub(super) type Found<T> = (<T as DataTree>::Node, Arc<[PlanId]>);

impl<T: DataTree> LookUp<T> {
    pub(super) fn new(plans: Vec<PlanId>) -> Self {
        Self { plans, next: 0, others: Vec::new(), found: Vec::new() }
    }

    /// Handles one filter node. Returns false after the last one.
    pub(super) fn step(&mut self, plan: &Plan<T>, tree: &T, parent: &T::Node, kind: T::Kind) -> bool {
        let Some(id) = self.plans.get(self.next).copied() else { return false };
        self.next += 1;
        match plan.get(id).map(|node| &node.matches) {
            Some(Matches::Descendants(containment)) if !containment.keys.is_empty() => {
                let keys = containment.keys.iter().filter_map(|(kind, id)| Some((*kind, plan.value(*id)?)));
                let keys: Vec<_> = keys.collect();
                self.found.extend(tree.find_entry(parent, kind, &keys).map(|entry| (entry, id)));
            }
            _ => self.others.push(id),
        }
        true
    }

    /// Returns the number of entries that have been found.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    /// Returns the filter nodes for which all children are looked at, and the entries in the order
    /// of the output.
    pub(super) fn finish(mut self, tree: &T) -> (Vec<PlanId>, VecDeque<Found<T>>) {
        self.found.sort_by(|(one, _), (other, _)| tree.compare_entries(one, other));
        let mut entries: Vec<(T::Node, Vec<PlanId>)> = Vec::with_capacity(self.found.len());
        for (node, id) in self.found {
            match entries.last_mut() {
                Some((last, plans)) if tree.compare_entries(last, &node).is_eq() => plans.push(id),
                _ => entries.push((node, vec![id])),
            }
        }
        (self.others, entries.into_iter().map(|(node, plans)| (node, plans.into())).collect())
    }
}
