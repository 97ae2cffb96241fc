//! Changes of one row that are not yet part of a tree.

use std::{ops::Range, sync::Arc};

use portreeve_yang::{NodeId, NodeKind, Schema};

use super::{EditReason, seen::Seen};
use crate::{Child, Leafs, MAX_ROW_OCTETS, Row, row::Children};

/// Changes of a row. The row itself is replaced when they are complete.
pub(super) struct RowEdit {
    /// The schema node of the row.
    pub(super) node: NodeId,
    /// The row before the request.
    original: Option<Arc<Row>>,
    /// The row begins without content: it or a node above it is replaced, or it is new.
    is_replaced: bool,
    /// A part of the row was cleared, which the request can set again to what it was.
    is_cleared: bool,
    /// The changed leafs by ascending slot: the place of the value in `text`, or none if the leaf
    /// is removed.
    leafs: Vec<(usize, Option<Range<usize>>)>,
    text: String,
    /// The children, once one of them has changed.
    children: Option<Children>,
    /// The choices of which a case was set by these changes, with the case.
    cases: Vec<(NodeId, NodeId)>,
    /// The children that the request contains so far.
    pub(super) seen: Seen,
}

/// Memory of a finished edit that another can use.
#[derive(Default)]
pub(super) struct Buffers {
    leafs: Vec<(usize, Option<Range<usize>>)>,
    text: String,
    seen: Seen,
}

impl RowEdit {
    /// Starts without content.
    pub(super) fn new(node: NodeId, buffers: Buffers) -> Self {
        let Buffers { leafs, text, seen } = buffers;
        Self {
            node,
            original: None,
            is_replaced: true,
            is_cleared: false,
            leafs,
            text,
            children: None,
            cases: Vec::new(),
            seen,
        }
    }

    /// Sets the row before the request, and if its content is replaced. Precedes all changes.
    pub(super) fn start(&mut self, original: Option<Arc<Row>>, is_replaced: bool) {
        self.original = original;
        self.is_replaced = is_replaced;
    }

    /// Returns the row before the request.
    pub(super) fn original(&self) -> Option<&Arc<Row>> {
        self.original.as_ref()
    }

    /// Returns the row with the content that the changes begin with.
    fn base(&self) -> Option<&Arc<Row>> {
        self.original.as_ref().filter(|_| !self.is_replaced)
    }

    /// Returns the value of a leaf after the changes.
    pub(super) fn leaf(&self, slot: usize) -> Option<&str> {
        match self.find(slot) {
            Ok(position) => {
                let (_, value) = self.leafs.get(position)?;
                self.text.get(value.clone()?)
            }
            Err(_) => self.base()?.leaf(slot),
        }
    }

    pub(super) fn set_leaf(&mut self, slot: usize, value: &str) -> Result<(), EditReason> {
        let start = self.text.len();
        if start + value.len() >= MAX_ROW_OCTETS {
            return Err(EditReason::RowTooLarge);
        }
        self.text.push_str(value);
        self.change_leaf(slot, Some(start..self.text.len()));
        Ok(())
    }

    pub(super) fn remove_leaf(&mut self, slot: usize) {
        self.change_leaf(slot, None);
    }

    fn change_leaf(&mut self, slot: usize, value: Option<Range<usize>>) {
        match self.find(slot) {
            Ok(position) => {
                if let Some((_, current)) = self.leafs.get_mut(position) {
                    *current = value;
                }
            }
            Err(position) => self.leafs.insert(position, (slot, value)),
        }
    }

    fn find(&self, slot: usize) -> Result<usize, usize> {
        self.leafs.binary_search_by_key(&slot, |(other, _)| *other)
    }

    /// Returns a child after the changes.
    pub(super) fn child(&self, index: usize) -> Option<&Child> {
        match &self.children {
            Some(children) => children.get(index),
            None => self.base()?.child(index),
        }
    }

    /// Returns the children to be changed.
    pub(super) fn children_mut(&mut self) -> &mut Children {
        let base = self.original.as_ref().filter(|_| !self.is_replaced);
        self.children.get_or_insert_with(|| base.map(|base| base.children.clone()).unwrap_or_default())
    }

    /// Returns true if a leaf or child in these ranges exists after the changes.
    pub(super) fn has_content(&self, slots: Range<usize>, children: Range<usize>) -> bool {
        let in_children = match &self.children {
            Some(changed) => !changed.range(children).is_empty(),
            None => self.base().is_some_and(|base| base.has_content(0..0, children)),
        };
        in_children
            || self.leafs.iter().any(|(slot, value)| slots.contains(slot) && value.is_some())
            || self
                .base()
                .is_some_and(|base| base.leafs.range(slots).any(|(slot, _)| self.find(slot).is_err()))
    }

    /// Removes all leafs and children in a node of this row.
    pub(super) fn clear(&mut self, schema: &Schema, node: NodeId) {
        let (slots, children) = (schema.slots_in(node), schema.row_children_in(node));
        self.is_cleared = true;
        for (slot, value) in &mut self.leafs {
            if slots.contains(slot) {
                *value = None;
            }
        }
        if let Some(base) = self.base().cloned() {
            base.leafs.range(slots).for_each(|(slot, _)| self.remove_leaf(slot));
        }
        let present = match &self.children {
            Some(changed) => changed.range(children),
            None => self.base().map(|base| base.children.range(children)).unwrap_or_default(),
        };
        for index in present.iter().map(|(index, _)| usize::from(*index)).collect::<Vec<_>>() {
            self.children_mut().remove(index);
        }
    }

    /// Makes the cases that contain a node those that exist: removes the nodes of all other cases
    /// of the same choices (RFC 7950 §7.9).
    pub(super) fn choose_cases(&mut self, schema: &Schema, node: NodeId) -> Result<(), EditReason> {
        let mut at = node;
        while at != self.node
            && let Some(parent) = schema.node(at).parent
        {
            if matches!(schema.node(parent).kind, NodeKind::Choice(_)) {
                match self.cases.iter().find(|(choice, _)| *choice == parent) {
                    Some((_, case)) if *case == at => {}
                    Some(_) => return Err(EditReason::TwoCases(parent)),
                    None => {
                        self.cases.push((parent, at));
                        for other in schema.children(parent).iter().filter(|other| **other != at) {
                            self.clear(schema, *other);
                        }
                    }
                }
            }
            at = parent;
        }
        Ok(())
    }

    /// Returns the row after the changes: the one before the request if both have the same content.
    pub(super) fn finish(mut self) -> (Arc<Row>, Buffers) {
        let empty = Row::default();
        let base = self.original.as_deref().filter(|_| !self.is_replaced).unwrap_or(&empty);
        let leafs = if self.leafs.is_empty() { None } else { Some(Leafs::pack(self.merged(&base.leafs))) };
        let mut children = self.children.take();
        if let (Some(children), Some(original)) = (&mut children, &self.original)
            && (self.is_replaced || self.is_cleared)
        {
            children.share_with(&original.children);
        }
        let is_unchanged = self.original.as_ref().is_some_and(|original| {
            leafs.as_ref().unwrap_or(&base.leafs) == &original.leafs
                && children.as_ref().unwrap_or(&base.children).is_same_version(&original.children)
        });
        let row = match &self.original {
            Some(original) if is_unchanged => original.clone(),
            _ => Arc::new(Row {
                leafs: leafs.unwrap_or_else(|| base.leafs.clone()),
                children: children.unwrap_or_else(|| base.children.clone()),
            }),
        };
        (row, self.into_buffers())
    }

    /// Ends the changes without a row.
    pub(super) fn into_buffers(self) -> Buffers {
        let mut buffers = Buffers { leafs: self.leafs, text: self.text, seen: self.seen };
        buffers.leafs.clear();
        buffers.text.clear();
        buffers.seen.clear();
        buffers
    }

    /// Returns the leafs after the changes by ascending slot.
    fn merged<'e>(&'e self, before: &'e Leafs) -> impl Iterator<Item = (usize, &'e str)> + Clone {
        let mut old = before.iter().peekable();
        let mut changed = self.leafs.iter().peekable();
        std::iter::from_fn(move || {
            loop {
                let next = changed.peek().map_or(usize::MAX, |(slot, _)| *slot);
                if let Some(kept) = old.next_if(|(slot, _)| *slot < next) {
                    return Some(kept);
                }
                old.next_if(|(slot, _)| *slot == next);
                let (slot, value) = changed.next()?;
                if let Some(value) = value {
                    return Some((*slot, self.text.get(value.clone()).unwrap_or_default()));
                }
            }
        })
    }
}
