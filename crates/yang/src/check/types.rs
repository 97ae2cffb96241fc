//! The checks of types: the targets of leafrefs, the members of unions, and cycles.

use super::restrictions;
use crate::{
    LeafrefPath, LeafrefPredicate, LeafrefStart, MAX_DEPTH, MAX_TYPE_DEPTH, MAX_UNION_MEMBERS, Node, NodeId,
    NodeKind, SchemaError, Type, TypeId, TypeKind, TypeReason, definitions::Definitions,
};

/// Checks the types. The nodes are valid.
pub(super) fn check(definitions: &Definitions) -> Result<(), SchemaError> {
    for (index, value_type) in definitions.types.items().iter().enumerate() {
        let checks = restrictions::check(value_type).and_then(|()| check_references(definitions, value_type));
        checks.map_err(|reason| SchemaError::Type { index, reason })?;
    }
    Sizes::check_all(definitions)
}

fn check_references(definitions: &Definitions, value_type: &Type) -> Result<(), TypeReason> {
    match &value_type.kind {
        TypeKind::Leafref { target, path, steps, require_instance: _ } => {
            if !super::text::is_value(path) {
                return Err(TypeReason::InvalidText);
            }
            let is_leaf = type_of(definitions.node(*target)).is_some();
            if is_leaf && leads_to(definitions, steps, *target) {
                Ok(())
            } else {
                Err(TypeReason::InvalidLeafref)
            }
        }
        TypeKind::Identityref { bases } => {
            let count = definitions.identities.len();
            let are_valid = !bases.is_empty() && bases.iter().all(|base| base.index() < count);
            if are_valid { Ok(()) } else { Err(TypeReason::InvalidBase) }
        }
        TypeKind::Union { members } => {
            let count = definitions.types.len();
            let are_valid = !members.is_empty() && members.iter().all(|member| member.index() < count);
            if are_valid { Ok(()) } else { Err(TypeReason::InvalidUnion) }
        }
        _ => Ok(()),
    }
}

/// Returns whether a path has valid steps and leads to a node.
fn leads_to(definitions: &Definitions, path: &LeafrefPath, target: NodeId) -> bool {
    let start = match path.start {
        LeafrefStart::Root => Some(NodeId::ROOT),
        // The leaf that has the type, and thereby the start, is not known here.
        LeafrefStart::Up(levels) if (1..=MAX_DEPTH).contains(&usize::from(levels)) => None,
        LeafrefStart::Up(_) => return false,
    };
    let nodes: Vec<NodeId> = path.steps.iter().map(|step| step.node).collect();
    is_way_down(definitions, start, &nodes)
        && nodes.last() == Some(&target)
        && path.steps.iter().all(|step| {
            step.predicates.iter().all(|predicate| is_valid_predicate(definitions, step.node, predicate))
        })
}

fn is_valid_predicate(definitions: &Definitions, list: NodeId, predicate: &LeafrefPredicate) -> bool {
    let is_key = match &definitions.node(list).kind {
        NodeKind::List(list) => list.keys.contains(&predicate.key),
        _ => false,
    };
    is_key
        && (1..=MAX_DEPTH).contains(&usize::from(predicate.up))
        && is_way_down(definitions, None, &predicate.steps)
        && predicate
            .steps
            .last()
            .is_some_and(|last| matches!(definitions.node(*last).kind, NodeKind::Leaf(_)))
}

/// Returns whether each node is a child in data of the one before it. The first is one of `start`,
/// if that is known.
fn is_way_down(definitions: &Definitions, start: Option<NodeId>, nodes: &[NodeId]) -> bool {
    let mut above = start;
    for node in nodes {
        if node.index() == 0 || node.index() >= definitions.nodes.len() {
            return false;
        }
        let parent = parent_in_paths(definitions, *node);
        if above.is_some_and(|above| parent != Some(above)) {
            return false;
        }
        above = Some(*node);
    }
    true
}

/// Returns the parent of a node in XPath: the closest ancestor that has an element of its own. The
/// parameters of an operation are children of the operation (RFC 7950 §6.4.1).
fn parent_in_paths(definitions: &Definitions, node: NodeId) -> Option<NodeId> {
    let parent = definitions.data_parent(node)?;
    match definitions.node(parent) {
        Node { kind: NodeKind::Input | NodeKind::Output, parent: operation, .. } => *operation,
        _ => Some(parent),
    }
}

fn type_of(node: &Node) -> Option<TypeId> {
    match &node.kind {
        NodeKind::Leaf(leaf) => Some(leaf.value_type),
        NodeKind::LeafList(leaf_list) => Some(leaf_list.value_type),
        _ => None,
    }
}

/// The sizes of types that consist of others.
struct Sizes<'a> {
    definitions: &'a Definitions,
    /// The size of each type that is complete, and a mark for those that are in progress.
    sizes: Vec<Progress>,
}

#[derive(Clone, Copy)]
enum Progress {
    NotStarted,
    Started,
    Done {
        /// The number of types on the longest way down from the type to one that consists of no
        /// other.
        depth: usize,
        /// The number of types that a value is compared with at most.
        members: usize,
    },
}

impl<'a> Sizes<'a> {
    /// Checks that no type consists of itself, and that the check of a value takes bounded time.
    fn check_all(definitions: &'a Definitions) -> Result<(), SchemaError> {
        let count = definitions.types.len();
        let mut sizes = Self { definitions, sizes: vec![Progress::NotStarted; count] };
        (0..count).try_for_each(|index| sizes.check_from(index))
    }

    /// Visits the types that a type consists of, each of them once.
    fn check_from(&mut self, top: usize) -> Result<(), SchemaError> {
        let mut stack = vec![(top, 0)];
        while let Some((index, next)) = stack.last_mut() {
            let index = *index;
            if *next == 0 && !matches!(self.progress(index), Progress::NotStarted) {
                stack.pop();
                continue;
            }
            self.set(index, Progress::Started);
            let part = self.part(index, *next);
            *next += 1;
            let error = |reason| SchemaError::Type { index, reason };
            match part {
                Some(part) => match self.progress(part) {
                    Progress::Started => return Err(error(TypeReason::Cycle)),
                    Progress::NotStarted if stack.len() == MAX_TYPE_DEPTH => {
                        return Err(error(TypeReason::TooDeep));
                    }
                    Progress::NotStarted => stack.push((part, 0)),
                    Progress::Done { .. } => {}
                },
                None => {
                    let size = self.size(index).map_err(error)?;
                    self.set(index, size);
                    stack.pop();
                }
            }
        }
        Ok(())
    }

    /// Returns one of the types that a type consists of, by its position.
    fn part(&self, index: usize, position: usize) -> Option<usize> {
        match &self.definitions.types.get(index).kind {
            TypeKind::Union { members } => members.get(position).map(|member| member.index()),
            TypeKind::Leafref { target, .. } if position == 0 => {
                type_of(self.definitions.node(*target)).map(TypeId::index)
            }
            _ => None,
        }
    }

    /// Returns the size of a type, if all of its parts are complete.
    fn size(&self, index: usize) -> Result<Progress, TypeReason> {
        let mut depth = 0;
        let mut members = 0;
        for part in (0..).map_while(|position| self.part(index, position)) {
            if let Progress::Done { depth: below, members: more } = self.progress(part) {
                depth = depth.max(below + 1);
                members += more;
            }
            if depth >= MAX_TYPE_DEPTH {
                return Err(TypeReason::TooDeep);
            }
            if members > MAX_UNION_MEMBERS {
                return Err(TypeReason::TooManyMembers);
            }
        }
        Ok(Progress::Done { depth, members: members.max(1) })
    }

    fn progress(&self, index: usize) -> Progress {
        self.sizes.get(index).copied().unwrap_or(Progress::NotStarted)
    }

    fn set(&mut self, index: usize, progress: Progress) {
        if let Some(entry) = self.sizes.get_mut(index) {
            *entry = progress;
        }
    }
}
