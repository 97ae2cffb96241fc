//! Converts what libyang has compiled to a [`Schema`].

mod leafref;
mod modules;
mod nodes;
mod types;

use std::{collections::HashMap, fmt};

use portreeve_yang::{IdentityId, ModuleId, NodeId, Schema, SchemaBuilder, SchemaError, TypeId};

use crate::{
    Problem,
    files::ModuleFiles,
    libyang::{Context, Node, Type},
    locate::Locator,
};

/// Converts the implemented modules of a context, and the modules that they import.
///
/// `requested` are the modules to implement, and `built_in` those of a context without modules.
pub(crate) fn convert(
    context: &Context,
    files: &ModuleFiles,
    requested: &[String],
    built_in: &[String],
) -> Result<Schema, Vec<Problem>> {
    let mut converter = Converter {
        context,
        files,
        requested,
        built_in,
        locator: Locator::default(),
        builder: SchemaBuilder::new(),
        modules: HashMap::new(),
        identities: HashMap::new(),
        types: HashMap::new(),
        type_users: HashMap::new(),
        equal_types: HashMap::new(),
        nodes: HashMap::new(),
        added: Vec::new(),
        leafrefs: Vec::new(),
        problems: Vec::new(),
    };
    converter.add_modules();
    converter.add_identities();
    for module in context.modules() {
        if converter.is_implemented(module) {
            for node in module.nodes().into_iter().filter(|node| !nodes::is_added(*node)) {
                converter.add_node(NodeId::ROOT, node, 1);
            }
        }
    }
    converter.set_references();
    converter.set_leafrefs();
    if !converter.problems.is_empty() {
        return Err(converter.problems);
    }
    let built = std::mem::take(&mut converter.builder).build();
    let schema = built.map_err(|error| vec![converter.problem_of(&error)])?;
    // Each of them is valid on its own.
    let invalid = schema.invalid_patterns().into_iter();
    let problems: Vec<_> = invalid.map(|(text, error)| Problem::new(format!("{error}: {text:?}"))).collect();
    if problems.is_empty() { Ok(schema) } else { Err(problems) }
}

/// The state of a conversion. The maps have the addresses of libyang's structures as keys.
struct Converter<'c, 'f> {
    context: &'c Context,
    files: &'f ModuleFiles,
    requested: &'f [String],
    built_in: &'f [String],
    locator: Locator,
    builder: SchemaBuilder,
    modules: HashMap<usize, ModuleId>,
    identities: HashMap<usize, IdentityId>,
    types: HashMap<usize, TypeId>,
    /// A leaf or leaf-list for each type, for messages.
    type_users: HashMap<usize, Node<'c>>,
    /// Types without leafrefs, by their descriptions, so that equal types are stored once.
    equal_types: HashMap<String, TypeId>,
    nodes: HashMap<usize, NodeId>,
    /// All nodes, for properties that refer to other nodes.
    added: Vec<(NodeId, Node<'c>)>,
    /// Leafrefs without target.
    leafrefs: Vec<(TypeId, Node<'c>, Type<'c>)>,
    problems: Vec<Problem>,
}

impl<'c> Converter<'c, '_> {
    /// Adds a problem of a node.
    fn reject(&mut self, node: Node<'c>, text: &str) {
        self.problems.push(self.locator.problem_at(node, text));
    }

    /// Returns the place and the reason why the schema is refused. libyang accepts it, so that one
    /// of our limits is exceeded.
    fn problem_of(&self, error: &SchemaError) -> Problem {
        let at = |node: Option<Node<'c>>, reason: &dyn fmt::Display| {
            node.map(|node| self.locator.problem_at(node, &reason.to_string()))
        };
        let place = match error {
            SchemaError::Node { id, reason, .. } => {
                at(self.added.iter().find(|(known, _)| known == id).map(|(_, node)| *node), reason)
            }
            SchemaError::Type { index, reason } => at(self.type_users.get(index).copied(), reason),
            SchemaError::Identity { name, .. } => self.locator.problem_at_definition("identity", name, error),
            SchemaError::Module { name, .. } => self.locator.problem_in_module(name, error),
            SchemaError::File(_) | SchemaError::TooMany { .. } => None,
        };
        place.unwrap_or_else(|| Problem::new(error.to_string()))
    }
}

#[cfg(test)]
mod tests;
