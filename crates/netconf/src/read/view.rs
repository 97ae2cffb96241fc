//! Trees as filters see them: one or more trees that share their top level, without the nodes that
//! the user may not read.

use std::cmp::Ordering;
use std::sync::Arc;

use portreeve_netconf_message::filter::{ContentMatch, DataTree};
use portreeve_yang::{ModuleId, NodeId, NodeKind, PrefixResolver, Schema};
use portreeve_yang_text::write::ReadAccess;
use portreeve_yang_tree::{Child, Row, RowKey, Tree, value_key, value_of};

/// The data that one reply can contain.
///
/// A top-level node is in one of the trees only: configuration and each kind of state have their
/// own top-level nodes.
#[derive(Clone)]
pub(crate) struct DataView {
    schema: Arc<Schema>,
    trees: Vec<Tree>,
    /// `None` if the user may read everything.
    access: Option<Arc<dyn ReadAccess>>,
}

/// A node of a [`DataView`]. It holds the row in which it is, so that it outlives newer versions.
#[derive(Clone)]
pub(crate) enum DataNode {
    /// The node above the top-level nodes.
    Root,
    /// A container, with the row that contains its children.
    Container(NodeId, Arc<Row>),
    /// A list entry.
    Entry {
        list: NodeId,
        key: RowKey,
        /// The position, if users order the list.
        position: Option<u64>,
        row: Arc<Row>,
    },
    /// A leaf in a row.
    Leaf(NodeId, Arc<Row>),
    /// An entry of a leaf-list.
    Value(NodeId, RowKey),
}

impl DataView {
    pub(crate) fn new(schema: Arc<Schema>, trees: Vec<Tree>, access: Option<Arc<dyn ReadAccess>>) -> Self {
        Self { schema, trees, access }
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    pub(crate) fn trees(&self) -> &[Tree] {
        &self.trees
    }

    pub(crate) fn access(&self) -> Option<&Arc<dyn ReadAccess>> {
        self.access.as_ref()
    }

    fn child_in(&self, row: &Arc<Row>, kind: NodeId, previous: Option<&DataNode>) -> Option<DataNode> {
        let schema = &*self.schema;
        match &schema.node(kind).kind {
            NodeKind::Leaf(_) if previous.is_none() => {
                row.leaf(schema.slot(kind)?)?;
                Some(DataNode::Leaf(kind, Arc::clone(row)))
            }
            NodeKind::Container(container) if previous.is_none() => {
                if container.presence {
                    let row = row.container(schema.row_children_in(kind).start)?;
                    return Some(DataNode::Container(kind, Arc::clone(row)));
                }
                let exists = row.has_content(schema.slots_in(kind), schema.row_children_in(kind));
                exists.then(|| DataNode::Container(kind, Arc::clone(row)))
            }
            NodeKind::List(_) | NodeKind::LeafList(_) => {
                match (row.child(schema.row_children_in(kind).start)?, previous) {
                    (Child::List(list), previous) => {
                        let (key, entry) = match previous {
                            None => list.first()?,
                            Some(DataNode::Entry { key, .. }) => list.next_after(key.as_octets())?,
                            Some(_) => return None,
                        };
                        let position = list.order().and_then(|order| order.position(key.as_octets()));
                        Some(DataNode::Entry {
                            list: kind,
                            key: key.clone(),
                            position,
                            row: Arc::clone(entry),
                        })
                    }
                    (Child::LeafList(values), None) => {
                        values.first().map(|(key, ())| DataNode::Value(kind, key.clone()))
                    }
                    (Child::LeafList(values), Some(DataNode::Value(_, previous))) => {
                        let (key, ()) = values.next_after(previous.as_octets())?;
                        Some(DataNode::Value(kind, key.clone()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl DataNode {
    /// Returns the schema node.
    pub(crate) fn kind(&self) -> NodeId {
        match self {
            Self::Root => NodeId::ROOT,
            Self::Container(kind, _) | Self::Leaf(kind, _) | Self::Value(kind, _) => *kind,
            Self::Entry { list, .. } => *list,
        }
    }

    /// Returns the row that contains the children of a container or list entry.
    pub(crate) fn row(&self) -> Option<&Arc<Row>> {
        match self {
            Self::Container(_, row) | Self::Entry { row, .. } => Some(row),
            Self::Root | Self::Leaf(..) | Self::Value(..) => None,
        }
    }

    /// Returns the canonical value of a leaf or of an entry of a leaf-list.
    pub(crate) fn value(&self, schema: &Schema) -> Option<&str> {
        match self {
            Self::Leaf(kind, row) => row.leaf(schema.slot(*kind)?),
            Self::Value(_, key) => Some(value_of(key)),
            Self::Root | Self::Container(..) | Self::Entry { .. } => None,
        }
    }
}

impl DataTree for DataView {
    type Kind = NodeId;
    type Node = DataNode;
    type Value = Box<str>;

    fn root(&self) -> DataNode {
        DataNode::Root
    }

    fn child_kinds(&self, parent: Option<NodeId>) -> impl Iterator<Item = NodeId> {
        let kinds = self.schema.data_children(parent.unwrap_or(NodeId::ROOT)).iter().copied();
        kinds.filter(|kind| self.access.as_ref().is_none_or(|access| access.may_read(*kind)))
    }

    fn namespace(&self, kind: NodeId) -> &str {
        &self.schema.module(self.schema.node(kind).module).namespace
    }

    fn name(&self, kind: NodeId) -> &str {
        &self.schema.node(kind).name
    }

    fn is_key(&self, kind: NodeId) -> bool {
        self.schema.leaf(kind).is_some_and(|leaf| leaf.is_key)
    }

    fn value(&self, kind: NodeId, content: ContentMatch<'_>) -> Option<Box<str>> {
        let prefixes = FilterPrefixes { schema: &self.schema, content };
        let value = self.schema.canonical(self.schema.type_of(kind)?, content.text(), &prefixes);
        value.ok().map(Into::into)
    }

    fn next_child(&self, parent: &DataNode, kind: NodeId, previous: Option<&DataNode>) -> Option<DataNode> {
        match parent {
            DataNode::Root => self.trees.iter().find_map(|tree| self.child_in(tree.root(), kind, previous)),
            _ => self.child_in(parent.row()?, kind, previous),
        }
    }

    fn find_entry(&self, parent: &DataNode, list: NodeId, keys: &[(NodeId, &Box<str>)]) -> Option<DataNode> {
        let schema = &*self.schema;
        // In the order of the `key` statement, which can differ from that of the children.
        let values: Option<Vec<&str>> = schema
            .keys(list)
            .iter()
            .map(|key| keys.iter().find(|(kind, _)| kind == key).map(|(_, value)| &***value))
            .collect();
        let key = RowKey::from(&schema.encode_key(list, values?).ok()?[..]);
        let index = schema.row_children_in(list).start;
        let find = |row: &Arc<Row>| {
            let entries = row.list(index)?;
            let entry = entries.get(key.as_octets())?;
            let position = entries.order().and_then(|order| order.position(key.as_octets()));
            Some(DataNode::Entry { list, key: key.clone(), position, row: Arc::clone(entry) })
        };
        match parent {
            DataNode::Root => self.trees.iter().find_map(|tree| find(tree.root())),
            _ => find(parent.row()?),
        }
    }

    fn compare_entries(&self, one: &DataNode, other: &DataNode) -> Ordering {
        match (one, other) {
            (
                DataNode::Entry { key: one, position: first, .. },
                DataNode::Entry { key: other, position: second, .. },
            ) => first.cmp(second).then_with(|| one.as_octets().cmp(other.as_octets())),
            (DataNode::Value(_, one), DataNode::Value(_, other)) => one.as_octets().cmp(other.as_octets()),
            _ => Ordering::Equal,
        }
    }

    fn is_equal(&self, leaf: &DataNode, value: &Box<str>) -> bool {
        match leaf {
            DataNode::Value(_, key) => *key == value_key(value),
            _ => leaf.value(&self.schema) == Some(&**value),
        }
    }
}

/// The prefixes in the text of a filter.
struct FilterPrefixes<'a> {
    schema: &'a Schema,
    content: ContentMatch<'a>,
}

impl PrefixResolver for FilterPrefixes<'_> {
    fn module(&self, prefix: &str) -> Option<ModuleId> {
        self.schema.module_by_namespace(self.content.resolve(prefix)?)
    }

    fn default_module(&self) -> Option<ModuleId> {
        self.module("")
    }

    fn inherits_modules(&self) -> bool {
        false
    }
}
