//! Nodes with their properties.

use portreeve_yang::{
    Choice, Constraint, ConstraintKind, Container, Extension, Leaf, LeafList, List, MAX_DEPTH, Node, NodeId,
    NodeKind, SourcePlace, Status,
};

use super::{Converter, types::errors};
use crate::libyang::{Node as CompiledNode, NodeKind as CompiledKind};

impl<'c> Converter<'c, '_> {
    /// Adds a node and everything below it.
    pub(super) fn add_node(&mut self, parent: NodeId, compiled: CompiledNode<'c>, depth: usize) {
        if depth > MAX_DEPTH {
            return self.reject(compiled, &format!("more than {MAX_DEPTH} levels below the top"));
        }
        let (Some(module), Some(kind)) = (self.module_of(compiled), self.node_kind(compiled)) else {
            return self.reject(compiled, "the node is of an unknown kind or module");
        };
        let mut node = Node::new(module, compiled.name(), kind);
        node.config = compiled.is_config();
        node.status = status(compiled.is_deprecated(), compiled.is_obsolete());
        node.extensions = extensions(compiled);
        if !node.extensions.is_empty() {
            let place = self.locator.place(compiled);
            node.place = place.map(|(file, line)| Box::new(SourcePlace { file: file.into(), line }));
        }
        let id = self.builder.add_node(parent, node);
        self.nodes.insert(compiled.address(), id);
        self.added.push((id, compiled));
        for child in compiled.children() {
            self.add_node(id, child, depth + 1);
        }
    }

    fn node_kind(&mut self, node: CompiledNode<'c>) -> Option<NodeKind> {
        let (min, max) = node.element_limits();
        let units = node.units().map(Into::into);
        Some(match node.kind()? {
            CompiledKind::Container => NodeKind::Container(Container { presence: node.has_presence() }),
            CompiledKind::Choice => {
                NodeKind::Choice(Choice { default: None, mandatory: node.is_mandatory() })
            }
            CompiledKind::Case => NodeKind::Case,
            CompiledKind::Leaf => NodeKind::Leaf(Leaf {
                value_type: self.leaf_type(node, node.value_type()?),
                default: self.defaults(node).pop(),
                mandatory: node.is_mandatory() && !node.is_key(),
                is_key: false,
                units,
            }),
            CompiledKind::LeafList => NodeKind::LeafList(LeafList {
                value_type: self.leaf_type(node, node.value_type()?),
                defaults: self.defaults(node),
                user_ordered: node.is_user_ordered(),
                min,
                max,
                units,
            }),
            CompiledKind::List => NodeKind::List(List {
                keys: Vec::new(),
                user_ordered: node.is_user_ordered(),
                min,
                max,
                uniques: Vec::new(),
            }),
            CompiledKind::AnyXml => NodeKind::AnyXml { mandatory: node.is_mandatory() },
            CompiledKind::AnyData => NodeKind::AnyData { mandatory: node.is_mandatory() },
            CompiledKind::Rpc => NodeKind::Rpc,
            CompiledKind::Action => NodeKind::Action,
            CompiledKind::Input => NodeKind::Input,
            CompiledKind::Output => NodeKind::Output,
            CompiledKind::Notification => NodeKind::Notification,
        })
    }

    /// Returns the canonical defaults of a leaf or leaf-list.
    fn defaults(&mut self, leaf: CompiledNode<'c>) -> Vec<Box<str>> {
        let mut canonical = Vec::new();
        for default in leaf.defaults() {
            match default.canonical() {
                Some(value) => canonical.push(value.into()),
                None => {
                    self.reject(leaf, &format!("the default {:?} is not a value of the type", default.text))
                }
            }
        }
        canonical
    }

    /// Sets the properties that refer to other nodes.
    pub(super) fn set_references(&mut self) {
        for (id, compiled) in self.added.clone() {
            let known = |node: &CompiledNode<'c>| self.nodes.get(&node.address()).copied();
            if compiled.kind() == Some(CompiledKind::List) {
                // libyang puts the keys in front of the other children, in the order of `key`.
                let keys: Vec<_> =
                    compiled.children().iter().filter(|child| child.is_key()).filter_map(known).collect();
                let uniques: Vec<Vec<_>> =
                    compiled.uniques().iter().map(|leafs| leafs.iter().filter_map(known).collect()).collect();
                self.builder.set_keys(id, &keys);
                for leafs in uniques {
                    self.builder.add_unique(id, &leafs);
                }
            }
            if let Some(case) = compiled.default_case().as_ref().and_then(known)
                && let Some(Node { kind: NodeKind::Choice(choice), .. }) = self.builder.node_mut(id)
            {
                choice.default = Some(case);
            }
            let constraints = self.constraints(compiled);
            if let Some(node) = self.builder.node_mut(id) {
                node.constraints = constraints;
            }
        }
    }

    /// Returns the `must` and `when` statements of a node.
    fn constraints(&self, node: CompiledNode<'c>) -> Vec<Constraint> {
        let musts = node.musts().into_iter().map(|must| (ConstraintKind::Must, "must", must));
        let whens = node.whens().into_iter().map(|when| (ConstraintKind::When, "when", when));
        musts
            .chain(whens)
            .map(|(kind, keyword, constraint)| {
                let place = self.locator.constraint(node, keyword, constraint.expression);
                let (file, line) = place.unwrap_or_default();
                let context = match constraint.context {
                    Some(context) if context == node => None,
                    Some(context) => self.nodes.get(&context.address()).copied(),
                    None => Some(NodeId::ROOT),
                };
                // Names without a prefix belong to the module of the node, as a rule.
                let prefixes = constraint.prefixes.iter().filter_map(|(prefix, module)| {
                    Some((prefix?.into(), *self.modules.get(&module.address())?))
                });
                Constraint {
                    kind,
                    expression: constraint.expression.into(),
                    prefixes: prefixes.collect(),
                    context,
                    error: errors(constraint.error_message, constraint.error_app_tag),
                    file: file.into(),
                    line,
                }
            })
            .collect()
    }
}

/// Returns the extensions that are stated at a node. libyang copies those of access control to all
/// descendants, and adds one of its own to filters; these are left out.
fn extensions(node: CompiledNode<'_>) -> Vec<Extension> {
    let inherited = node.parent().map(CompiledNode::extensions).unwrap_or_default();
    let is_stated = |extension: &crate::libyang::Extension<'_>| {
        let is_copy = extension.module == ACCESS_CONTROL && inherited.contains(extension);
        !is_copy && (extension.module, extension.name) != ADDED_EXTENSION
    };
    let own = node.extensions().into_iter().filter(is_stated);
    own.map(|extension| Extension {
        module: extension.module.into(),
        name: extension.name.into(),
        argument: extension.argument.unwrap_or_default().into(),
    })
    .collect()
}

pub(super) fn status(is_deprecated: bool, is_obsolete: bool) -> Status {
    match (is_deprecated, is_obsolete) {
        (_, true) => Status::Obsolete,
        (true, false) => Status::Deprecated,
        (false, false) => Status::Current,
    }
}

/// Returns true for a node that libyang adds to a module for its own use.
pub(super) fn is_added(node: CompiledNode<'_>) -> bool {
    let module = node.module().map(crate::libyang::Module::name);
    node.parent().is_none() && (module, node.name()) == (Some(ADDED_NODE.0), ADDED_NODE.1)
}

/// The top-level node and the extension that libyang adds, each with its module.
const ADDED_NODE: (&str, &str) = ("ietf-netconf", "rpc-error");
const ADDED_EXTENSION: (&str, &str) = ("ietf-netconf", "get-filter-element-attributes");

/// The module whose extensions apply to descendants (RFC 8341 section 3.2).
const ACCESS_CONTROL: &str = "ietf-netconf-acm";
