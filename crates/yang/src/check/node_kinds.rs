//! The checks of the properties that only nodes of some kinds have.

use super::text::is_value;
use crate::{
    Choice, Leaf, LeafList, List, MAX_DEPTH, MAX_KEYS, Node, NodeId, NodeKind, NodeReason,
    definitions::Definitions,
};

/// Checks the properties of one node. The parents of the nodes before it are valid.
pub(super) fn check(definitions: &Definitions, id: NodeId, is_in_operation: bool) -> Result<(), NodeReason> {
    let node = definitions.node(id);
    match &node.kind {
        NodeKind::List(list) => {
            let needs_keys = node.config && !is_in_operation;
            check_list(definitions, id, list, needs_keys)
        }
        NodeKind::Leaf(leaf) => check_leaf(definitions, id, leaf),
        NodeKind::LeafList(leaf_list) => check_leaf_list(definitions, leaf_list),
        NodeKind::Choice(Choice { default: Some(case), .. }) => {
            let case = definitions.node(*case);
            let is_own = case.kind == NodeKind::Case && case.parent == Some(id);
            if is_own { Ok(()) } else { Err(NodeReason::InvalidDefaultCase) }
        }
        _ => Ok(()),
    }
}

fn check_list(
    definitions: &Definitions,
    id: NodeId,
    list: &List,
    needs_keys: bool,
) -> Result<(), NodeReason> {
    check_entry_limits(list.min, list.max)?;
    let mut sorted = list.keys.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != list.keys.len() || sorted.len() > MAX_KEYS || sorted.is_empty() && needs_keys {
        return Err(NodeReason::InvalidKeys);
    }
    for key in &list.keys {
        match definitions.node(*key) {
            Node { kind: NodeKind::Leaf(Leaf { is_key: true, .. }), parent, config, .. }
                if *parent == Some(id) && *config == definitions.node(id).config => {}
            _ => return Err(NodeReason::InvalidKeys),
        }
    }
    for unique in &list.uniques {
        if unique.is_empty() || !unique.iter().all(|leaf| is_unique_leaf(definitions, id, *leaf)) {
            return Err(NodeReason::InvalidUnique);
        }
    }
    Ok(())
}

/// Returns whether a node is a leaf of the entries of a list, and not of a list in them.
fn is_unique_leaf(definitions: &Definitions, list: NodeId, leaf: NodeId) -> bool {
    if !matches!(definitions.node(leaf).kind, NodeKind::Leaf(_)) {
        return false;
    }
    let mut at = leaf;
    for _ in 0..MAX_DEPTH {
        match definitions.node(at).parent {
            Some(parent) if parent == list => return true,
            Some(parent) if is_part_of_entry(&definitions.node(parent).kind) => at = parent,
            _ => return false,
        }
    }
    false
}

/// Returns whether the leafs in a node belong to the same entry as the node.
fn is_part_of_entry(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Container(_) | NodeKind::Choice(_) | NodeKind::Case)
}

fn check_leaf(definitions: &Definitions, id: NodeId, leaf: &Leaf) -> Result<(), NodeReason> {
    if leaf.value_type.index() >= definitions.types.len() {
        return Err(NodeReason::UnknownType);
    }
    if !leaf.default.iter().chain(&leaf.units).all(|text| is_value(text)) {
        return Err(NodeReason::InvalidText);
    }
    let parent = definitions.node(id).parent.map(|parent| &definitions.node(parent).kind);
    let is_key = matches!(parent, Some(NodeKind::List(list)) if list.keys.contains(&id));
    if is_key == leaf.is_key { Ok(()) } else { Err(NodeReason::InvalidKeys) }
}

fn check_leaf_list(definitions: &Definitions, leaf_list: &LeafList) -> Result<(), NodeReason> {
    check_entry_limits(leaf_list.min, leaf_list.max)?;
    if leaf_list.value_type.index() >= definitions.types.len() {
        return Err(NodeReason::UnknownType);
    }
    if !leaf_list.defaults.iter().chain(&leaf_list.units).all(|text| is_value(text)) {
        return Err(NodeReason::InvalidText);
    }
    Ok(())
}

fn check_entry_limits(min: u32, max: Option<u32>) -> Result<(), NodeReason> {
    if max.is_some_and(|max| max == 0 || max < min) { Err(NodeReason::InvalidEntryLimits) } else { Ok(()) }
}
