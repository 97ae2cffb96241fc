//! The parts of a schema that the agent cannot serve yet: conditions in XPath.

use std::collections::BTreeSet;

use portreeve_yang::{Constraint, ConstraintKind, NodeId, NodeKind, Schema};

use crate::{Problem, files::ModuleFiles, show::path};

/// Returns a problem for each `must` and `when` statement that configuration from a client can
/// violate. Those of state, operations and notifications are harmless, because the agent serves
/// none of the operator's.
pub(crate) fn refused(schema: &Schema, files: &ModuleFiles) -> Vec<Problem> {
    let read = files.files();
    let mut problems: Vec<Problem> = Vec::new();
    let mut places: BTreeSet<(&str, u32)> = BTreeSet::new();
    for (id, node) in schema.nodes().filter(|(id, node)| node.config && !is_in_operation(schema, *id)) {
        for constraint in &node.constraints {
            // An augment or uses adds its statement to each of its nodes.
            let place = (&*constraint.file, constraint.line);
            if !places.insert(place) && constraint.line != 0 {
                continue;
            }
            let text = format!("{}: {}", path(schema, id), advice(constraint));
            let file = read.iter().find(|file| file.file_name() == *constraint.file);
            problems.push(match file {
                Some(file) => Problem::at_line(&file.path, constraint.line, text),
                None => Problem::new(text),
            });
        }
    }
    problems
}

fn advice(constraint: &Constraint) -> &'static str {
    match constraint.kind {
        ConstraintKind::Must => {
            "portreeved does not evaluate `must` yet: remove the statement with a deviation (`deviate delete`)"
        }
        ConstraintKind::When => {
            "portreeved does not evaluate `when` yet: remove the node with a deviation (`deviate \
             not-supported`), or the statement from the module"
        }
    }
}

/// Returns true for a node in an operation or notification.
fn is_in_operation(schema: &Schema, id: NodeId) -> bool {
    let mut above = std::iter::successors(Some(id), |id| schema.node(*id).parent);
    above.any(|id| matches!(schema.node(id).kind, NodeKind::Rpc | NodeKind::Action | NodeKind::Notification))
}
