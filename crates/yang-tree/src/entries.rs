//! The entries of a list or leaf-list, in the order of their keys or in one that users choose.

use std::sync::Arc;

use crate::{
    Row,
    rows::{IsSame, Order, Place, RowKey, SortedEntries, SortedMap, UnknownAnchor},
};

/// The entries of a list, by key.
pub type List = Entries<Arc<Row>>;

/// The values of a leaf-list in canonical form, which are the keys.
pub type LeafList = Entries<()>;

/// Entries with unique keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries<V> {
    map: SortedMap<V>,
    /// The order, if users choose it.
    order: Option<Box<Order>>,
}

impl<V> Entries<V> {
    /// Creates an empty list, whose order users choose or that is ordered by keys.
    pub fn new(is_user_ordered: bool) -> Self {
        Self { map: SortedMap::new(), order: is_user_ordered.then(Box::default) }
    }

    /// Creates a list without entries that is ordered by keys.
    pub(crate) const fn empty() -> Self {
        Self { map: SortedMap::new(), order: None }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Returns the entries by ascending keys.
    pub fn by_key(&self) -> &SortedMap<V> {
        &self.map
    }

    /// Returns the order that users have chosen; `None` if the list is ordered by keys.
    pub fn order(&self) -> Option<&Order> {
        self.order.as_deref()
    }

    /// Returns an entry.
    pub fn get(&self, key: &[u8]) -> Option<&V> {
        self.map.get(key)
    }

    /// Returns the entries in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = (&RowKey, &V)> {
        match &self.order {
            None => InOrder::ByKey(self.map.iter()),
            Some(order) => InOrder::Chosen(self, Box::new(order.iter())),
        }
    }

    /// Returns the first entry in the order of the list.
    pub fn first(&self) -> Option<(&RowKey, &V)> {
        self.iter().next()
    }

    /// Returns the entry after a key in the order of the list. If users choose the order, the key
    /// has to exist.
    pub fn next_after(&self, key: &[u8]) -> Option<(&RowKey, &V)> {
        match &self.order {
            None => self.map.next_after(key),
            Some(order) => {
                let next = order.after(key)?.next()?;
                Some((next, self.map.get(next.as_octets())?))
            }
        }
    }

    /// Returns true if both are the same version.
    pub fn is_same_version(&self, other: &Self) -> bool {
        let is_same_order = match (&self.order, &other.order) {
            (None, None) => true,
            (Some(one), Some(two)) => one.is_same_version(two),
            _ => false,
        };
        is_same_order && self.map.is_same_version(&other.map)
    }
}

impl<V: Clone> Entries<V> {
    /// Sets an entry. In an order that users choose, a new entry is the last.
    pub(crate) fn insert(&mut self, key: RowKey, value: V) -> Option<V> {
        if let Some(order) = &mut self.order
            && order.position(key.as_octets()).is_none()
        {
            // The last place needs no other key.
            let _ = order.place(key.clone(), Place::Last);
        }
        self.map.insert(key, value)
    }

    /// Moves an entry that exists to another place. Has no effect on a list ordered by keys.
    pub(crate) fn place(&mut self, key: &RowKey, place: Place<'_>) -> Result<(), UnknownAnchor> {
        match &mut self.order {
            Some(order) => order.place(key.clone(), place),
            None => Ok(()),
        }
    }

    /// Sets an entry at a position, as read from a record.
    pub(crate) fn restore(&mut self, key: RowKey, value: V, position: Option<u64>) {
        if let (Some(order), Some(position)) = (&mut self.order, position) {
            order.restore(key.clone(), position);
        }
        self.insert(key, value);
    }

    /// Returns an entry to be changed.
    pub(crate) fn get_mut(&mut self, key: &[u8]) -> Option<&mut V> {
        self.map.get_mut(key)
    }

    /// Removes an entry.
    pub(crate) fn remove(&mut self, key: &[u8]) -> Option<V> {
        if let Some(order) = &mut self.order {
            order.remove(key);
        }
        self.map.remove(key)
    }

    /// Returns the same entries in another order with the same keys.
    pub(crate) fn with_order(mut self, order: Option<Order>) -> Self {
        self.order = order.map(Box::new);
        self
    }
}

impl<V: Clone + IsSame> Entries<V> {
    /// Shares the parts whose content is that of another version, if they are most of the list.
    pub(crate) fn share_with(&mut self, original: &Self) {
        if self.map.is_same_version(&original.map) {
            return;
        }
        let limit = self.len() / 2;
        let differences = original.map.differences(&self.map).take(limit + 1);
        let changes: Vec<_> = differences.map(|item| (item.key.clone(), item.after.cloned())).collect();
        if changes.len() <= limit {
            self.map = original.map.clone();
            for (key, value) in changes {
                match value {
                    Some(value) => self.map.insert(key, value),
                    None => self.map.remove(key.as_octets()),
                };
            }
        }
        if let (Some(order), Some(original)) = (&mut self.order, &original.order)
            && order.is_same_sequence(original)
        {
            order.clone_from(original);
        }
    }

    /// Returns an entry of both versions that has another place among those of both.
    pub(crate) fn moved_from<'e>(&'e self, before: &'e Self) -> Option<&'e RowKey> {
        let (after, before) = (self.order()?, before.order()?);
        let is_in = |order: &'e Order| move |key: &&'e RowKey| order.position(key.as_octets()).is_some();
        let mut differences = before.positions().differences(after.positions());
        // Most changes of an order give no other position to an entry that remains.
        differences.find(|item| item.before.is_some() && item.after.is_some())?;
        let kept = before.iter().filter(is_in(after));
        let mut pairs = kept.zip(after.iter().filter(is_in(before)));
        pairs.find(|(one, two)| one != two).map(|(_, moved)| moved)
    }
}

/// Iterates in the order of a list.
enum InOrder<'e, V> {
    ByKey(SortedEntries<'e, V>),
    Chosen(&'e Entries<V>, Box<dyn Iterator<Item = &'e RowKey> + 'e>),
}

impl<'e, V> Iterator for InOrder<'e, V> {
    type Item = (&'e RowKey, &'e V);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::ByKey(entries) => entries.next(),
            Self::Chosen(entries, keys) => {
                let key = keys.next()?;
                Some((key, entries.map.get(key.as_octets())?))
            }
        }
    }
}
