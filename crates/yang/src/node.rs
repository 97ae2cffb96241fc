//! Schema nodes (RFC 7950 §7).

use crate::{ModuleId, NodeId, TypeId};

/// A schema node. Its children are found with [`Schema::children`](crate::Schema::children).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The name, without a prefix. Empty for the root.
    pub name: Box<str>,
    /// The module whose namespace the node is in. Meaningless for the root.
    pub module: ModuleId,
    /// The parent; `None` for the root. The builder sets it.
    pub parent: Option<NodeId>,
    /// The kind, with its properties.
    pub kind: NodeKind,
    /// The node is configuration. Has no meaning in operations and notifications.
    pub config: bool,
    /// The status.
    pub status: Status,
    /// The instances of extensions at this node, in the order of the module.
    pub extensions: Vec<Extension>,
    /// The `must` and `when` statements.
    pub constraints: Vec<Constraint>,
    /// The place of the node's statement, if the node has extensions and the place is known.
    pub place: Option<Box<SourcePlace>>,
}

/// A place in the text of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The name of the file, without its directory.
    pub file: Box<str>,
    /// The line, counted from 1.
    pub line: u32,
}

/// The kind of a schema node, with the properties that only this kind has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The parent of the top-level nodes. Each schema has one.
    Root,
    /// A container.
    Container(Container),
    /// A list.
    List(List),
    /// A leaf.
    Leaf(Leaf),
    /// A leaf-list.
    LeafList(LeafList),
    /// A choice.
    Choice(Choice),
    /// A case of a choice.
    Case,
    /// Any data that a YANG module could define.
    AnyData {
        /// The node has to exist.
        mandatory: bool,
    },
    /// Any XML.
    AnyXml {
        /// The node has to exist.
        mandatory: bool,
    },
    /// An operation at the top level.
    Rpc,
    /// An operation on a data node.
    Action,
    /// The parameters of an operation.
    Input,
    /// The results of an operation.
    Output,
    /// A notification.
    Notification,
}

/// The properties of a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Container {
    /// The existence of the container is data in itself.
    pub presence: bool,
}

/// The properties of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The key leafs, in the order of the `key` statement. Empty for a list of state without keys.
    pub keys: Vec<NodeId>,
    /// The user determines the order of the entries.
    pub user_ordered: bool,
    /// The minimum number of entries.
    pub min: u32,
    /// The maximum number of entries.
    pub max: Option<u32>,
    /// The `unique` statements: the leafs whose values together differ between entries.
    pub uniques: Vec<Vec<NodeId>>,
}

/// The properties of a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The type.
    pub value_type: TypeId,
    /// The default in its canonical form, from the leaf or from its type.
    pub default: Option<Box<str>>,
    /// The leaf has to exist.
    pub mandatory: bool,
    /// The leaf is a key of its list. [`SchemaBuilder::set_keys`](crate::SchemaBuilder::set_keys)
    /// sets it.
    pub is_key: bool,
    /// The units, from the leaf or from its type.
    pub units: Option<Box<str>>,
}

/// The properties of a leaf-list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafList {
    /// The type.
    pub value_type: TypeId,
    /// The defaults in their canonical form, in order.
    pub defaults: Vec<Box<str>>,
    /// The user determines the order of the entries.
    pub user_ordered: bool,
    /// The minimum number of entries.
    pub min: u32,
    /// The maximum number of entries.
    pub max: Option<u32>,
    /// The units, from the leaf-list or from its type.
    pub units: Option<Box<str>>,
}

/// The properties of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The default case.
    pub default: Option<NodeId>,
    /// A node of one of the cases has to exist.
    pub mandatory: bool,
}

/// The status of a definition (RFC 7950 §7.21.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Valid.
    #[default]
    Current,
    /// Valid, but new implementations need not have it.
    Deprecated,
    /// Not to be implemented.
    Obsolete,
}

/// The access that the schema denies unless a rule permits it (RFC 8341 §3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefaultDeny {
    /// The defaults of the access control apply.
    #[default]
    None,
    /// Writing is denied.
    Write,
    /// Reading and writing are denied.
    All,
}

/// An instance of an extension (RFC 7950 §7.19).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The name of the module that defines the extension.
    pub module: Box<str>,
    /// The name of the extension.
    pub name: Box<str>,
    /// The argument; empty if the extension has none.
    pub argument: Box<str>,
}

/// A `must` or `when` statement (RFC 7950 §7.5.3, §7.21.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The statement.
    pub kind: ConstraintKind,
    /// The XPath expression.
    pub expression: Box<str>,
    /// The prefixes that the expression can use, with their modules.
    pub prefixes: Vec<(Box<str>, ModuleId)>,
    /// The context node, if it is not the node of the statement. A `when` of an augment, uses,
    /// choice or case has the closest ancestor that is a data node.
    pub context: Option<NodeId>,
    /// The error-message and error-app-tag of a `must`.
    pub error: ErrorStatements,
    /// The name of the file that contains the statement, without its directory.
    pub file: Box<str>,
    /// The line of the statement in this file, counted from 1; 0 if unknown.
    pub line: u32,
}

/// The statement of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// The expression is true in valid data.
    Must,
    /// The node can exist only if the expression is true.
    When,
}

/// The statements `error-message` and `error-app-tag` of a restriction (RFC 7950 §7.5.4.1,
/// §7.5.4.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorStatements {
    /// The text for users.
    pub message: Option<Box<str>>,
    /// The name of the error for programs.
    pub app_tag: Option<Box<str>>,
}

impl Node {
    /// Creates a node that is current configuration, without extensions and constraints.
    pub fn new(module: ModuleId, name: &str, kind: NodeKind) -> Self {
        Self {
            name: name.into(),
            module,
            parent: None,
            kind,
            config: true,
            status: Status::Current,
            extensions: Vec::new(),
            constraints: Vec::new(),
            place: None,
        }
    }

    /// Creates the root.
    pub(crate) fn root() -> Self {
        Self::new(ModuleId(0), "", NodeKind::Root)
    }

    /// Returns whether instances of this node occur in data: a container, list, leaf, leaf-list,
    /// anydata or anyxml.
    pub fn is_data(&self) -> bool {
        match self.kind {
            NodeKind::Container(_)
            | NodeKind::List(_)
            | NodeKind::Leaf(_)
            | NodeKind::LeafList(_)
            | NodeKind::AnyData { .. }
            | NodeKind::AnyXml { .. } => true,
            NodeKind::Root
            | NodeKind::Choice(_)
            | NodeKind::Case
            | NodeKind::Rpc
            | NodeKind::Action
            | NodeKind::Input
            | NodeKind::Output
            | NodeKind::Notification => false,
        }
    }

    /// Returns whether this node is a choice or a case, which occur in the schema only.
    pub fn is_choice_or_case(&self) -> bool {
        matches!(self.kind, NodeKind::Choice(_) | NodeKind::Case)
    }

    /// Returns whether instances of this node, or its entries, are rows: the root, a list, a
    /// presence container, and the contents of an operation or notification.
    pub fn is_row(&self) -> bool {
        matches!(
            self.kind,
            NodeKind::Root
                | NodeKind::List(_)
                | NodeKind::Container(Container { presence: true })
                | NodeKind::Input
                | NodeKind::Output
                | NodeKind::Notification
        )
    }

    /// Returns whether this node is a container without presence, which exists while its parent
    /// does.
    pub fn is_plain_container(&self) -> bool {
        matches!(self.kind, NodeKind::Container(Container { presence: false }))
    }

    /// Returns the argument of the first instance of an extension at this node.
    pub fn extension(&self, module: &str, name: &str) -> Option<&str> {
        self.extensions
            .iter()
            .find(|extension| *extension.module == *module && *extension.name == *name)
            .map(|extension| &*extension.argument)
    }

    /// Returns the default access that the extensions of this node state. Ancestors are not
    /// considered.
    pub fn default_deny(&self) -> DefaultDeny {
        if self.extension("ietf-netconf-acm", "default-deny-all").is_some() {
            DefaultDeny::All
        } else if self.extension("ietf-netconf-acm", "default-deny-write").is_some() {
            DefaultDeny::Write
        } else {
            DefaultDeny::None
        }
    }
}

impl NodeKind {
    /// Returns a container without presence.
    pub fn container() -> Self {
        Self::Container(Container { presence: false })
    }

    /// Returns a presence container.
    pub fn presence_container() -> Self {
        Self::Container(Container { presence: true })
    }

    /// Returns a list that the system orders. Its keys follow with
    /// [`SchemaBuilder::set_keys`](crate::SchemaBuilder::set_keys).
    pub fn list() -> Self {
        Self::List(List::default())
    }

    /// Returns an optional leaf without default.
    pub fn leaf(value_type: TypeId) -> Self {
        Self::Leaf(Leaf { value_type, default: None, mandatory: false, is_key: false, units: None })
    }

    /// Returns a leaf-list that the system orders, without defaults.
    pub fn leaf_list(value_type: TypeId) -> Self {
        Self::LeafList(LeafList {
            value_type,
            defaults: Vec::new(),
            user_ordered: false,
            min: 0,
            max: None,
            units: None,
        })
    }

    /// Returns an optional choice without default.
    pub fn choice() -> Self {
        Self::Choice(Choice::default())
    }

    /// Returns the keyword of the kind in YANG, for messages.
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Container(_) => "container",
            Self::List(_) => "list",
            Self::Leaf(_) => "leaf",
            Self::LeafList(_) => "leaf-list",
            Self::Choice(_) => "choice",
            Self::Case => "case",
            Self::AnyData { .. } => "anydata",
            Self::AnyXml { .. } => "anyxml",
            Self::Rpc => "rpc",
            Self::Action => "action",
            Self::Input => "input",
            Self::Output => "output",
            Self::Notification => "notification",
        }
    }
}
