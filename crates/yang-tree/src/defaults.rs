//! Default values that are in effect (RFC 7950 §7.6.1).

use portreeve_yang::{NodeId, NodeKind, Schema};

use crate::{Row, cases::exists_in};

/// Returns the value of a leaf in a row of the node `row`, or its default if that is in effect.
pub fn effective_leaf<'t>(
    schema: &'t Schema,
    row: NodeId,
    content: &'t Row,
    leaf: NodeId,
) -> Option<&'t str> {
    let explicit = content.leaf(schema.slot(leaf)?);
    explicit.or_else(|| default_leaf(schema, row, content, leaf))
}

/// Returns the default of a leaf without a value in a row of the node `row`, if it is in effect:
/// if none of the cases that contain the leaf is replaced by another.
pub fn default_leaf<'t>(schema: &'t Schema, row: NodeId, content: &Row, leaf: NodeId) -> Option<&'t str> {
    let default = schema.leaf(leaf)?.default.as_deref()?;
    is_case_in_effect(schema, row, content, leaf).then_some(default)
}

/// Returns the defaults of a leaf-list without entries in a row of the node `row`, if they are in
/// effect (RFC 7950 §7.7.2).
pub fn default_values<'t>(
    schema: &'t Schema,
    row: NodeId,
    content: &Row,
    leaf_list: NodeId,
) -> &'t [Box<str>] {
    let defaults = schema.leaf_list(leaf_list).map(|list| &list.defaults[..]).unwrap_or_default();
    let is_in_effect = !defaults.is_empty()
        && content.leaf_list(schema.row_children_in(leaf_list).start).is_none()
        && is_case_in_effect(schema, row, content, leaf_list);
    if is_in_effect { defaults } else { &[] }
}

/// Returns true if a leaf or leaf-list has a default.
pub(crate) fn has_default(schema: &Schema, node: NodeId) -> bool {
    schema.leaf(node).is_some_and(|leaf| leaf.default.is_some())
        || schema.leaf_list(node).is_some_and(|list| !list.defaults.is_empty())
}

/// Returns true if no case that contains a node of a row is replaced by another: nodes of the case
/// exist, or it is the default and nodes of no other case exist.
pub(crate) fn is_case_in_effect(schema: &Schema, row: NodeId, content: &Row, node: NodeId) -> bool {
    let mut at = node;
    while at != row
        && let Some(parent) = schema.node(at).parent
    {
        if let NodeKind::Choice(choice) = &schema.node(parent).kind
            && !exists_in(schema, content, at)
        {
            let is_empty = !exists_in(schema, content, parent);
            if choice.default != Some(at) || !is_empty {
                return false;
            }
        }
        at = parent;
    }
    true
}
