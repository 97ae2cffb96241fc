//! Reads a version of a tree piece by piece, in the order of the schema.

use std::{fmt, sync::Arc};

use portreeve_yang::{NodeId, Schema};

use crate::{Child, DataChild, Instance, Row, RowKey, Tree, keys::value_of};

/// A position in a version of a tree. It holds the rows on the way there and borrows nothing, so
/// that a reader can continue later, while the tree has newer versions.
///
/// ```text
/// Enter list entry ─ Leaf ─ Leaf ─ Enter container ─ Leaf ─ Leave ─ Leave
/// ```
pub struct Walk {
    frames: Vec<WalkFrame>,
}

/// A step of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WalkStep<'w> {
    /// A container or list entry begins.
    Enter(NodeId),
    /// A leaf, anydata, anyxml, or one value of a leaf-list.
    Leaf(NodeId, &'w str),
    /// The container or list entry ends.
    Leave(NodeId),
}

/// Prints no values, which can be secret.
impl fmt::Debug for WalkStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enter(node) => write!(f, "Enter({node:?})"),
            Self::Leaf(node, value) => write!(f, "Leaf({node:?}, {} octets)", value.len()),
            Self::Leave(node) => write!(f, "Leave({node:?})"),
        }
    }
}

/// A container, list entry, or the top level.
struct WalkFrame {
    node: NodeId,
    row: Arc<Row>,
    /// The number of the next child among the data children of the schema node.
    next: usize,
    /// The entry of the list or leaf-list before `next` that was visited last.
    entry: Option<RowKey>,
}

impl Walk {
    /// Starts at the top level, which has no `Enter` and no `Leave`.
    pub fn new(tree: &Tree) -> Self {
        Self::below(NodeId::ROOT, tree.root().clone())
    }

    /// Starts in a row of this node.
    pub fn below(node: NodeId, row: Arc<Row>) -> Self {
        Self { frames: vec![WalkFrame { node, row, next: 0, entry: None }] }
    }

    /// Returns the next step, or none at the end.
    pub fn step(&mut self, schema: &Schema) -> Option<WalkStep<'_>> {
        loop {
            let frame = self.frames.last_mut()?;
            let Some(child) = frame.current(schema) else {
                let node = frame.node;
                self.frames.pop();
                return if self.frames.is_empty() { None } else { Some(WalkStep::Leave(node)) };
            };
            match frame.advance(schema, child) {
                Advanced::Nothing => {}
                Advanced::Below(row) => {
                    self.frames.push(WalkFrame { node: child, row, next: 0, entry: None });
                    return Some(WalkStep::Enter(child));
                }
                Advanced::Leaf => {
                    let frame = self.frames.last()?;
                    let value = match &frame.entry {
                        Some(key) => value_of(key),
                        None => frame.row.leaf(schema.slot(child)?)?,
                    };
                    return Some(WalkStep::Leaf(child, value));
                }
            }
        }
    }

    /// Passes over everything in the container or list entry that was entered last. The next step
    /// is its `Leave`.
    pub fn skip(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = usize::MAX;
            frame.entry = None;
        }
    }

    /// Returns the container or list entry at which the walk is, and the row that contains it.
    pub fn instance(&self) -> Option<Instance<'_>> {
        self.frames.last().map(|frame| Instance::new(frame.node, &frame.row))
    }

    /// Returns the row that contains the container, list entry, or leaf at which the walk is.
    pub fn row(&self) -> Option<&Arc<Row>> {
        self.frames.last().map(|frame| &frame.row)
    }

    /// Returns the key of the leaf-list entry at which the walk is. The key is its value.
    pub fn entry(&self) -> Option<&RowKey> {
        self.frames.last()?.entry.as_ref()
    }
}

enum Advanced {
    /// There is nothing more of the child.
    Nothing,
    /// The child continues with this row.
    Below(Arc<Row>),
    Leaf,
}

impl WalkFrame {
    /// Returns the child to be visited: the next one, or the list of which an entry was visited.
    fn current(&mut self, schema: &Schema) -> Option<NodeId> {
        let position = if self.entry.is_some() { self.next.checked_sub(1)? } else { self.next };
        let child = schema.data_children(self.node).get(position).copied()?;
        self.next = position + 1;
        Some(child)
    }

    /// Moves to the next instance of a child.
    fn advance(&mut self, schema: &Schema, child: NodeId) -> Advanced {
        let index = schema.row_children_in(child).start;
        if let Some(last) = self.entry.take() {
            match self.row.child(index) {
                Some(Child::List(list)) => {
                    if let Some((key, row)) = list.next_after(last.as_octets()) {
                        self.entry = Some(key.clone());
                        return Advanced::Below(row.clone());
                    }
                }
                Some(Child::LeafList(values)) => {
                    if let Some((key, ())) = values.next_after(last.as_octets()) {
                        self.entry = Some(key.clone());
                        return Advanced::Leaf;
                    }
                }
                _ => {}
            }
            return Advanced::Nothing;
        }
        match Instance::new(self.node, &self.row).child(schema, child) {
            None => Advanced::Nothing,
            Some(DataChild::Leaf(..)) => Advanced::Leaf,
            Some(DataChild::Container(_)) => match self.row.container(index) {
                Some(row) if schema.node(child).is_row() => Advanced::Below(row.clone()),
                _ => Advanced::Below(self.row.clone()),
            },
            Some(DataChild::List(_, list)) => match list.first() {
                Some((key, row)) => {
                    self.entry = Some(key.clone());
                    Advanced::Below(row.clone())
                }
                None => Advanced::Nothing,
            },
            Some(DataChild::LeafList(_, values)) => match values.first() {
                Some((key, ())) => {
                    self.entry = Some(key.clone());
                    Advanced::Leaf
                }
                None => Advanced::Nothing,
            },
        }
    }
}

#[cfg(test)]
mod tests;
