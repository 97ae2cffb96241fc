//! The keys of list entries as the index of an SNMP table (RFC 2578 §7.7), and back to values.
//!
//! ```text
//! arcs of an instance ── read_index ──▶ octets of a key ── key_values ──▶ canonical values
//!          ▲                                  │
//!          └──────────── key_arcs ────────────┘
//! ```
//! Keys that have arcs are in the same order as their arcs. A key without arcs, such as one with a
//! negative number, is between the others: SNMP skips it.

use super::{LONG, base64, decimal_text, encode_length};
use crate::{IntegerKind, KeyError, NodeId, Schema, TypeId, TypeKind};

/// The place of arcs among the keys of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexMatch<'a> {
    /// The arcs begin with a whole key. There need not be an entry of this key.
    Key {
        /// The octets of the key, as [`Schema::encode_key`] returns them.
        key: Vec<u8>,
        /// The arcs that follow the key: the index of a list in the entry, if there is one.
        rest: &'a [u32],
    },
    /// The arcs are not a whole key. Of the keys that have arcs, exactly those that are not less
    /// than these octets follow.
    Before(Vec<u8>),
    /// All keys precede the arcs.
    End,
}

/// The part of an index that stands for one key leaf.
#[derive(Clone, Copy)]
enum Component {
    /// One arc: the number itself.
    Number(IntegerKind),
    /// One arc: 1 or 2.
    Boolean,
    /// The length as an arc, unless it is fixed, and the octets.
    Octets { fixed: Option<u32> },
}

impl Schema {
    /// Returns whether SNMP can show the entries of a list: each key leaf is a number of at most 32
    /// bits, an enumeration, a boolean, a string or a binary.
    pub fn has_index(&self, list: NodeId) -> bool {
        let keys = self.keys(list);
        !keys.is_empty() && keys.iter().all(|leaf| self.component(*leaf).is_some())
    }

    /// Finds the place of arcs among the keys of a list.
    ///
    /// # Errors
    /// The list has no index, see [`Schema::has_index`].
    pub fn read_index<'a>(&self, list: NodeId, arcs: &'a [u32]) -> Result<IndexMatch<'a>, KeyError> {
        if !self.has_index(list) {
            return Err(KeyError::NoIndex);
        }
        let mut key = Vec::new();
        let mut rest = arcs;
        for component in self.keys(list).iter().filter_map(|leaf| self.component(*leaf)) {
            let place = match component {
                Component::Number(kind) => read_number(kind, &mut rest, &mut key),
                Component::Boolean => read_boolean(&mut rest, &mut key),
                Component::Octets { fixed } => read_octets(fixed, &mut rest, &mut key),
            };
            match place {
                Place::Whole => {}
                Place::Before => return Ok(IndexMatch::Before(key)),
                Place::After => return Ok(after(key).map_or(IndexMatch::End, IndexMatch::Before)),
            }
        }
        Ok(IndexMatch::Key { key, rest })
    }

    /// Returns the key of an entry from the whole index of the entry; `None` if the arcs are not
    /// such an index, and if the list has none.
    pub fn decode_key(&self, list: NodeId, arcs: &[u32]) -> Option<Vec<u8>> {
        match self.read_index(list, arcs) {
            Ok(IndexMatch::Key { key, rest: [] }) => Some(key),
            _ => None,
        }
    }

    /// Appends the arcs of a key, which are the index of the entry. Returns false if SNMP cannot
    /// show the entry; the arcs are unchanged then.
    pub fn key_arcs(&self, list: NodeId, key: &[u8], arcs: &mut Vec<u32>) -> bool {
        let before = arcs.len();
        let is_shown = self.has_index(list) && self.append_arcs(list, key, arcs).is_some();
        if !is_shown {
            arcs.truncate(before);
        }
        is_shown
    }

    fn append_arcs(&self, list: NodeId, key: &[u8], arcs: &mut Vec<u32>) -> Option<()> {
        let mut rest = key;
        for leaf in self.keys(list) {
            match self.component(*leaf)? {
                Component::Number(kind) => {
                    arcs.push(u32::try_from(take_integer(kind, &mut rest)?).ok()?);
                }
                Component::Boolean => arcs.push(take(&mut rest, 1)?.first().copied()?.into()),
                Component::Octets { fixed } => {
                    let octets = take_octets(&mut rest)?;
                    let length = u32::try_from(octets.len()).ok()?;
                    match fixed {
                        Some(fixed) if fixed != length => return None,
                        Some(_) => {}
                        None => arcs.push(length),
                    }
                    arcs.extend(octets.iter().map(|octet| u32::from(*octet)));
                }
            }
        }
        rest.is_empty().then_some(())
    }

    /// Returns the canonical values of the key leafs, in the order of the `key` statement, from the
    /// octets of a key; `None` if the octets are not such a key. Restrictions are not checked.
    pub fn key_values(&self, list: NodeId, key: &[u8]) -> Option<Vec<Box<str>>> {
        let mut rest = key;
        let value = |leaf: &NodeId| self.key_value(self.type_of(*leaf)?, &mut rest);
        let values: Option<Vec<_>> = self.keys(list).iter().map(value).collect();
        values.filter(|_| rest.is_empty())
    }

    /// Returns the canonical value at the start of a key, and removes its octets. For an entry of a
    /// leaf-list, they are the whole key.
    pub fn key_value(&self, value_type: TypeId, key: &mut &[u8]) -> Option<Box<str>> {
        let text = match &self.value_type(self.real_type(value_type)).kind {
            TypeKind::Integer { kind, .. } => take_integer(*kind, key)?.to_string(),
            TypeKind::Decimal64 { fraction_digits, .. } => {
                decimal_text(take_integer(IntegerKind::Int64, key)?, *fraction_digits)
            }
            TypeKind::Enumeration { values } => {
                let number = take_integer(IntegerKind::Int32, key)?;
                return values
                    .iter()
                    .find(|value| i128::from(value.value) == number)
                    .map(|it| it.name.clone());
            }
            TypeKind::Boolean => match take(key, 1)? {
                [1] => "true".to_owned(),
                [2] => "false".to_owned(),
                _ => return None,
            },
            TypeKind::Binary { .. } => base64(take_octets(key)?),
            TypeKind::Empty => String::new(),
            TypeKind::String { .. }
            | TypeKind::Bits { .. }
            | TypeKind::Identityref { .. }
            | TypeKind::Union { .. }
            | TypeKind::InstanceIdentifier { .. }
            | TypeKind::Leafref { .. } => str::from_utf8(take_octets(key)?).ok()?.to_owned(),
        };
        Some(text.into())
    }

    /// Returns the part of an index that a key leaf has; `None` if it cannot be in an index.
    fn component(&self, leaf: NodeId) -> Option<Component> {
        match &self.value_type(self.real_type(self.type_of(leaf)?)).kind {
            TypeKind::Integer { kind: IntegerKind::Int64 | IntegerKind::Uint64, .. } => None,
            TypeKind::Integer { kind, .. } => Some(Component::Number(*kind)),
            TypeKind::Enumeration { .. } => Some(Component::Number(IntegerKind::Int32)),
            TypeKind::Boolean => Some(Component::Boolean),
            // The length of a string counts characters, which can have several octets each.
            TypeKind::String { .. } => Some(Component::Octets { fixed: None }),
            TypeKind::Binary { length } => {
                let fixed = length.as_ref().and_then(|length| match &*length.intervals {
                    [only] if only.min == only.max => u32::try_from(only.min).ok(),
                    _ => None,
                });
                Some(Component::Octets { fixed })
            }
            _ => None,
        }
    }
}

/// The place of arcs among the values of one key leaf.
enum Place {
    /// The arcs are a value, whose octets the key ends with.
    Whole,
    /// The keys from these octets on follow the arcs.
    Before,
    /// The keys that begin with these octets precede the arcs.
    After,
}

fn read_number(kind: IntegerKind, arcs: &mut &[u32], key: &mut Vec<u8>) -> Place {
    let bounds = kind.bounds();
    let (number, place) = match arcs.split_first() {
        Some((arc, rest)) if i128::from(*arc) <= bounds.max => {
            *arcs = rest;
            (i128::from(*arc), Place::Whole)
        }
        Some(_) => return Place::After,
        // Negative numbers have no arcs.
        None => (0, Place::Before),
    };
    let octets = (number - bounds.min).to_be_bytes();
    key.extend(octets.iter().skip(octets.len() - kind.width()));
    place
}

fn read_boolean(arcs: &mut &[u32], key: &mut Vec<u8>) -> Place {
    let Some((arc, rest)) = arcs.split_first() else { return Place::Before };
    match u8::try_from(*arc) {
        Ok(octet @ (1 | 2)) => {
            *arcs = rest;
            key.push(octet);
            Place::Whole
        }
        Ok(0) => Place::Before,
        _ => Place::After,
    }
}

fn read_octets(fixed: Option<u32>, arcs: &mut &[u32], key: &mut Vec<u8>) -> Place {
    let length = match fixed {
        Some(length) => length,
        None => {
            let Some((length, rest)) = arcs.split_first() else { return Place::Before };
            *arcs = rest;
            *length
        }
    };
    encode_length(length, key);
    for _ in 0..length {
        let Some((arc, rest)) = arcs.split_first() else { return Place::Before };
        let Ok(octet) = u8::try_from(*arc) else { return Place::After };
        *arcs = rest;
        key.push(octet);
    }
    Place::Whole
}

/// Returns the first octets that follow all octets with this beginning; `None` if there are none.
fn after(mut beginning: Vec<u8>) -> Option<Vec<u8>> {
    while let Some(last) = beginning.pop() {
        if let Some(next) = last.checked_add(1) {
            beginning.push(next);
            return Some(beginning);
        }
    }
    None
}

/// Removes octets from the start of a key.
fn take<'k>(key: &mut &'k [u8], length: usize) -> Option<&'k [u8]> {
    let (octets, rest) = key.split_at_checked(length)?;
    *key = rest;
    Some(octets)
}

/// Removes a number from the start of a key.
fn take_integer(kind: IntegerKind, key: &mut &[u8]) -> Option<i128> {
    let octets = take(key, kind.width())?;
    let offset = octets.iter().fold(0, |offset, octet| offset << 8 | i128::from(*octet));
    Some(offset + kind.bounds().min)
}

/// Removes a length and octets from the start of a key.
fn take_octets<'k>(key: &mut &'k [u8]) -> Option<&'k [u8]> {
    let length = match take(key, 1)? {
        [LONG] => take(key, 4)?.iter().fold(0, |length, octet| length << 8 | usize::from(*octet)),
        [length] => usize::from(*length),
        _ => return None,
    };
    take(key, length)
}

#[cfg(test)]
mod tests;
