//! Lists the differences between two maps. Nodes that both maps share are skipped, so that the time
//! depends on the number of changes and not on the size of the maps.

use std::{cmp::Ordering, sync::Arc};

use super::{
    RowKey, SortedMap,
    node::{Branch, Node},
};

/// Compares values without examining large ones.
pub trait IsSame {
    /// Returns true if the values are certainly equal. May return false for equal values.
    fn is_same(&self, other: &Self) -> bool;
}

impl<T> IsSame for Arc<T> {
    fn is_same(&self, other: &Self) -> bool {
        Self::ptr_eq(self, other)
    }
}

impl IsSame for () {
    fn is_same(&self, (): &Self) -> bool {
        true
    }
}

/// A key whose value is not the same in two maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferenceItem<'m, V> {
    /// The key.
    pub key: &'m RowKey,
    /// Its value in the first map.
    pub before: Option<&'m V>,
    /// Its value in the second map.
    pub after: Option<&'m V>,
}

/// The differences between two maps in ascending order of keys.
pub struct Differences<'m, V> {
    before: Remaining<'m, V>,
    after: Remaining<'m, V>,
}

impl<V> SortedMap<V> {
    /// Returns the keys whose values in `after` are not the same as in this map.
    pub fn differences<'m>(&'m self, after: &'m Self) -> Differences<'m, V> {
        Differences { before: Remaining::new(self), after: Remaining::new(after) }
    }
}

impl<'m, V: IsSame> Iterator for Differences<'m, V> {
    type Item = DifferenceItem<'m, V>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (before, after) = match (self.before.0.last(), self.after.0.last()) {
                (None, None) => return None,
                (Some(_), None) => match self.before.pop_entry() {
                    Some((key, value)) => {
                        return Some(DifferenceItem { key, before: Some(value), after: None });
                    }
                    None => continue,
                },
                (None, Some(_)) => match self.after.pop_entry() {
                    Some((key, value)) => {
                        return Some(DifferenceItem { key, before: None, after: Some(value) });
                    }
                    None => continue,
                },
                (Some(before), Some(after)) => (*before, *after),
            };
            match (before, after) {
                (Part::Node(_, one), Part::Node(_, two)) if Arc::ptr_eq(one, two) => {
                    self.before.0.pop();
                    self.after.0.pop();
                    continue;
                }
                (Part::Entry(key, one), Part::Entry(other, two)) if key == other => {
                    self.before.0.pop();
                    self.after.0.pop();
                    if one.is_same(two) {
                        continue;
                    }
                    return Some(DifferenceItem { key, before: Some(one), after: Some(two) });
                }
                _ => {}
            }
            // The part that begins first is examined. If both begin at the same key, the higher one
            // is divided, because it can contain the other.
            let side = match before.first().cmp(after.first()) {
                Ordering::Less => Ordering::Less,
                Ordering::Greater => Ordering::Greater,
                Ordering::Equal => after.height().cmp(&before.height()),
            };
            if side.is_le()
                && let Some((key, value)) = self.before.pop_or_divide()
            {
                return Some(DifferenceItem { key, before: Some(value), after: None });
            }
            if side.is_ge()
                && let Some((key, value)) = self.after.pop_or_divide()
            {
                return Some(DifferenceItem { key, before: None, after: Some(value) });
            }
        }
    }
}

/// The parts of a map that have not been compared. The next part is at the end.
struct Remaining<'m, V>(Vec<Part<'m, V>>);

/// A node with its height above the entries and its first key, or an entry.
enum Part<'m, V> {
    Node(Position<'m>, &'m Arc<Node<V>>),
    Entry(&'m RowKey, &'m V),
}

#[derive(Clone, Copy)]
struct Position<'m> {
    first: &'m RowKey,
    height: u32,
}

impl<'m, V> Remaining<'m, V> {
    fn new(map: &'m SortedMap<V>) -> Self {
        let part = |root: &'m Arc<Node<V>>| {
            let position = Position { first: root.lower_bound()?, height: root.height() };
            Some(Part::Node(position, root))
        };
        Self(map.root.as_ref().and_then(part).into_iter().collect())
    }

    /// Removes the next part if it is an entry, and replaces it by its parts if it is a node.
    fn pop_or_divide(&mut self) -> Option<(&'m RowKey, &'m V)> {
        match self.0.pop()? {
            Part::Entry(key, value) => Some((key, value)),
            Part::Node(Position { height, .. }, node) => {
                match node.as_ref() {
                    Node::Leaf(entries) => {
                        self.0.extend(entries.iter().rev().map(|(key, value)| Part::Entry(key, value)));
                    }
                    Node::Inner(branches) => {
                        let height = height.saturating_sub(1);
                        let part = |Branch { first, node }: &'m Branch<V>| {
                            Part::Node(Position { first, height }, node)
                        };
                        self.0.extend(branches.iter().rev().map(part));
                    }
                }
                None
            }
        }
    }

    /// Removes the next entry.
    fn pop_entry(&mut self) -> Option<(&'m RowKey, &'m V)> {
        loop {
            if let Some(entry) = self.pop_or_divide() {
                return Some(entry);
            }
            if self.0.is_empty() {
                return None;
            }
        }
    }
}

impl<'m, V> Part<'m, V> {
    /// Returns a lower bound of the keys.
    fn first(&self) -> &'m RowKey {
        match self {
            Self::Node(position, _) => position.first,
            Self::Entry(key, _) => key,
        }
    }

    fn height(&self) -> u32 {
        match self {
            Self::Node(position, _) => position.height,
            Self::Entry(..) => 0,
        }
    }
}

impl<V> Clone for Part<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Part<'_, V> {}

impl<V> Node<V> {
    /// Returns the number of levels from this node to the entries.
    fn height(&self) -> u32 {
        let mut height = 1;
        let mut node = self;
        while let Self::Inner(branches) = node
            && let Some(branch) = branches.first()
        {
            height += 1;
            node = &branch.node;
        }
        height
    }
}
