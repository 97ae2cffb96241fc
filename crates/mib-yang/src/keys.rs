//! The keys of an entry and of the entries that contain it, one after another.
//!
//! The order of keys is the order of index arcs ([`Schema::read_index`]), and each key shows its
//! own end. So the octets of all keys together have the order of the names of instances, and a name
//! becomes a position without any value of the tree.

use portreeve_smi::OidBuf;
use portreeve_yang::{IndexMatch, Schema};

use crate::table::TableList;

/// The keys of an entry and of those that contain it, or a position before an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    /// The keys from the outermost list inwards. The last may be the beginning of a key.
    pub(crate) octets: Vec<u8>,
    /// The ends of those keys that are complete.
    pub(crate) ends: Vec<usize>,
}

/// The first row of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// The first row whose keys are not less.
    At,
    /// The first row whose keys are greater.
    After,
}

impl Keys {
    /// Removes all keys.
    pub(crate) fn clear(&mut self) {
        self.octets.clear();
        self.ends.clear();
    }

    /// Appends the complete key of the next list.
    pub(crate) fn push(&mut self, key: &[u8]) {
        self.octets.extend(key);
        self.ends.push(self.octets.len());
    }

    /// Returns the complete keys, from the outermost list inwards.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| self.octets.get(start..*end).unwrap_or_default())
    }

    /// Returns the keys of the entry that contains the one with these keys.
    pub(crate) fn above(&self) -> Self {
        let ends = self.ends.split_last().map_or(&[][..], |(_, above)| above);
        let octets = self.octets.get(..ends.last().copied().unwrap_or_default());
        Self { octets: octets.unwrap_or_default().to_vec(), ends: ends.to_vec() }
    }

    /// Takes the keys from exactly these arcs. Returns false if no entry can have them.
    pub(crate) fn set(&mut self, schema: &Schema, lists: &[TableList], arcs: &[u32]) -> bool {
        self.clear();
        let mut arcs = arcs;
        for list in lists {
            let Ok(IndexMatch::Key { key, rest }) = schema.read_index(list.node, arcs) else { return false };
            self.push(&key);
            arcs = rest;
        }
        arcs.is_empty()
    }

    /// Takes the position of the first entry that follows these arcs, which are arbitrary. Returns
    /// `None` if no entry can follow them.
    pub(crate) fn seek(&mut self, schema: &Schema, lists: &[TableList], arcs: &[u32]) -> Option<Start> {
        self.clear();
        let mut arcs = arcs;
        for list in lists {
            match schema.read_index(list.node, arcs).ok()? {
                IndexMatch::Key { key, rest } => {
                    self.push(&key);
                    arcs = rest;
                }
                IndexMatch::Before(octets) => {
                    self.octets.extend(octets);
                    return Some(Start::At);
                }
                IndexMatch::End => return self.skip().then_some(Start::At),
            }
        }
        Some(Start::After)
    }

    /// Moves the position behind all entries whose keys begin with these. Returns false if none
    /// can follow.
    fn skip(&mut self) -> bool {
        while let Some(last) = self.octets.pop() {
            if let Some(next) = last.checked_add(1) {
                self.octets.push(next);
                // Keys whose octets have changed are only the beginning of keys.
                let unchanged = self.octets.len() - 1;
                self.ends.retain(|end| *end <= unchanged);
                return true;
            }
        }
        false
    }
}

/// Appends the index arcs of an entry with these keys to the name. Returns `None` if the entry has
/// no name: a key is a negative number, or the name is too long.
pub(crate) fn push_arcs<'k>(
    schema: &Schema,
    lists: &[TableList],
    keys: impl IntoIterator<Item = &'k [u8]>,
    name: &mut OidBuf,
) -> Option<()> {
    let mut arcs = Vec::new();
    for (list, key) in lists.iter().zip(keys) {
        if !schema.key_arcs(list.node, key, &mut arcs) {
            return None;
        }
    }
    name.extend(&arcs).ok()
}

#[cfg(test)]
mod tests;
