//! A compiled schema and the look-ups in it.

use std::{ops::Range, sync::OnceLock};

use crate::{
    Identity, IdentityId, Leaf, LeafList, Module, ModuleId, Node, NodeId, NodeKind, NodeReason, RowLayout,
    SchemaBuilder, SchemaError, Type, TypeId, TypeKind,
    check::{Derivations, check},
    definitions::Definitions,
    index::{Index, node_id},
    names::Names,
    value::Patterns,
};

/// A compiled schema. It never changes.
///
/// A number of another schema gets an item without content instead of an error.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) definitions: Definitions,
    index: Index,
    names: Names,
    derivations: Derivations,
    pub(crate) patterns: Patterns,
    /// The digest of the schema file, as soon as it is known.
    pub(crate) digest: OnceLock<u64>,
}

/// Schemas are equal if they have the same definitions with the same numbers.
impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.definitions == other.definitions
    }
}

impl Eq for Schema {}

impl Default for Schema {
    /// The schema without modules.
    fn default() -> Self {
        let definitions = Definitions::new();
        Self {
            derivations: Derivations::default(),
            index: Index::new(&definitions),
            names: Names::new(&definitions),
            patterns: Patterns::new(&definitions),
            digest: OnceLock::new(),
            definitions,
        }
    }
}

impl Schema {
    pub(crate) fn new(definitions: Definitions) -> Result<Self, SchemaError> {
        check(&definitions)?;
        let derivations = Derivations::new(&definitions)?;
        let index = Index::new(&definitions);
        let node_error = |id, reason| SchemaError::Node { id, path: definitions.describe(id), reason };
        if let Some(node) = index.duplicate(&definitions) {
            return Err(node_error(node, NodeReason::Duplicate));
        }
        if let Some(row) = index.rows.too_wide {
            return Err(node_error(row, NodeReason::RowTooWide));
        }
        let names = Names::new(&definitions);
        let patterns = Patterns::new(&definitions);
        Ok(Self { definitions, index, names, derivations, patterns, digest: OnceLock::new() })
    }

    /// Returns a builder with the definitions of this schema, which can be changed there. All
    /// numbers stay valid.
    pub fn into_builder(self) -> SchemaBuilder {
        SchemaBuilder::from_definitions(self.definitions)
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> &Node {
        self.definitions.node(id)
    }

    /// Returns the name of the file, without its directory, and the line of a node's statement:
    /// the one in a grouping or augment if it comes from there. Known for nodes with extensions.
    pub fn location(&self, id: NodeId) -> Option<(&str, u32)> {
        self.node(id).place.as_ref().map(|place| (&*place.file, place.line))
    }

    /// Returns a module.
    pub fn module(&self, id: ModuleId) -> &Module {
        self.definitions.module(id)
    }

    /// Returns a type.
    pub fn value_type(&self, id: TypeId) -> &Type {
        self.definitions.value_type(id)
    }

    /// Returns an identity.
    pub fn identity(&self, id: IdentityId) -> &Identity {
        self.definitions.identity(id)
    }

    /// Returns all nodes with their numbers. Parents precede their children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.definitions.nodes.items().iter().enumerate().map(|(index, node)| (node_id(index), node))
    }

    /// Returns all modules with their numbers.
    pub fn modules(&self) -> impl ExactSizeIterator<Item = (ModuleId, &Module)> {
        let modules = self.definitions.modules.items().iter().enumerate();
        modules.map(|(index, module)| (ModuleId(u16::try_from(index).unwrap_or(u16::MAX)), module))
    }

    /// Returns all types with their numbers.
    pub fn value_types(&self) -> impl ExactSizeIterator<Item = (TypeId, &Type)> {
        let types = self.definitions.types.items().iter().enumerate();
        types.map(|(index, value_type)| (TypeId(u32::try_from(index).unwrap_or(u32::MAX)), value_type))
    }

    /// Returns all identities with their numbers.
    pub fn identities(&self) -> impl ExactSizeIterator<Item = (IdentityId, &Identity)> {
        let identities = self.definitions.identities.items().iter().enumerate();
        identities.map(|(index, identity)| (IdentityId(u32::try_from(index).unwrap_or(u32::MAX)), identity))
    }

    /// Returns the implemented module of this name or else its latest revision.
    pub fn module_by_name(&self, name: &str) -> Option<ModuleId> {
        self.names.module_by_name(&self.definitions, name)
    }

    /// Returns the implemented module with this namespace or else its latest revision.
    pub fn module_by_namespace(&self, namespace: &str) -> Option<ModuleId> {
        self.names.module_by_namespace(&self.definitions, namespace)
    }

    /// Returns a prefix for a module in XML, which no other module of the schema has: its own
    /// prefix if possible.
    pub fn unique_prefix(&self, module: ModuleId) -> &str {
        self.names.unique_prefix(module)
    }

    /// Returns the identity of this module and name.
    pub fn identity_by_name(&self, module: ModuleId, name: &str) -> Option<IdentityId> {
        self.names.identity(&self.definitions, module, name)
    }

    /// Returns whether an identity is derived from another, directly or indirectly. No identity is
    /// derived from itself.
    pub fn is_derived(&self, identity: IdentityId, base: IdentityId) -> bool {
        self.derivations.is_derived(identity, base)
    }

    /// Returns the children of a node in schema order, with choices, cases, operations and
    /// notifications.
    pub fn children(&self, parent: NodeId) -> &[NodeId] {
        self.index.children(parent)
    }

    /// Returns the data nodes below a node in schema order. Choices and cases are replaced by the
    /// data nodes in them. For a choice or case, the data nodes in it.
    pub fn data_children(&self, parent: NodeId) -> &[NodeId] {
        self.index.data_children(parent)
    }

    /// Returns the child of this name in the namespace of a module. Choices and cases are children.
    pub fn child(&self, parent: NodeId, module: ModuleId, name: &str) -> Option<NodeId> {
        self.index.child(&self.definitions, parent, module, name)
    }

    /// Returns the top-level node of this name: a data node, operation or notification.
    pub fn top_level(&self, module: ModuleId, name: &str) -> Option<NodeId> {
        let child =
            || self.child(NodeId::ROOT, module, name).filter(|id| !self.node(*id).is_choice_or_case());
        self.data_child(NodeId::ROOT, module, name).or_else(child)
    }

    /// Returns the data node of this name, with at most choices and cases between the parent and
    /// it. A choice or case as parent has none.
    pub fn data_child(&self, parent: NodeId, module: ModuleId, name: &str) -> Option<NodeId> {
        self.index.data_child(&self.definitions, parent, module, name)
    }

    /// Returns the parent in data: the closest ancestor that is neither a choice nor a case. `None`
    /// for the root.
    pub fn data_parent(&self, id: NodeId) -> Option<NodeId> {
        self.definitions.data_parent(id)
    }

    /// Returns the properties of a leaf; `None` for other nodes.
    pub fn leaf(&self, id: NodeId) -> Option<&Leaf> {
        match &self.node(id).kind {
            NodeKind::Leaf(leaf) => Some(leaf),
            _ => None,
        }
    }

    /// Returns the properties of a leaf-list; `None` for other nodes.
    pub fn leaf_list(&self, id: NodeId) -> Option<&LeafList> {
        match &self.node(id).kind {
            NodeKind::LeafList(leaf_list) => Some(leaf_list),
            _ => None,
        }
    }

    /// Returns the key leafs of a list in the order of its `key` statement; empty for other nodes.
    pub fn keys(&self, id: NodeId) -> &[NodeId] {
        match &self.node(id).kind {
            NodeKind::List(list) => &list.keys,
            _ => &[],
        }
    }

    /// Returns the type of a leaf or leaf-list; `None` for other nodes. A leafref is not followed.
    pub fn type_of(&self, id: NodeId) -> Option<TypeId> {
        match &self.node(id).kind {
            NodeKind::Leaf(leaf) => Some(leaf.value_type),
            NodeKind::LeafList(leaf_list) => Some(leaf_list.value_type),
            _ => None,
        }
    }

    /// Returns the type that determines the values: for a leafref, the one of the leaf at the end
    /// of all leafrefs.
    pub fn real_type(&self, id: TypeId) -> TypeId {
        let mut at = id;
        while let TypeKind::Leafref { target, .. } = &self.value_type(at).kind {
            let Some(next) = self.type_of(*target) else { break };
            at = next;
        }
        at
    }

    /// Returns the layout of the rows of a node; an empty one if the node has no rows.
    pub fn row_layout(&self, row: NodeId) -> RowLayout<'_> {
        self.index.rows.layout(row)
    }

    /// Returns the node whose rows contain a data node, choice or case; `None` for the root and for
    /// nodes that belong to no row. For a list or presence container, this is the row above.
    pub fn row_of(&self, id: NodeId) -> Option<NodeId> {
        self.index.rows.row_of(id)
    }

    /// Returns the indexes in [`RowLayout::slots`] of the row that contains a node: that of a leaf,
    /// or those of all leafs in a container without presence, choice or case.
    pub fn slots_in(&self, id: NodeId) -> Range<usize> {
        self.index.rows.slots_in(id)
    }

    /// Returns the indexes in [`RowLayout::children`] of the row that contains a node: that of a
    /// list, leaf-list or presence container, or those of all of them in a container without
    /// presence, choice or case.
    pub fn row_children_in(&self, id: NodeId) -> Range<usize> {
        self.index.rows.children_in(id)
    }

    /// Returns the index of a leaf, anydata or anyxml in [`RowLayout::slots`] of the row that
    /// contains it; `None` for other nodes.
    pub fn slot(&self, id: NodeId) -> Option<usize> {
        match self.node(id).kind {
            NodeKind::Leaf(_) | NodeKind::AnyData { .. } | NodeKind::AnyXml { .. } => {
                self.slots_in(id).next()
            }
            _ => None,
        }
    }
}
