//! The checks that apply to nodes of all kinds.

use super::{
    node_kinds,
    text::{is_identifier, is_value},
};
use crate::{
    MAX_DEPTH, MAX_STRING, Node, NodeId, NodeKind, NodeReason, SchemaError, definitions::Definitions,
    index::node_id,
};

pub(super) fn check(definitions: &Definitions) -> Result<(), SchemaError> {
    // The depth of each node before the current one, and whether it is in an operation or
    // notification, in which nodes are neither configuration nor state.
    let mut places: Vec<Place> = Vec::with_capacity(definitions.nodes.len());
    for (index, node) in definitions.nodes.items().iter().enumerate() {
        let id = node_id(index);
        let place = place(definitions, &places, id)
            .and_then(|place| {
                check_one(definitions, node)?;
                if !place.is_in_operation
                    && node.config
                    && node.parent.is_some_and(|it| !definitions.node(it).config)
                {
                    return Err(NodeReason::ConfigBelowState);
                }
                node_kinds::check(definitions, id, place.is_in_operation)?;
                Ok(place)
            })
            .map_err(|reason| SchemaError::Node { id, path: definitions.describe(id), reason })?;
        places.push(place);
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    is_in_operation: bool,
}

/// Determines the place of a node from that of its parent, which precedes it.
fn place(definitions: &Definitions, places: &[Place], id: NodeId) -> Result<Place, NodeReason> {
    let node = definitions.node(id);
    let Some(parent) = node.parent else {
        // The file does not contain the root, so that it cannot differ from that of other schemas.
        let is_root = id == NodeId::ROOT && *node == Node::root();
        let place = Place { depth: 0, is_in_operation: false };
        return if is_root { Ok(place) } else { Err(NodeReason::InvalidParent) };
    };
    let above = places.get(parent.index()).ok_or(NodeReason::InvalidParent)?;
    if !accepts(&definitions.node(parent).kind, node) {
        return Err(NodeReason::InvalidParent);
    }
    if above.depth == MAX_DEPTH {
        return Err(NodeReason::TooDeep);
    }
    let is_operation = matches!(node.kind, NodeKind::Rpc | NodeKind::Action | NodeKind::Notification);
    Ok(Place { depth: above.depth + 1, is_in_operation: above.is_in_operation || is_operation })
}

/// Returns whether a node of a kind can have this child.
pub(super) fn accepts(parent: &NodeKind, child: &Node) -> bool {
    let is_content = child.is_data() || matches!(child.kind, NodeKind::Choice(_));
    match parent {
        NodeKind::Root => is_content || matches!(child.kind, NodeKind::Rpc | NodeKind::Notification),
        NodeKind::Container(_) | NodeKind::List(_) => {
            is_content || matches!(child.kind, NodeKind::Action | NodeKind::Notification)
        }
        NodeKind::Case | NodeKind::Input | NodeKind::Output | NodeKind::Notification => is_content,
        NodeKind::Choice(_) => child.kind == NodeKind::Case,
        // The names differ, so that there is at most one of each.
        NodeKind::Rpc | NodeKind::Action => {
            matches!((&child.kind, &*child.name), (NodeKind::Input, "input") | (NodeKind::Output, "output"))
        }
        NodeKind::Leaf(_) | NodeKind::LeafList(_) | NodeKind::AnyData { .. } | NodeKind::AnyXml { .. } => {
            false
        }
    }
}

fn check_one(definitions: &Definitions, node: &Node) -> Result<(), NodeReason> {
    let is_root = node.parent.is_none();
    if !is_root && !is_identifier(&node.name) {
        return Err(NodeReason::InvalidName);
    }
    if !is_root && node.module.index() >= definitions.modules.len() {
        return Err(NodeReason::UnknownModule);
    }
    for extension in &node.extensions {
        if !is_identifier(&extension.module) || !is_identifier(&extension.name) {
            return Err(NodeReason::InvalidName);
        }
        if extension.argument.len() > MAX_STRING {
            return Err(NodeReason::InvalidText);
        }
    }
    if node.place.as_ref().is_some_and(|place| !is_value(&place.file)) {
        return Err(NodeReason::InvalidText);
    }
    for constraint in &node.constraints {
        let error = &constraint.error;
        let texts = [
            Some(&constraint.expression),
            Some(&constraint.file),
            error.message.as_ref(),
            error.app_tag.as_ref(),
        ];
        if !texts.into_iter().flatten().all(|text| is_value(text)) {
            return Err(NodeReason::InvalidText);
        }
        let are_valid = constraint
            .prefixes
            .iter()
            .all(|(prefix, module)| module.index() < definitions.modules.len() && is_identifier(prefix));
        if !are_valid || constraint.context.is_some_and(|context| context.index() >= definitions.nodes.len())
        {
            return Err(NodeReason::InvalidConstraint);
        }
    }
    Ok(())
}
