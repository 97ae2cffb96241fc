//! The construction of a schema.

use crate::{
    Identity, IdentityId, MAX_IDENTITIES, MAX_MODULES, MAX_NODES, MAX_TYPES, Module, ModuleId, Node, NodeId,
    NodeKind, Schema, SchemaError, Type, TypeId, definitions::Definitions,
};

/// Collects the definitions of a schema.
///
/// Nodes, types and identities refer to others by their numbers. A reference to a definition that
/// follows later is set with the `…_mut` methods. [`SchemaBuilder::build`] checks all of them.
///
/// ```
/// use portreeve_yang::{Module, Node, NodeId, NodeKind, SchemaBuilder, Type, TypeKind};
///
/// let mut builder = SchemaBuilder::new();
/// let module = builder.add_module(Module::new("example", "urn:example", "ex"));
/// let string = builder.add_type(Type::new(TypeKind::string()));
/// let server = builder.add_node(NodeId::ROOT, Node::new(module, "server", NodeKind::list()));
/// let name = builder.add_node(server, Node::new(module, "name", NodeKind::leaf(string)));
/// builder.set_keys(server, &[name]);
/// let schema = builder.build()?;
/// assert_eq!(schema.top_level(module, "server"), Some(server));
/// # Ok::<(), portreeve_yang::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SchemaBuilder {
    definitions: Definitions,
}

impl Default for SchemaBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl SchemaBuilder {
    /// Creates a builder of a schema that has only the root.
    pub fn new() -> Self {
        Self { definitions: Definitions::new() }
    }

    pub(crate) fn from_definitions(definitions: Definitions) -> Self {
        Self { definitions }
    }

    /// Adds a module.
    pub fn add_module(&mut self, module: Module) -> ModuleId {
        ModuleId(self.definitions.modules.push(module).try_into().unwrap_or(u16::MAX))
    }

    /// Adds a type.
    pub fn add_type(&mut self, value_type: Type) -> TypeId {
        TypeId(self.definitions.types.push(value_type).try_into().unwrap_or(u32::MAX))
    }

    /// Adds an identity.
    pub fn add_identity(&mut self, identity: Identity) -> IdentityId {
        IdentityId(self.definitions.identities.push(identity).try_into().unwrap_or(u32::MAX))
    }

    /// Adds a node as the last child of its parent. Sets [`Node::parent`].
    pub fn add_node(&mut self, parent: NodeId, mut node: Node) -> NodeId {
        node.parent = Some(parent);
        NodeId(self.definitions.nodes.push(node).try_into().unwrap_or(u32::MAX))
    }

    /// Sets the key leafs of a list, and marks them as keys.
    pub fn set_keys(&mut self, list: NodeId, keys: &[NodeId]) {
        if let Some(Node { kind: NodeKind::List(list), .. }) = self.node_mut(list) {
            list.keys = keys.to_vec();
        }
        for key in keys {
            if let Some(Node { kind: NodeKind::Leaf(leaf), .. }) = self.node_mut(*key) {
                leaf.is_key = true;
            }
        }
    }

    /// Adds a `unique` statement to a list.
    pub fn add_unique(&mut self, list: NodeId, leafs: &[NodeId]) {
        if let Some(Node { kind: NodeKind::List(list), .. }) = self.node_mut(list) {
            list.uniques.push(leafs.to_vec());
        }
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> &Node {
        self.definitions.node(id)
    }

    /// Returns a node to be changed; `None` if the number is not of this builder.
    pub fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.definitions.nodes.get_mut(id.index())
    }

    /// Returns a module to be changed; `None` if the number is not of this builder.
    pub fn module_mut(&mut self, id: ModuleId) -> Option<&mut Module> {
        self.definitions.modules.get_mut(id.index())
    }

    /// Returns a type to be changed; `None` if the number is not of this builder.
    pub fn type_mut(&mut self, id: TypeId) -> Option<&mut Type> {
        self.definitions.types.get_mut(id.index())
    }

    /// Returns an identity to be changed; `None` if the number is not of this builder.
    pub fn identity_mut(&mut self, id: IdentityId) -> Option<&mut Identity> {
        self.definitions.identities.get_mut(id.index())
    }

    /// Checks the definitions and creates the schema.
    ///
    /// # Errors
    /// A definition refers to one that does not exist or has the wrong kind, two definitions have
    /// the same name, or a limit is exceeded.
    pub fn build(self) -> Result<Schema, SchemaError> {
        let Definitions { modules, nodes, types, identities } = &self.definitions;
        for (items, count, max) in [
            ("modules", modules.len(), MAX_MODULES),
            ("nodes", nodes.len(), MAX_NODES),
            ("types", types.len(), MAX_TYPES),
            ("identities", identities.len(), MAX_IDENTITIES),
        ] {
            if count > max {
                return Err(SchemaError::TooMany { items, max });
            }
        }
        Schema::new(self.definitions)
    }
}
