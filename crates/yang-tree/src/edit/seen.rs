//! The nodes of a row that occurred in a request. A node occurs once, except in different entries.

use std::collections::BTreeSet;

use portreeve_yang::NodeId;

use super::EditReason;
use crate::RowKey;

/// The children of a row that the request contains so far.
#[derive(Default)]
pub(super) struct Seen {
    /// One bit for each slot.
    slots: Vec<u64>,
    containers: BTreeSet<NodeId>,
    /// The entries of each list and leaf-list, by its index in the layout.
    entries: Vec<(usize, BTreeSet<RowKey>)>,
}

impl Seen {
    /// Adds a leaf, anydata or anyxml.
    pub(super) fn add_leaf(&mut self, slot: usize) -> Result<(), EditReason> {
        let (word, bit) = (slot / BITS, 1 << (slot % BITS));
        if self.slots.len() <= word {
            self.slots.resize(word + 1, 0);
        }
        match self.slots.get_mut(word) {
            Some(bits) if *bits & bit == 0 => {
                *bits |= bit;
                Ok(())
            }
            _ => Err(EditReason::Duplicate),
        }
    }

    pub(super) fn add_container(&mut self, node: NodeId) -> Result<(), EditReason> {
        if self.containers.insert(node) { Ok(()) } else { Err(EditReason::Duplicate) }
    }

    /// Adds an entry of the list or leaf-list with this index in the layout.
    pub(super) fn add_entry(&mut self, index: usize, key: &RowKey) -> Result<(), EditReason> {
        let position = match self.entries.binary_search_by_key(&index, |(other, _)| *other) {
            Ok(position) => position,
            Err(position) => {
                self.entries.insert(position, (index, BTreeSet::new()));
                position
            }
        };
        let is_new = self.entries.get_mut(position).is_some_and(|(_, keys)| keys.insert(key.clone()));
        if is_new { Ok(()) } else { Err(EditReason::Duplicate) }
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.containers.clear();
        self.entries.clear();
    }
}

/// Bits of a word.
const BITS: usize = u64::BITS as usize;
