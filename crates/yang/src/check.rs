//! The checks of a schema's definitions. All of them take linear time.

use crate::{MAX_DEPTH, NodeReason, SchemaError, definitions::Definitions, index::node_id};

/// Checks the definitions, so that the tables can be derived from them.
pub(crate) fn check(definitions: &Definitions) -> Result<(), SchemaError> {
    check_parents(definitions)
}

/// Checks that each node but the root has a parent with a smaller number, and that none is too
/// deep.
fn check_parents(definitions: &Definitions) -> Result<(), SchemaError> {
    let mut depths: Vec<usize> = Vec::with_capacity(definitions.nodes.len());
    for (index, node) in definitions.nodes.items().iter().enumerate() {
        let depth = match node.parent {
            None if index == 0 => 0,
            Some(parent) => depths.get(parent.index()).map_or(usize::MAX, |depth| depth + 1),
            None => usize::MAX,
        };
        let reason = match depth {
            usize::MAX => NodeReason::InvalidParent,
            depth if depth > MAX_DEPTH => NodeReason::TooDeep,
            _ => {
                depths.push(depth);
                continue;
            }
        };
        return Err(SchemaError::Node { path: definitions.describe(node_id(index)), reason });
    }
    Ok(())
}
