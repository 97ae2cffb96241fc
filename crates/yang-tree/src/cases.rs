//! Choices and their cases in a row.

use portreeve_yang::{NodeId, NodeKind, Schema};

use crate::Row;

/// Returns true if a node of this case, container without presence, or leaf exists in the row.
pub(crate) fn exists_in(schema: &Schema, row: &Row, node: NodeId) -> bool {
    row.has_content(schema.slots_in(node), schema.row_children_in(node))
}

/// Returns a choice of which nodes of more than one case exist in the row of a node.
pub(crate) fn crowded_choice(schema: &Schema, node: NodeId, row: &Row) -> Option<NodeId> {
    let mut found = None;
    visit_flattened(schema, node, &mut |at| {
        let is_crowded =
            || schema.children(at).iter().filter(|case| exists_in(schema, row, **case)).count() > 1;
        if found.is_none() && matches!(schema.node(at).kind, NodeKind::Choice(_)) && is_crowded() {
            found = Some(at);
        }
    });
    found
}

/// Visits the nodes of a row in schema order: choices, cases and containers without presence, which
/// are entered, and data nodes.
pub(crate) fn visit_flattened(schema: &Schema, row: NodeId, visit: &mut impl FnMut(NodeId)) {
    let mut open = vec![schema.children(row).iter()];
    while let Some(children) = open.last_mut() {
        let Some(child) = children.next() else {
            open.pop();
            continue;
        };
        visit(*child);
        let node = schema.node(*child);
        if node.is_choice_or_case() || node.is_plain_container() {
            open.push(schema.children(*child).iter());
        }
    }
}
