//! A filter resolved against the kinds of a tree: names are looked up and values are read once,
//! not for each node of the tree.

use std::ops::Range;
use std::rc::Rc;

use super::{ContentMatch, DataTree, Filter, FilterNode, MAX_FILTER_NODES, TooManyStepsError};

/// Index of a [`PlanNode`].
pub(super) type PlanId = usize;

/// The resolved filter.
pub(super) struct Plan<T: DataTree> {
    nodes: Vec<PlanNode<T>>,
    /// The sibling sets of the root, one for each namespace (RFC 6241 §6.3).
    pub(super) roots: Vec<PlanId>,
}

/// A filter node, applied to nodes of one kind.
pub(super) struct PlanNode<T: DataTree> {
    /// Index of the filter node, unless this is a sibling set of the root.
    pub(super) filter_node: Option<usize>,
    pub(super) matches: Matches<T>,
}

/// The condition under which a node is selected.
pub(super) enum Matches<T: DataTree> {
    /// The node and its descendants are selected.
    Whole,
    /// A leaf is selected if it has this value.
    Value(T::Value),
    /// Nothing is selected: a content match node matches no leaf that could exist.
    Nothing,
    /// Descendants are selected.
    Descendants(Containment<T>),
}

/// A containment node.
pub(super) struct Containment<T: DataTree> {
    /// The content match nodes, all of which must match a child. One without a namespace can match
    /// several kinds.
    pub(super) contents: Vec<Vec<(T::Kind, PlanId)>>,
    /// The content match nodes of all keys, if this is a list.
    pub(super) keys: Vec<(T::Kind, PlanId)>,
    /// True if there are only content match nodes, so that all children are selected.
    pub(super) has_only_contents: bool,
    /// The kinds of children of which some can be selected, in the order of the output.
    pub(super) children: Vec<ChildPlan<T>>,
}

/// The filter nodes for children of one kind.
pub(super) struct ChildPlan<T: DataTree> {
    /// Position of the kind among those of its parent.
    pub(super) position: usize,
    pub(super) kind: T::Kind,
    pub(super) plans: Vec<PlanId>,
}

impl<T: DataTree> Clone for ChildPlan<T> {
    fn clone(&self) -> Self {
        Self { position: self.position, kind: self.kind, plans: self.plans.clone() }
    }
}

impl<T: DataTree> Plan<T> {
    /// Resolves a filter. Removes a step from `steps` for each filter node and kind that is looked
    /// at.
    pub(super) fn new(filter: &Filter, tree: &T, steps: &mut u64) -> Result<Self, TooManyStepsError> {
        let mut resolver = Resolver {
            filter,
            tree,
            steps,
            plan: Self { nodes: Vec::new(), roots: Vec::new() },
            kinds: Vec::new(),
        };
        resolver.resolve_roots()?;
        Ok(resolver.plan)
    }

    pub(super) fn get(&self, id: PlanId) -> Option<&PlanNode<T>> {
        self.nodes.get(id)
    }

    /// Returns the value of a content match node.
    pub(super) fn value(&self, id: PlanId) -> Option<&T::Value> {
        match self.get(id).map(|node| &node.matches) {
            Some(Matches::Value(value)) => Some(value),
            _ => None,
        }
    }
}

struct Resolver<'r, T: DataTree> {
    filter: &'r Filter,
    tree: &'r T,
    steps: &'r mut u64,
    plan: Plan<T>,
    /// The children of the kinds that have been looked at.
    kinds: Vec<(T::Kind, Rc<Kinds<T>>)>,
}

/// The kinds of children of one kind.
struct Kinds<T: DataTree> {
    /// The kinds with their positions, by name.
    by_name: Vec<(usize, T::Kind)>,
    keys: Vec<T::Kind>,
}

impl<T: DataTree> Kinds<T> {
    fn new(tree: &T, kinds: impl Iterator<Item = (usize, T::Kind)>) -> Self {
        let mut by_name: Vec<_> = kinds.collect();
        let keys = by_name.iter().map(|(_, kind)| *kind).filter(|kind| tree.is_key(*kind)).collect();
        by_name.sort_by(|(_, one), (_, other)| tree.name(*one).cmp(tree.name(*other)));
        Self { by_name, keys }
    }

    /// Returns the kinds with this name.
    fn find(&self, tree: &T, name: &str) -> &[(usize, T::Kind)] {
        let start = self.by_name.partition_point(|(_, kind)| tree.name(*kind) < name);
        let rest = self.by_name.get(start..).unwrap_or_default();
        rest.get(..rest.partition_point(|(_, kind)| tree.name(*kind) == name)).unwrap_or_default()
    }
}

impl<T: DataTree> Resolver<'_, T> {
    /// Resolves the elements directly within `filter`: those of each namespace are one sibling set.
    fn resolve_roots(&mut self) -> Result<(), TooManyStepsError> {
        //= rfc6241#6.4.2-p1
        if self.filter.is_empty() {
            return Ok(());
        }
        let kinds: Vec<_> = self.tree.child_kinds(None).enumerate().collect();
        let mut namespaces: Vec<&str> = kinds.iter().map(|(_, kind)| self.tree.namespace(*kind)).collect();
        namespaces.sort_unstable();
        namespaces.dedup();
        let tree = self.tree;
        //= rfc6241#6.3-p1
        for namespace in namespaces {
            let in_namespace = kinds.iter().filter(|(_, kind)| tree.namespace(*kind) == namespace);
            let in_namespace = Kinds::new(tree, in_namespace.copied());
            let range = 0..self.filter.nodes.len();
            let matches = self.resolve_siblings(range, &in_namespace, Some(namespace))?;
            if let Matches::Descendants(containment) = &matches {
                if containment.children.is_empty() {
                    continue;
                }
                let id = self.add(None, matches)?;
                self.plan.roots.push(id);
            }
        }
        Ok(())
    }

    fn resolve(
        &mut self,
        index: usize,
        node: &FilterNode,
        kind: T::Kind,
    ) -> Result<PlanId, TooManyStepsError> {
        let matches = match &node.content {
            Some(content) => {
                let content = ContentMatch { filter: self.filter, content };
                self.tree.value(kind, content).map_or(Matches::Nothing, Matches::Value)
            }
            //= rfc6241#6.2.4-p1
            None if node.end == index + 1 => Matches::Whole,
            None => {
                let kinds = self.kinds_below(kind)?;
                //= rfc6241#6.2.3-p1
                self.resolve_siblings(index + 1..node.end, &kinds, None)?
            }
        };
        self.add(Some(index), matches)
    }

    /// Returns the kinds of children of a kind, which are collected once.
    fn kinds_below(&mut self, parent: T::Kind) -> Result<Rc<Kinds<T>>, TooManyStepsError> {
        if let Some((_, kinds)) = self.kinds.iter().find(|(known, _)| *known == parent) {
            return Ok(Rc::clone(kinds));
        }
        let kinds = Rc::new(Kinds::new(self.tree, self.tree.child_kinds(Some(parent)).enumerate()));
        self.count(kinds.by_name.len() + self.kinds.len())?;
        self.kinds.push((parent, Rc::clone(&kinds)));
        Ok(kinds)
    }

    /// Resolves a sibling set. Recursion is limited by the depth of XML.
    fn resolve_siblings(
        &mut self,
        range: Range<usize>,
        kinds: &Kinds<T>,
        only_namespace: Option<&str>,
    ) -> Result<Matches<T>, TooManyStepsError> {
        let (filter, tree) = (self.filter, self.tree);
        let is_wanted = |node: &FilterNode| match (only_namespace, node.namespace) {
            (Some(only), Some(id)) => filter.namespace(Some(id)) == only,
            _ => true,
        };
        let siblings: Vec<(usize, &FilterNode)> =
            filter.siblings(range).filter(|(_, node)| is_wanted(node)).collect();
        self.count(siblings.len())?;

        let mut children: Vec<ChildPlan<T>> = Vec::new();
        let mut contents: Vec<(usize, T::Kind, PlanId)> = Vec::new();
        for (index, node) in &siblings {
            for (position, kind) in kinds.find(tree, &node.local) {
                //= rfc6241#6.2.1-p1
                let namespace = node.namespace.map(|id| filter.namespace(Some(id)));
                //= rfc6241#6.2.1-p2
                if namespace.is_some_and(|namespace| namespace != tree.namespace(*kind)) {
                    continue;
                }
                let id = self.resolve(*index, node, *kind)?;
                let is_possible =
                    self.plan.get(id).is_some_and(|node| !matches!(node.matches, Matches::Nothing));
                if is_possible {
                    children.push(ChildPlan { position: *position, kind: *kind, plans: vec![id] });
                    //= rfc6241#6.2.5-p4
                    if node.content.is_some() {
                        contents.push((*index, *kind, id));
                    }
                }
            }
        }
        join_kinds(&mut children);
        let count = siblings.iter().filter(|(.., node)| node.content.is_some()).count();
        let contents: Vec<Vec<_>> = contents
            .chunk_by(|one, other| one.0 == other.0)
            .map(|same| same.iter().map(|(_, kind, id)| (*kind, *id)).collect())
            .collect();
        if contents.len() < count {
            return Ok(Matches::Nothing);
        }
        //= rfc6241#6.2.5-p6
        let has_only_contents = count > 0 && count == siblings.len();
        if has_only_contents && only_namespace.is_some() {
            // Nothing above the top level could be selected as a whole: select each kind.
            children = self.select_all(kinds)?;
        }
        let keys = keys_of(kinds, &contents);
        Ok(Matches::Descendants(Containment { contents, keys, has_only_contents, children }))
    }

    fn select_all(&mut self, kinds: &Kinds<T>) -> Result<Vec<ChildPlan<T>>, TooManyStepsError> {
        let mut children = Vec::new();
        for (position, kind) in &kinds.by_name {
            let plans = vec![self.add(None, Matches::Whole)?];
            children.push(ChildPlan { position: *position, kind: *kind, plans });
        }
        join_kinds(&mut children);
        Ok(children)
    }

    fn add(&mut self, filter_node: Option<usize>, matches: Matches<T>) -> Result<PlanId, TooManyStepsError> {
        let nodes = &self.filter.nodes;
        let filter_node = filter_node
            .filter(|index| nodes.get(*index).is_some_and(|node: &FilterNode| !node.attributes.is_empty()));
        if self.plan.nodes.len() >= MAX_PLAN_NODES {
            return Err(TooManyStepsError);
        }
        self.plan.nodes.push(PlanNode { filter_node, matches });
        Ok(self.plan.nodes.len() - 1)
    }

    fn count(&mut self, steps: usize) -> Result<(), TooManyStepsError> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        *self.steps = self.steps.checked_sub(steps).ok_or(TooManyStepsError)?;
        Ok(())
    }
}

/// Sorts children in the order of the output, and joins those of one kind.
pub(super) fn join_kinds<T: DataTree>(children: &mut Vec<ChildPlan<T>>) {
    children.sort_by_key(|child| child.position);
    children.dedup_by(|next, kept| {
        let is_same = next.position == kept.position;
        if is_same {
            kept.plans.append(&mut next.plans);
        }
        is_same
    });
}

/// Returns the content match nodes of all keys of a list, or nothing if one has none.
fn keys_of<T: DataTree>(kinds: &Kinds<T>, contents: &[Vec<(T::Kind, PlanId)>]) -> Vec<(T::Kind, PlanId)> {
    let content_of = |key: &T::Kind| {
        contents.iter().find_map(|content| match content.as_slice() {
            [(kind, id)] if kind == key => Some((*key, *id)),
            _ => None,
        })
    };
    kinds.keys.iter().map(content_of).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// Maximum number of pairs of a filter node and a kind to which it applies. An element without a
/// namespace can apply to several kinds.
const MAX_PLAN_NODES: usize = 2 * MAX_FILTER_NODES;
