//! Items that are found by their number.

/// Items in the order of their numbers, and an item that stands for every number without one.
///
/// A number of another schema gets this item, so that access needs no error.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    items: Vec<T>,
    outside: T,
}

impl<T> Arena<T> {
    /// Creates an arena without items.
    pub(crate) fn new(outside: T) -> Self {
        Self { items: Vec::new(), outside }
    }

    /// Returns the item with a number, or the one for numbers without an item.
    pub(crate) fn get(&self, index: usize) -> &T {
        self.items.get(index).unwrap_or(&self.outside)
    }

    /// Returns the item with a number.
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.items.get_mut(index)
    }

    /// Appends an item and returns its number.
    pub(crate) fn push(&mut self, item: T) -> usize {
        self.items.push(item);
        self.items.len() - 1
    }

    /// Returns the items in the order of their numbers.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T: PartialEq> PartialEq for Arena<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<T: Eq> Eq for Arena<T> {}
