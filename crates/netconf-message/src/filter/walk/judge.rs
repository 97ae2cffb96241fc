//! The decision about one node, in steps: a leaf-list can have any number of values with which a
//! content match node is compared.
//!
//! ```text
//! filter node ─▶ attributes ─▶ content match node ─▶ value ─▶ value ─▶ … ─▶ next filter node
//! ```

use std::sync::Arc;

use super::super::plan::{Matches, Plan, PlanId};
use super::super::{DataTree, Filter};
use super::containment;

/// A decision that is not complete.
pub(super) struct Judging<T: DataTree> {
    pub(super) node: T::Node,
    /// `None` for the root.
    pub(super) kind: Option<T::Kind>,
    /// The filter nodes that could select it.
    plans: Arc<[PlanId]>,
    /// Index of the current one.
    next: usize,
    /// The state of its content match nodes, if there are any.
    search: Option<Search<T>>,
    /// The containment nodes that apply.
    active: Vec<PlanId>,
}

/// The search for a child with the value of a content match node.
struct Search<T: DataTree> {
    /// Index of the content match node.
    content: usize,
    /// Index of the kind of children: without a namespace, there can be several.
    alternative: usize,
    /// The last child with another value.
    previous: Option<T::Node>,
}

/// The result of a step.
pub(super) enum Verdict {
    /// There are more steps.
    Unknown,
    /// The node is selected with all its descendants.
    Whole,
    /// These containment nodes apply, maybe none.
    Descendants(Vec<PlanId>),
}

impl<T: DataTree> Search<T> {
    fn new(content: usize) -> Self {
        Self { content, alternative: 0, previous: None }
    }
}

impl<T: DataTree> Judging<T> {
    pub(super) fn new(node: T::Node, kind: Option<T::Kind>, plans: Arc<[PlanId]>) -> Self {
        Self { node, kind, plans, next: 0, search: None, active: Vec::new() }
    }

    /// Makes one comparison.
    pub(super) fn step(&mut self, plan: &Plan<T>, filter: &Filter, tree: &T) -> Verdict {
        let Some(id) = self.plans.get(self.next).copied() else {
            return Verdict::Descendants(std::mem::take(&mut self.active));
        };
        let Some(search) = &mut self.search else {
            match compare(plan, filter, tree, &self.node, id) {
                Comparison::Different => self.next += 1,
                Comparison::Equal => return Verdict::Whole,
                Comparison::Contents => self.search = Some(Search::new(0)),
            }
            return Verdict::Unknown;
        };
        let Some(containment) = containment(plan, id) else {
            self.next += 1;
            return Verdict::Unknown;
        };
        //= rfc6241#6.2.5-p3
        let Some(alternatives) = containment.contents.get(search.content) else {
            // All content match nodes match.
            self.search = None;
            self.next += 1;
            // The root itself is not part of the output.
            if containment.has_only_contents && self.kind.is_some() {
                return Verdict::Whole;
            }
            self.active.push(id);
            return Verdict::Unknown;
        };
        let Some((kind, content)) = alternatives.get(search.alternative).copied() else {
            self.search = None;
            self.next += 1;
            return Verdict::Unknown;
        };
        match tree.next_child(&self.node, kind, search.previous.as_ref()) {
            None => {
                search.alternative += 1;
                search.previous = None;
            }
            Some(leaf) if matches!(compare(plan, filter, tree, &leaf, content), Comparison::Equal) => {
                *search = Search::new(search.content + 1);
            }
            Some(leaf) => search.previous = Some(leaf),
        }
        Verdict::Unknown
    }
}

enum Comparison {
    /// The filter node does not select the node.
    Different,
    /// The filter node selects the node with all its descendants.
    Equal,
    /// The filter node applies if its content match nodes match.
    Contents,
}

/// Compares a node with a filter node, without its children.
fn compare<T: DataTree>(plan: &Plan<T>, filter: &Filter, tree: &T, node: &T::Node, id: PlanId) -> Comparison {
    let Some(plan) = plan.get(id) else { return Comparison::Different };
    let filter_node = plan.filter_node.and_then(|index| filter.nodes.get(index));
    //= rfc6241#6.2.2-p1
    let has_all =
        |filter_node| filter.attributes(filter_node).all(|attribute| tree.has_attribute(node, attribute));
    if !filter_node.is_none_or(has_all) {
        return Comparison::Different;
    }
    match &plan.matches {
        Matches::Whole => Comparison::Equal,
        Matches::Nothing => Comparison::Different,
        Matches::Value(value) if tree.is_equal(node, value) => Comparison::Equal,
        Matches::Value(_) => Comparison::Different,
        Matches::Descendants(_) => Comparison::Contents,
    }
}
