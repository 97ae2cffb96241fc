//! The leafs of a row in one allocation.
//!
//! ```text
//! number of leafs │ slot, end of the value │ slot, end │ … │ value │ value │ …
//! ```
//! Numbers are written with seven bits in each octet, so that all of it is one string: a value is a
//! part of it that need not be checked again.

use std::{fmt, ops::Range};

/// The values of a row's leafs in canonical form, by ascending slot.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Leafs(Box<str>);

impl Leafs {
    /// Packs leafs, which must be in ascending order of their slots.
    pub(crate) fn pack<'v>(leafs: impl Iterator<Item = (usize, &'v str)> + Clone) -> Self {
        let (mut count, mut octets) = (0, 0);
        for (_, value) in leafs.clone() {
            count += 1;
            octets += value.len();
        }
        if count == 0 {
            return Self::default();
        }
        let mut text = String::with_capacity(COUNT + count * ENTRY + octets);
        push_number(&mut text, count, COUNT);
        let mut end = 0;
        for (slot, value) in leafs.clone() {
            end += value.len();
            push_number(&mut text, slot, SLOT);
            push_number(&mut text, end, ENTRY - SLOT);
        }
        text.extend(leafs.map(|(_, value)| value));
        Self(text.into_boxed_str())
    }

    /// Returns the number of leafs.
    pub fn len(&self) -> usize {
        self.number(0..COUNT)
    }

    /// Returns true if there are no leafs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value in a slot.
    pub fn get(&self, slot: usize) -> Option<&str> {
        let index = self.first_from(slot);
        (index < self.len() && self.slot(index) == slot).then(|| self.value(index))
    }

    /// Returns the slots in ascending order with their values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &str)> + Clone {
        (0..self.len()).map(|index| (self.slot(index), self.value(index)))
    }

    /// Returns the slots of a range that have values, with their values.
    pub fn range(&self, slots: Range<usize>) -> impl ExactSizeIterator<Item = (usize, &str)> + Clone {
        let (start, end) = (self.first_from(slots.start), self.first_from(slots.end));
        (start..end).map(|index| (self.slot(index), self.value(index)))
    }

    /// Returns the number of octets of all values.
    pub fn octets(&self) -> usize {
        self.len().checked_sub(1).map_or(0, |last| self.end(last))
    }

    /// Returns the index of the first leaf in this slot or a later one.
    fn first_from(&self, slot: usize) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.slot(middle) < slot { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn slot(&self, index: usize) -> usize {
        let start = COUNT + index * ENTRY;
        self.number(start..start + SLOT)
    }

    fn end(&self, index: usize) -> usize {
        let start = COUNT + index * ENTRY;
        self.number(start + SLOT..start + ENTRY)
    }

    fn value(&self, index: usize) -> &str {
        let values = COUNT + self.len() * ENTRY;
        let start = index.checked_sub(1).map_or(0, |previous| self.end(previous));
        self.0.get(values + start..values + self.end(index)).unwrap_or_default()
    }

    fn number(&self, octets: Range<usize>) -> usize {
        let octets = self.0.as_bytes().get(octets).unwrap_or_default();
        octets.iter().fold(0, |number, octet| number << 7 | usize::from(*octet))
    }
}

/// Prints no values, which can be secret.
impl fmt::Debug for Leafs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Leafs({} leafs, {} octets)", self.len(), self.octets())
    }
}

fn push_number(text: &mut String, number: usize, octets: usize) {
    for position in (0..octets).rev() {
        let bits = u8::try_from(number >> (7 * position) & 0x7F).unwrap_or_default();
        text.push(char::from(bits));
    }
}

/// Octets of the number of leafs.
const COUNT: usize = 3;

/// Octets of a slot.
const SLOT: usize = 3;

/// Octets of a slot and of the end of its value, which is less than [`MAX_ROW_OCTETS`].
const ENTRY: usize = SLOT + 5;

/// Maximum number of octets of all values of a row.
pub const MAX_ROW_OCTETS: usize = 1 << 31;

#[cfg(test)]
mod tests;
