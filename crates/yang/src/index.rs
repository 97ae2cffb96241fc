//! Tables that are derived from the nodes: children by order and by name, and the layout of rows.

use std::{cmp::Ordering, ops::Range};

use crate::{ModuleId, Node, NodeId, definitions::Definitions};

mod rows;

pub use rows::RowLayout;
use rows::Rows;

/// Tables that are derived from the nodes. All of them are linear in the number of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// The children of each node in schema order.
    children: Groups,
    /// The same, ordered by name and module.
    children_by_name: Groups,
    /// The data nodes below each node, with only choices and cases between them, in schema order.
    data: Groups,
    /// The same, ordered by name and module. Choices and cases have no groups here.
    data_by_name: Groups,
    pub(crate) rows: Rows,
}

/// Groups of nodes, one for each node. The group of a choice or case is a part of that of its
/// parent.
#[derive(Clone, Debug, Default)]
struct Groups {
    members: Vec<NodeId>,
    ranges: Vec<Range<u32>>,
}

impl Groups {
    fn get(&self, id: NodeId) -> &[NodeId] {
        let range = self.ranges.get(id.index()).cloned().unwrap_or_default();
        self.members.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Returns the same groups with each group ordered by name and module.
    fn sorted(mut self, definitions: &Definitions, is_sorted: impl Fn(&Node) -> bool) -> Self {
        for (range, node) in self.ranges.iter_mut().zip(definitions.nodes.items()) {
            if !is_sorted(node) {
                *range = 0..0;
            } else if let Some(group) = self.members.get_mut(range.start as usize..range.end as usize) {
                group.sort_by(|a, b| compare_names(definitions.node(*a), definitions.node(*b)));
            }
        }
        self
    }

    /// Finds a node in a group that is ordered by name and module.
    fn find(&self, definitions: &Definitions, group: NodeId, module: ModuleId, name: &str) -> Option<NodeId> {
        let group = self.get(group);
        let found = group.binary_search_by(|id| {
            let node = definitions.node(*id);
            (*node.name).cmp(name).then(node.module.cmp(&module))
        });
        group.get(found.ok()?).copied()
    }

    /// Returns two neighbours of equal name and module, if the groups are ordered by them.
    fn duplicate(&self, definitions: &Definitions) -> Option<NodeId> {
        let groups = self.ranges.iter().enumerate().map(|(id, _)| self.get(node_id(id)));
        groups.flat_map(|group| group.windows(2)).find_map(|pair| match pair {
            [a, b] if compare_names(definitions.node(*a), definitions.node(*b)).is_eq() => Some(*b),
            _ => None,
        })
    }
}

impl Index {
    /// Derives the tables. The parents of all nodes are valid, and no node is deeper than
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    pub(crate) fn new(definitions: &Definitions) -> Self {
        let children = children(definitions);
        let data = data_children(definitions, &children);
        let rows = Rows::new(definitions, &|id| children.get(id));
        Self {
            children_by_name: children.clone().sorted(definitions, |_| true),
            data_by_name: data.clone().sorted(definitions, |node| !node.is_choice_or_case()),
            children,
            data,
            rows,
        }
    }

    pub(crate) fn children(&self, id: NodeId) -> &[NodeId] {
        self.children.get(id)
    }

    pub(crate) fn data_children(&self, id: NodeId) -> &[NodeId] {
        self.data.get(id)
    }

    pub(crate) fn child(
        &self,
        definitions: &Definitions,
        parent: NodeId,
        module: ModuleId,
        name: &str,
    ) -> Option<NodeId> {
        self.children_by_name.find(definitions, parent, module, name)
    }

    pub(crate) fn data_child(
        &self,
        definitions: &Definitions,
        parent: NodeId,
        module: ModuleId,
        name: &str,
    ) -> Option<NodeId> {
        self.data_by_name.find(definitions, parent, module, name)
    }

    /// Returns a node whose name and module a sibling or, across choices, a data node has as well.
    pub(crate) fn duplicate(&self, definitions: &Definitions) -> Option<NodeId> {
        self.children_by_name.duplicate(definitions).or_else(|| self.data_by_name.duplicate(definitions))
    }
}

/// Groups the nodes by their parents. Within a group, the order is that of the numbers.
fn children(definitions: &Definitions) -> Groups {
    let nodes = definitions.nodes.items();
    let mut counts = vec![0u32; nodes.len()];
    for node in nodes {
        if let Some(count) = node.parent.and_then(|parent| counts.get_mut(parent.index())) {
            *count += 1;
        }
    }
    let mut end = 0;
    let mut ranges: Vec<Range<u32>> = Vec::with_capacity(nodes.len());
    for count in counts {
        // The end grows with each child that is entered below.
        ranges.push(end..end);
        end += count;
    }
    let mut members = vec![NodeId::ROOT; end as usize];
    for (id, node) in nodes.iter().enumerate() {
        let Some(range) = node.parent.and_then(|parent| ranges.get_mut(parent.index())) else { continue };
        if let Some(member) = members.get_mut(range.end as usize) {
            *member = node_id(id);
            range.end += 1;
        }
    }
    Groups { members, ranges }
}

/// Groups the data nodes by their closest ancestors that are neither choices nor cases.
fn data_children(definitions: &Definitions, children: &Groups) -> Groups {
    let nodes = definitions.nodes.items();
    let mut groups = Groups { members: Vec::with_capacity(nodes.len()), ranges: vec![0..0; nodes.len()] };
    for (id, node) in nodes.iter().enumerate() {
        if node.is_choice_or_case() {
            continue;
        }
        let start = groups.members.len();
        visit(
            children_of(children),
            node_id(id),
            &|id| definitions.node(id).is_choice_or_case(),
            &mut |event| match event {
                Visit::Enter(id) | Visit::Leaf(id) if definitions.node(id).is_data() => {
                    groups.members.push(id)
                }
                Visit::Enter(id) => {
                    let at = offset(groups.members.len());
                    set(&mut groups.ranges, id, at..at);
                }
                Visit::Leaf(_) => {}
                Visit::Exit(id) => {
                    let end = offset(groups.members.len());
                    if let Some(range) = groups.ranges.get_mut(id.index()) {
                        range.end = end;
                    }
                }
            },
        );
        let range = offset(start)..offset(groups.members.len());
        set(&mut groups.ranges, node_id(id), range);
    }
    groups
}

fn children_of<'a>(children: &'a Groups) -> impl Fn(NodeId) -> &'a [NodeId] {
    |id| children.get(id)
}

/// A step of a visit to the nodes below a node.
#[derive(Clone, Copy)]
enum Visit {
    /// A node whose children are visited next.
    Enter(NodeId),
    /// A node whose children are not visited.
    Leaf(NodeId),
    /// The children of this node have been visited.
    Exit(NodeId),
}

/// Visits the nodes below a node in schema order, without those below nodes that are not `open`.
fn visit<'a>(
    children: impl Fn(NodeId) -> &'a [NodeId],
    top: NodeId,
    is_open: &dyn Fn(NodeId) -> bool,
    on: &mut dyn FnMut(Visit),
) {
    let mut stack = vec![(top, children(top).iter())];
    while let Some((id, rest)) = stack.last_mut() {
        match rest.next() {
            Some(child) if is_open(*child) => {
                on(Visit::Enter(*child));
                stack.push((*child, children(*child).iter()));
            }
            Some(child) => on(Visit::Leaf(*child)),
            None => {
                let id = *id;
                stack.pop();
                if !stack.is_empty() {
                    on(Visit::Exit(id));
                }
            }
        }
    }
}

fn compare_names(a: &Node, b: &Node) -> Ordering {
    a.name.cmp(&b.name).then(a.module.cmp(&b.module))
}

fn set<T>(table: &mut [T], id: NodeId, value: T) {
    if let Some(entry) = table.get_mut(id.index()) {
        *entry = value;
    }
}

/// Returns the number of the node at an index, which is at most [`MAX_NODES`](crate::MAX_NODES).
pub(crate) fn node_id(index: usize) -> NodeId {
    NodeId(offset(index))
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
