//! Orders that users choose for the entries of a list.
//!
//! Each key has a position, a number. A key between two others gets a number between theirs. If
//! there is none, the positions of the neighbours in the smallest sparse range around them are
//! spread evenly. The ranges double in size, and the larger a range, the sparser it must be, so
//! that each insertion moves few positions on average, in whatever sequence users insert.

use std::fmt;

use super::{IsSame, RowKey, SortedMap};

/// The order of the keys of a list.
#[derive(Clone, Default)]
pub struct Order {
    keys: SortedMap<RowKey>,
    positions: SortedMap<u64>,
}

/// The place of a key in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'k> {
    /// Before all others.
    First,
    /// After all others.
    Last,
    /// Immediately before this key.
    Before(&'k [u8]),
    /// Immediately after this key.
    After(&'k [u8]),
}

/// The key before or after which another was to be placed does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAnchor;

impl Order {
    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns true if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the keys in order.
    pub fn iter(&self) -> impl Iterator<Item = &RowKey> {
        self.keys.iter().map(|(_, key)| key)
    }

    /// Returns the keys that follow this one.
    pub fn after(&self, key: &[u8]) -> Option<impl Iterator<Item = &RowKey>> {
        let position = self.position(key)?;
        Some(self.keys.after(&position.to_be_bytes()).map(|(_, key)| key))
    }

    /// Returns the position of a key. Keys with greater positions follow it.
    pub fn position(&self, key: &[u8]) -> Option<u64> {
        self.positions.get(key).copied()
    }

    /// Returns the positions of all keys, in ascending order of keys.
    pub fn positions(&self) -> &SortedMap<u64> {
        &self.positions
    }

    /// Places a key, which can exist elsewhere in the order. A key that is placed before or after
    /// itself does not move.
    pub fn place(&mut self, key: RowKey, place: Place<'_>) -> Result<(), UnknownAnchor> {
        if let Place::Before(anchor) | Place::After(anchor) = place {
            if anchor == key.as_octets() {
                return if self.position(anchor).is_some() { Ok(()) } else { Err(UnknownAnchor) };
            }
            self.position(anchor).ok_or(UnknownAnchor)?;
        }
        if self.is_at(key.as_octets(), place) {
            return Ok(());
        }
        self.remove(key.as_octets());
        let (before, after) = self.neighbours(place);
        match position_between(before, after) {
            Some(position) => self.put(key, position),
            None => self.spread(key, before.unwrap_or(0), before.is_none()),
        }
        Ok(())
    }

    /// Gives a key this position, as read from a record. If another key has the position, the key
    /// follows it.
    pub fn restore(&mut self, key: RowKey, position: u64) {
        self.remove(key.as_octets());
        if self.keys.get(&position.to_be_bytes()).is_none() {
            self.put(key, position);
            return;
        }
        let after = self.keys.next_after(&position.to_be_bytes()).and_then(|(next, _)| number(next));
        match position_between(Some(position), after) {
            Some(between) => self.put(key, between),
            None => self.spread(key, position, false),
        }
    }

    /// Removes a key, and returns its position.
    pub fn remove(&mut self, key: &[u8]) -> Option<u64> {
        let position = self.positions.remove(key)?;
        self.keys.remove(&position.to_be_bytes());
        Some(position)
    }

    /// Returns true if both orders are the same version, which takes no time to find out.
    pub fn is_same_version(&self, other: &Self) -> bool {
        self.positions.is_same_version(&other.positions)
    }

    /// Returns true if both orders have the same keys in the same sequence. Positions can differ.
    pub fn is_same_sequence(&self, other: &Self) -> bool {
        self.is_same_version(other) || self.iter().eq(other.iter())
    }

    /// Returns true if a key is at this place already.
    fn is_at(&self, key: &[u8], place: Place<'_>) -> bool {
        let Some(position) = self.position(key) else { return false };
        let position = position.to_be_bytes();
        let neighbour = match place {
            Place::First => return self.keys.last_before(&position).is_none(),
            Place::Last => return self.keys.next_after(&position).is_none(),
            Place::Before(anchor) => (self.keys.next_after(&position), anchor),
            Place::After(anchor) => (self.keys.last_before(&position), anchor),
        };
        neighbour.0.is_some_and(|(_, key)| key.as_octets() == neighbour.1)
    }

    /// Gives a key a position, or the next one that no other key has.
    fn put(&mut self, key: RowKey, mut position: u64) {
        self.remove(key.as_octets());
        while self.keys.get(&position.to_be_bytes()).is_some() {
            position = position.wrapping_add(1);
        }
        self.keys.insert(RowKey::from(&position.to_be_bytes()[..]), key.clone());
        self.positions.insert(key, position);
    }

    /// Returns the positions before and after a place.
    fn neighbours(&self, place: Place<'_>) -> (Option<u64>, Option<u64>) {
        let number = |(position, _): (&RowKey, &RowKey)| number(position);
        match place {
            Place::First => (None, self.keys.first().and_then(number)),
            Place::Last => (self.keys.last().and_then(number), None),
            Place::Before(anchor) => {
                let after = self.position(anchor);
                (after.and_then(|after| self.keys.last_before(&after.to_be_bytes()).and_then(number)), after)
            }
            Place::After(anchor) => {
                let before = self.position(anchor);
                (
                    before,
                    before.and_then(|before| self.keys.next_after(&before.to_be_bytes()).and_then(number)),
                )
            }
        }
    }

    /// Inserts a key after `position`, or before all others, and spreads the keys of the smallest
    /// sparse range around it evenly.
    fn spread(&mut self, key: RowKey, position: u64, is_first: bool) {
        for bits in 2..=u64::BITS {
            let mask = u64::MAX >> (u64::BITS - bits);
            let (start, end) = (position & !mask, position | mask);
            let limit = max_keys(bits);
            let in_range =
                self.keys.starting_at(&start.to_be_bytes()).take_while(|(at, _)| number(at) <= Some(end));
            let mut moved: Vec<(Option<u64>, RowKey)> =
                in_range.take(limit).map(|(at, key)| (number(at), key.clone())).collect();
            if moved.len() == limit && bits < u64::BITS {
                continue;
            }
            let following =
                moved.iter().position(|(at, _)| is_first || *at > Some(position)).unwrap_or(moved.len());
            moved.insert(following, (None, key));
            for (_, key) in &moved {
                self.remove(key.as_octets());
            }
            let step = u128::from(mask) / (moved.len() as u128 + 1);
            for (number, (_, key)) in (1..).zip(moved) {
                let offset = u64::try_from(step * number).unwrap_or(mask);
                self.put(key, start + offset);
            }
            return;
        }
    }
}

impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_sequence(other)
    }
}

impl Eq for Order {}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Order({} keys)", self.len())
    }
}

impl IsSame for u64 {
    fn is_same(&self, other: &Self) -> bool {
        self == other
    }
}

impl fmt::Display for UnknownAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entry before or after which another was to be inserted does not exist")
    }
}

impl std::error::Error for UnknownAnchor {}

/// Returns a position between two others, or none if there is none. At the ends of the order, the
/// distance is constant, so that entries appended one after another need no spreading.
fn position_between(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    match (before, after) {
        (None, None) => Some(MIDDLE),
        (Some(before), None) => before.checked_add(STEP).or_else(|| middle(before, u64::MAX)),
        (None, Some(after)) => after.checked_sub(STEP).or_else(|| middle(0, after)),
        (Some(before), Some(after)) => middle(before, after),
    }
}

fn middle(before: u64, after: u64) -> Option<u64> {
    let half = after.checked_sub(before)? / 2;
    (half > 0).then(|| before + half)
}

fn number(position: &RowKey) -> Option<u64> {
    position.as_octets().try_into().ok().map(u64::from_be_bytes)
}

/// Returns the number of keys from which on a range of 2^`bits` positions is not sparse:
/// (4/3)^`bits`. Distances after spreading are at least 1.5^`bits`, which grows with the range.
fn max_keys(bits: u32) -> usize {
    let mut keys = 1.0_f64;
    for _ in 0..bits {
        keys = keys * 4.0 / 3.0;
    }
    keys.ceil() as usize
}

/// Position of the first key.
const MIDDLE: u64 = 1 << 63;

/// Distance between keys that are appended one after another.
const STEP: u64 = 1 << 32;

#[cfg(test)]
mod tests;
