//! The checks of each row, prepared from the schema.

use std::collections::BTreeMap;

use portreeve_yang::{NodeId, NodeKind, Schema};

use crate::{
    Row,
    cases::{exists_in, visit_flattened},
};

/// The checks of all rows.
pub(super) struct RowChecks(BTreeMap<NodeId, Vec<Check>>);

/// A check of a node in a row.
pub(super) struct Check {
    pub(super) node: NodeId,
    pub(super) kind: CheckKind,
    /// The check applies only if nodes of this case exist.
    pub(super) case: Option<NodeId>,
}

/// The kind of a check.
pub(super) enum CheckKind {
    /// The leaf, anydata or anyxml exists.
    Mandatory,
    /// A node of the choice exists.
    MandatoryChoice,
    /// Nodes of at most one case of the choice exist.
    OneCase,
    /// The list or leaf-list has at least so many entries.
    Min(usize),
    /// The list or leaf-list has at most so many entries.
    Max(usize),
}

impl RowChecks {
    pub(super) fn new(schema: &Schema) -> Self {
        let rows = schema.nodes().filter(|(_, node)| node.is_row());
        let checks = rows.map(|(row, _)| (row, checks(schema, row))).filter(|(_, checks)| !checks.is_empty());
        Self(checks.collect())
    }

    /// Returns the checks of a row.
    pub(super) fn of(&self, row: NodeId) -> &[Check] {
        self.0.get(&row).map(Vec::as_slice).unwrap_or_default()
    }
}

fn checks(schema: &Schema, row: NodeId) -> Vec<Check> {
    let mut checks = Vec::new();
    visit_flattened(schema, row, &mut |id| {
        let node = schema.node(id);
        if !node.config {
            return;
        }
        let mut add = |kind| checks.push(Check { node: id, kind, case: case_of(schema, row, id) });
        let mut add_limits = |min: u32, max: Option<u32>| {
            if min > 0 {
                add(CheckKind::Min(usize::try_from(min).unwrap_or(usize::MAX)));
            }
            if let Some(max) = max {
                add(CheckKind::Max(usize::try_from(max).unwrap_or(usize::MAX)));
            }
        };
        match &node.kind {
            NodeKind::List(list) => add_limits(list.min, list.max),
            NodeKind::LeafList(list) => add_limits(list.min, list.max),
            NodeKind::Leaf(leaf) if leaf.mandatory && !leaf.is_key => add(CheckKind::Mandatory),
            NodeKind::AnyData { mandatory: true } | NodeKind::AnyXml { mandatory: true } => {
                add(CheckKind::Mandatory)
            }
            NodeKind::Choice(choice) => {
                add(CheckKind::OneCase);
                if choice.mandatory {
                    add(CheckKind::MandatoryChoice);
                }
            }
            _ => {}
        }
    });
    checks
}

/// Returns the closest case in the row that contains a node.
fn case_of(schema: &Schema, row: NodeId, node: NodeId) -> Option<NodeId> {
    let mut at = schema.node(node).parent?;
    while at != row {
        if matches!(schema.node(at).kind, NodeKind::Case) {
            return Some(at);
        }
        at = schema.node(at).parent?;
    }
    None
}

/// Returns the number of cases of a choice of which nodes exist.
pub(super) fn cases(schema: &Schema, row: &Row, choice: NodeId) -> usize {
    schema.children(choice).iter().filter(|case| exists_in(schema, row, **case)).count()
}
