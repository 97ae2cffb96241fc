//! The content of a schema, from which everything else is derived.

use crate::{
    Identity, IdentityId, MAX_NAME, Module, ModuleId, Node, NodeId, Status, Type, TypeId, TypeKind,
    arena::Arena,
};

/// The content of a schema: the part that the schema file contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definitions {
    pub(crate) modules: Arena<Module>,
    pub(crate) nodes: Arena<Node>,
    pub(crate) types: Arena<Type>,
    pub(crate) identities: Arena<Identity>,
}

impl Definitions {
    /// Creates the content of a schema that has the root only.
    pub(crate) fn new() -> Self {
        let root = Node::root();
        let identity =
            Identity { name: "".into(), module: ModuleId(0), bases: Vec::new(), status: Status::Current };
        let mut nodes = Arena::new(root.clone());
        nodes.push(root);
        Self {
            modules: Arena::new(Module::default()),
            nodes,
            types: Arena::new(Type::new(TypeKind::Empty)),
            identities: Arena::new(identity),
        }
    }

    pub(crate) fn module(&self, id: ModuleId) -> &Module {
        self.modules.get(id.index())
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.index())
    }

    pub(crate) fn value_type(&self, id: TypeId) -> &Type {
        self.types.get(id.index())
    }

    pub(crate) fn identity(&self, id: IdentityId) -> &Identity {
        self.identities.get(id.index())
    }

    /// Returns the closest ancestor that is neither a choice nor a case.
    pub(crate) fn data_parent(&self, id: NodeId) -> Option<NodeId> {
        let mut parent = self.node(id).parent?;
        while self.node(parent).is_choice_or_case() {
            parent = self.node(parent).parent?;
        }
        Some(parent)
    }

    /// Returns the path of a node with the names of its module where they change, for messages.
    /// It has at most [`MAX_DEPTH`](crate::MAX_DEPTH) steps.
    pub(crate) fn describe(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while steps.len() < crate::MAX_DEPTH {
            let node = self.node(at);
            let Some(parent) = node.parent else { break };
            let same_module = parent != NodeId::ROOT && self.node(parent).module == node.module;
            let module = if same_module { "" } else { &*self.module(node.module).name };
            let colon = if same_module { "" } else { ":" };
            steps.push(format!("/{}{colon}{}", shorten(module), shorten(&node.name)));
            at = parent;
        }
        if steps.is_empty() {
            return "/".to_owned();
        }
        steps.into_iter().rev().collect()
    }
}

/// Returns the beginning of a name for a message. A hostile name can have the length of the file.
pub(crate) fn shorten(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}
