//! Finds object identifiers that two objects have, or that are below that of another object.

use portreeve_mib::{ServedObjects, names};
use portreeve_smi::display_arcs;
use portreeve_yang::Schema;

use crate::{
    leafs::ServedLeaf,
    problem::{Problem, describe_place},
};

/// Returns a problem for each leaf whose identifier overlaps with that of another leaf or of the
/// objects that the agent serves beside them. The leafs are sorted by identifier.
pub(crate) fn find_overlaps(schema: &Schema, leafs: &[ServedLeaf], others: &ServedObjects) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut before: Option<&ServedLeaf> = None;
    for leaf in leafs {
        let other = match before.filter(|before| leaf.oid.starts_with(&before.oid)) {
            Some(before) => Some((&before.oid[..], describe_place(schema, before.node))),
            None => {
                before = Some(leaf);
                overlap_with(others, &leaf.oid).map(|other| (other, describe_object(others, other)))
            }
        };
        if let Some((other, description)) = other {
            let relation = match other.len().cmp(&leaf.oid.len()) {
                std::cmp::Ordering::Equal => "that of",
                std::cmp::Ordering::Less => "below that of",
                std::cmp::Ordering::Greater => "above that of",
            };
            let text = format!("the object identifier {} is {relation} {description}", leaf.oid);
            problems.push(Problem::at(schema, leaf.node, text));
        }
    }
    problems
}

/// Returns the identifier of an object that is, contains or is below this one.
fn overlap_with<'o>(others: &'o ServedObjects, oid: &[u32]) -> Option<&'o [u32]> {
    let leaf = others.leaf_of(oid).unwrap_or_else(|| others.first_leaf_after(oid));
    let other = others.leaf_oid(leaf)?;
    (oid.starts_with(other) || other.starts_with(oid)).then_some(other)
}

/// Returns the name and the module of an object, or else its identifier.
fn describe_object(others: &ServedObjects, oid: &[u32]) -> String {
    let object = others.leaf_of(oid).and_then(|leaf| others.leaf_object(leaf));
    match object.and_then(|object| Some((object, names::module_of(object)?))) {
        Some((object, module)) => format!("{} in {}", object.name, module.name),
        None => display_arcs(oid).to_string(),
    }
}

#[cfg(test)]
mod tests;
