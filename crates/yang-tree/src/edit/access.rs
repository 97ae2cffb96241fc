//! The changes that an edit may make.

use std::sync::Arc;

use portreeve_yang::{Entry, NodeId, Schema};

use super::EditReason;
use crate::{
    Child, Row,
    pairs::{Pair, pairs},
    path::{entry_of_row, entry_of_value},
};

/// Decides which changes an edit may make.
pub trait WriteAccess: Send + Sync {
    /// Returns true if the user of the edit may change instances of a node in this way. An edit
    /// asks once for each node and kind of change.
    fn may_write(&self, node: NodeId, change: Write) -> bool;
}

/// The kind of a change, as access rules state it (RFC 8341 §3.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    /// The instance does not exist before.
    Create,
    /// The instance gets another value, or another place in a list that the user orders.
    Update,
    /// The instance is removed.
    Delete,
}

/// The rules of an edit and their answers so far. Without rules, all changes are permitted.
#[derive(Default)]
pub(super) struct Access {
    rules: Option<Arc<dyn WriteAccess>>,
    /// The answers for each node: two bits for each kind of change.
    answers: Vec<u8>,
}

/// A change is not permitted: of this child of the row, or else of the row itself.
type Denied = Option<(NodeId, Entry)>;

impl Access {
    pub(super) fn new(rules: Arc<dyn WriteAccess>) -> Self {
        Self { rules: Some(rules), answers: Vec::new() }
    }

    pub(super) fn ask(&mut self, node: NodeId, change: Write) -> Result<(), EditReason> {
        if self.is_permitted(node, change) { Ok(()) } else { Err(EditReason::AccessDenied) }
    }

    /// Checks the changes of a row. Rows below it that still exist are checked for themselves.
    pub(super) fn check_row(
        &mut self,
        schema: &Schema,
        node: NodeId,
        before: Option<&Row>,
        after: &Row,
    ) -> Result<(), Denied> {
        if self.rules.is_none() {
            return Ok(());
        }
        if before.is_none() && !self.is_permitted(node, Write::Create) {
            return Err(None);
        }
        let empty = Row::default();
        let before = before.unwrap_or(&empty);
        self.check_leafs(schema, node, before, after)?;
        for (index, pair) in pairs(before, after) {
            let Some(child) = schema.row_layout(node).children.get(index) else { continue };
            self.check_child(schema, *child, pair)?;
        }
        Ok(())
    }

    fn check_leafs(
        &mut self,
        schema: &Schema,
        node: NodeId,
        before: &Row,
        after: &Row,
    ) -> Result<(), Denied> {
        let layout = schema.row_layout(node);
        let mut check = |slot: usize, change| match layout.slots.get(slot) {
            Some(leaf) if !self.is_permitted(*leaf, change) => Err(Some((*leaf, Entry::All))),
            _ => Ok(()),
        };
        for (slot, value) in before.leafs().iter() {
            match after.leaf(slot) {
                None => check(slot, Write::Delete)?,
                Some(other) if other != value => check(slot, Write::Update)?,
                Some(_) => {}
            }
        }
        let created = after.leafs().iter().filter(|(slot, _)| before.leaf(*slot).is_none());
        created.map(|(slot, _)| slot).try_for_each(|slot| check(slot, Write::Create))
    }

    fn check_child(&mut self, schema: &Schema, child: NodeId, pair: Pair<'_>) -> Result<(), Denied> {
        match pair {
            Pair::Containers(Some(row), None) if !self.may_remove(schema, child, row) => {
                return Err(Some((child, Entry::All)));
            }
            Pair::Containers(..) => {}
            Pair::Lists(before, after) => {
                let differences = before.by_key().differences(after.by_key());
                let removed = differences.filter(|item| item.after.is_none()).filter_map(|item| item.before);
                for row in removed {
                    if !self.may_remove(schema, child, row) {
                        return Err(Some((child, entry_of_row(schema, child, row))));
                    }
                }
                if let Some(moved) = after.moved_from(before).and_then(|key| after.get(key.as_octets()))
                    && !self.is_permitted(child, Write::Update)
                {
                    return Err(Some((child, entry_of_row(schema, child, moved))));
                }
            }
            Pair::LeafLists(before, after) => {
                for item in before.by_key().differences(after.by_key()) {
                    let change = if item.after.is_some() { Write::Create } else { Write::Delete };
                    if !self.is_permitted(child, change) {
                        return Err(Some((child, entry_of_value(item.key))));
                    }
                }
                if let Some(moved) = after.moved_from(before)
                    && !self.is_permitted(child, Write::Update)
                {
                    return Err(Some((child, entry_of_value(moved))));
                }
            }
        }
        Ok(())
    }

    /// Returns true if a row may be removed with everything below it.
    fn may_remove(&mut self, schema: &Schema, node: NodeId, row: &Row) -> bool {
        let layout = schema.row_layout(node);
        let leafs = row.leafs().iter().filter_map(|(slot, _)| layout.slots.get(slot));
        let children =
            row.children().filter_map(|(index, child)| Some((*layout.children.get(index)?, child)));
        self.is_permitted(node, Write::Delete)
            && leafs.copied().all(|leaf| self.is_permitted(leaf, Write::Delete))
            && children.into_iter().all(|(node, child)| match child {
                Child::Container(row) => self.may_remove(schema, node, row),
                Child::List(list) => list.by_key().iter().all(|(_, row)| self.may_remove(schema, node, row)),
                Child::LeafList(_) => self.is_permitted(node, Write::Delete),
            })
    }

    fn is_permitted(&mut self, node: NodeId, change: Write) -> bool {
        let Some(rules) = &self.rules else { return true };
        let (asked, permitted) = match change {
            Write::Create => (1, 2),
            Write::Update => (4, 8),
            Write::Delete => (16, 32),
        };
        if self.answers.len() <= node.index() {
            self.answers.resize(node.index() + 1, 0);
        }
        let Some(answers) = self.answers.get_mut(node.index()) else { return false };
        if *answers & asked == 0 {
            *answers |= asked | if rules.may_write(node, change) { permitted } else { 0 };
        }
        *answers & permitted != 0
    }
}

mod trees;

#[cfg(test)]
mod tests;
