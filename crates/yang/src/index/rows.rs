//! The layout of rows: the leafs of a row in a fixed order, and the rows below it.

use std::ops::Range;

use super::{Visit, set, visit};
use crate::{MAX_SLOTS, NodeId, NodeKind, definitions::Definitions};

/// The layout of the rows of one node.
///
/// A row is the root, a list entry, a presence container, or the content of an operation or
/// notification. Containers without presence, choices and cases are flattened into the row that
/// contains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLayout<'a> {
    /// The nodes whose values the row contains: leafs, anydata and anyxml. First the keys in the
    /// order of the `key` statement, then the others in schema order.
    pub slots: &'a [NodeId],
    /// The nodes that have rows or entries of their own below this row: lists, presence containers
    /// and leaf-lists, in schema order.
    pub children: &'a [NodeId],
}

/// The layouts of all rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    slots: Vec<NodeId>,
    children: Vec<NodeId>,
    /// The place of each node in the two tables.
    places: Vec<Place>,
    /// A node whose row has too many slots or children.
    pub(crate) too_wide: Option<NodeId>,
}

/// The place of a node in the layout of the row that contains it.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The row that contains the node.
    row: Option<NodeId>,
    /// The slots in the node or, for a leaf, its own, within the row.
    slots: Range<u32>,
    /// The children of the row that are in this node or are this node.
    children: Range<u32>,
    /// For a row: the parts of the two tables that are its layout.
    layout: (Range<u32>, Range<u32>),
}

impl Rows {
    /// Derives the layouts. The keys of lists are children of them.
    pub(super) fn new<'a>(definitions: &Definitions, children: &dyn Fn(NodeId) -> &'a [NodeId]) -> Self {
        let nodes = definitions.nodes.items();
        let mut rows = Self {
            slots: Vec::new(),
            children: Vec::new(),
            places: vec![Place::default(); nodes.len()],
            too_wide: None,
        };
        for (index, node) in nodes.iter().enumerate() {
            if node.is_row() {
                rows.add(definitions, children, super::node_id(index));
            }
        }
        rows
    }

    fn add<'a>(&mut self, definitions: &Definitions, children: &dyn Fn(NodeId) -> &'a [NodeId], row: NodeId) {
        let start = (self.slots.len(), self.children.len());
        if let NodeKind::List(list) = &definitions.node(row).kind {
            for key in &list.keys {
                self.add_slot(row, start, *key);
            }
        }
        let is_open = |id| {
            let node = definitions.node(id);
            node.is_plain_container() || node.is_choice_or_case()
        };
        visit(children, row, &is_open, &mut |event| match event {
            Visit::Enter(id) => {
                let (slots, children) = self.lengths(start);
                let place = Place {
                    row: Some(row),
                    slots: slots..slots,
                    children: children..children,
                    ..Place::default()
                };
                set(&mut self.places, id, place);
            }
            Visit::Exit(id) => {
                let (slots, children) = self.lengths(start);
                if let Some(place) = self.places.get_mut(id.index()) {
                    place.slots.end = slots;
                    place.children.end = children;
                }
            }
            Visit::Leaf(id) => match &definitions.node(id).kind {
                // It has its slot already.
                NodeKind::Leaf(leaf) if leaf.is_key => {}
                NodeKind::Leaf(_) | NodeKind::AnyData { .. } | NodeKind::AnyXml { .. } => {
                    self.add_slot(row, start, id);
                }
                NodeKind::List(_) | NodeKind::LeafList(_) | NodeKind::Container(_) => {
                    let (slots, children) = self.lengths(start);
                    self.children.push(id);
                    // The layout of a row below this one is kept: it can have been added before.
                    if let Some(place) = self.places.get_mut(id.index()) {
                        place.row = Some(row);
                        place.slots = slots..slots;
                        place.children = children..children + 1;
                    }
                }
                _ => {}
            },
        });
        let (slots, below) = self.lengths(start);
        if slots.max(below) as usize > MAX_SLOTS {
            self.too_wide.get_or_insert(row);
        }
        if let Some(place) = self.places.get_mut(row.index()) {
            place.layout = (
                super::offset(start.0)..super::offset(self.slots.len()),
                super::offset(start.1)..super::offset(self.children.len()),
            );
        }
    }

    fn add_slot(&mut self, row: NodeId, start: (usize, usize), leaf: NodeId) {
        let (slots, children) = self.lengths(start);
        self.slots.push(leaf);
        let place = Place {
            row: Some(row),
            slots: slots..slots + 1,
            children: children..children,
            ..Place::default()
        };
        set(&mut self.places, leaf, place);
    }

    /// Returns the numbers of slots and children that a row has, if its parts of the tables begin
    /// at `start`.
    fn lengths(&self, start: (usize, usize)) -> (u32, u32) {
        (super::offset(self.slots.len() - start.0), super::offset(self.children.len() - start.1))
    }

    fn place(&self, id: NodeId) -> Option<&Place> {
        self.places.get(id.index())
    }

    pub(crate) fn layout(&self, row: NodeId) -> RowLayout<'_> {
        let (slots, children) = self.place(row).map(|place| place.layout.clone()).unwrap_or_default();
        RowLayout { slots: part(&self.slots, slots), children: part(&self.children, children) }
    }

    pub(crate) fn row_of(&self, id: NodeId) -> Option<NodeId> {
        self.place(id)?.row
    }

    pub(crate) fn slots_in(&self, id: NodeId) -> Range<usize> {
        self.place(id).map(|place| place.slots.start as usize..place.slots.end as usize).unwrap_or_default()
    }

    pub(crate) fn children_in(&self, id: NodeId) -> Range<usize> {
        self.place(id)
            .map(|place| place.children.start as usize..place.children.end as usize)
            .unwrap_or_default()
    }
}

fn part(table: &[NodeId], range: Range<u32>) -> &[NodeId] {
    table.get(range.start as usize..range.end as usize).unwrap_or_default()
}
