//! The checks of a schema's definitions. All of them take linear or nearly linear time.
//!
//! The order matters: each check relies on the facts that those before it have proven.

use crate::{SchemaError, definitions::Definitions};

mod identities;
mod modules;
mod node_kinds;
mod nodes;
mod restrictions;
mod text;
mod types;

pub(crate) use identities::Derivations;

/// Checks the definitions, so that the tables can be derived from them.
pub(crate) fn check(definitions: &Definitions) -> Result<(), SchemaError> {
    modules::check(definitions)?;
    nodes::check(definitions)?;
    types::check(definitions)
}

#[cfg(test)]
mod tests;
