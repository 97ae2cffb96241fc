//! Navigation from a data node to its children in schema order.

use std::fmt;

use portreeve_yang::{NodeId, NodeKind, Schema};

use crate::{Child, LeafList, List, Row, Tree};

/// A data node with children: the top level, a container, or a list entry.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'t> {
    node: NodeId,
    row: &'t Row,
}

/// A child of a data node.
#[derive(Clone, Copy)]
pub enum DataChild<'t> {
    /// A leaf, anydata or anyxml with its canonical value.
    Leaf(NodeId, &'t str),
    /// A container. Containers without presence are children if they have content.
    Container(Instance<'t>),
    /// A list with at least one entry.
    List(NodeId, &'t List),
    /// A leaf-list with at least one value.
    LeafList(NodeId, &'t LeafList),
}

/// Prints no values, which can be secret.
impl fmt::Debug for DataChild<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(node, value) => write!(f, "Leaf({node:?}, {} octets)", value.len()),
            Self::Container(instance) => write!(f, "Container({:?})", instance.node()),
            Self::List(node, list) => write!(f, "List({node:?}, {} entries)", list.len()),
            Self::LeafList(node, values) => write!(f, "LeafList({node:?}, {} values)", values.len()),
        }
    }
}

impl<'t> Instance<'t> {
    /// Returns the top level of a tree.
    pub fn root(tree: &'t Tree) -> Self {
        Self { node: NodeId::ROOT, row: tree.root() }
    }

    /// Returns the list entry or presence container of a row, or a container without presence in
    /// it.
    pub fn new(node: NodeId, row: &'t Row) -> Self {
        Self { node, row }
    }

    /// Returns the schema node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Returns the row that contains the node.
    pub fn row(&self) -> &'t Row {
        self.row
    }

    /// Returns the children that exist, in schema order.
    pub fn children(self, schema: &'t Schema) -> impl Iterator<Item = DataChild<'t>> {
        schema.data_children(self.node).iter().filter_map(move |child| self.child(schema, *child))
    }

    /// Returns a child, if it exists. It has to be a data child of this node.
    pub fn child(self, schema: &Schema, child: NodeId) -> Option<DataChild<'t>> {
        let index = || schema.row_children_in(child).start;
        match &schema.node(child).kind {
            NodeKind::Leaf(_) | NodeKind::AnyData { .. } | NodeKind::AnyXml { .. } => {
                Some(DataChild::Leaf(child, self.row.leaf(schema.slot(child)?)?))
            }
            NodeKind::Container(container) if !container.presence => {
                let exists = self.row.has_content(schema.slots_in(child), schema.row_children_in(child));
                exists.then_some(DataChild::Container(Self { node: child, row: self.row }))
            }
            _ => match self.row.child(index())? {
                Child::Container(row) => Some(DataChild::Container(Self { node: child, row })),
                Child::List(list) => Some(DataChild::List(child, list)),
                Child::LeafList(values) => Some(DataChild::LeafList(child, values)),
            },
        }
    }
}
