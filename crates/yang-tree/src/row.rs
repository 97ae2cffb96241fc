//! Rows: the units that versions of a tree share.

use std::{ops::Range, sync::Arc};

use crate::{LeafList, Leafs, List};

/// The content of a list entry, of a presence container, or of the top level, without the rows
/// below it.
///
/// Containers without presence are a part of the row that contains them. The schema node of the row
/// determines the meaning of slots and children
/// ([`RowLayout`](portreeve_yang::RowLayout)).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub(crate) leafs: Leafs,
    pub(crate) children: Children,
}

/// A list, presence container or leaf-list below a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A presence container that exists.
    Container(Arc<Row>),
    /// A list with at least one entry.
    List(List),
    /// A leaf-list with at least one value.
    LeafList(LeafList),
}

impl Row {
    /// Returns the leafs.
    pub fn leafs(&self) -> &Leafs {
        &self.leafs
    }

    /// Returns the value of the leaf in a slot.
    pub fn leaf(&self, slot: usize) -> Option<&str> {
        self.leafs.get(slot)
    }

    /// Returns the children that exist, in ascending order of their indexes in the layout.
    pub fn children(&self) -> impl ExactSizeIterator<Item = (usize, &Child)> {
        self.children.as_slice().iter().map(|(index, child)| (usize::from(*index), child))
    }

    /// Returns the child with this index in the layout.
    pub fn child(&self, index: usize) -> Option<&Child> {
        self.children.get(index)
    }

    /// Returns the list with this index in the layout, if it has entries.
    pub fn list(&self, index: usize) -> Option<&List> {
        self.child(index)?.as_list()
    }

    /// Returns the leaf-list with this index in the layout, if it has values.
    pub fn leaf_list(&self, index: usize) -> Option<&LeafList> {
        self.child(index)?.as_leaf_list()
    }

    /// Returns the presence container with this index in the layout, if it exists.
    pub fn container(&self, index: usize) -> Option<&Arc<Row>> {
        self.child(index)?.as_container()
    }

    /// Returns true if a slot or child of these ranges exists.
    pub fn has_content(&self, slots: Range<usize>, children: Range<usize>) -> bool {
        self.leafs.range(slots).len() > 0 || !self.children.range(children).is_empty()
    }

    /// Returns true if the row has neither leafs nor children.
    pub fn is_empty(&self) -> bool {
        self.leafs.is_empty() && self.children.as_slice().is_empty()
    }
}

impl Child {
    /// Returns the row, if this is a presence container.
    pub fn as_container(&self) -> Option<&Arc<Row>> {
        match self {
            Self::Container(row) => Some(row),
            Self::List(_) | Self::LeafList(_) => None,
        }
    }

    /// Returns the list, if this is one.
    pub fn as_list(&self) -> Option<&List> {
        match self {
            Self::List(list) => Some(list),
            Self::Container(_) | Self::LeafList(_) => None,
        }
    }

    /// Returns the leaf-list, if this is one.
    pub fn as_leaf_list(&self) -> Option<&LeafList> {
        match self {
            Self::LeafList(values) => Some(values),
            Self::Container(_) | Self::List(_) => None,
        }
    }

    /// Returns true if both are the same version.
    pub(crate) fn is_same_version(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Container(one), Self::Container(two)) => Arc::ptr_eq(one, two),
            (Self::List(one), Self::List(two)) => one.is_same_version(two),
            (Self::LeafList(one), Self::LeafList(two)) => one.is_same_version(two),
            _ => false,
        }
    }
}

/// The children of a row by ascending index. Most rows have none and need no allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Children(Option<Box<Table>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Table(Vec<(u16, Child)>);

impl Children {
    pub(crate) fn as_slice(&self) -> &[(u16, Child)] {
        self.0.as_deref().map(|table| &table.0[..]).unwrap_or_default()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Child> {
        let position = self.find(index).ok()?;
        self.as_slice().get(position).map(|(_, child)| child)
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut Child> {
        let position = self.find(index).ok()?;
        self.0.as_mut()?.0.get_mut(position).map(|(_, child)| child)
    }

    /// Returns a list, which is created if there is none.
    pub(crate) fn list_mut(&mut self, index: usize, is_user_ordered: bool) -> Option<&mut List> {
        if self.get(index).is_none() {
            self.set(index, Child::List(List::new(is_user_ordered)));
        }
        match self.get_mut(index)? {
            Child::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns a leaf-list, which is created if there is none.
    pub(crate) fn leaf_list_mut(&mut self, index: usize, is_user_ordered: bool) -> Option<&mut LeafList> {
        if self.get(index).is_none() {
            self.set(index, Child::LeafList(LeafList::new(is_user_ordered)));
        }
        match self.get_mut(index)? {
            Child::LeafList(values) => Some(values),
            _ => None,
        }
    }

    pub(crate) fn set(&mut self, index: usize, child: Child) {
        let found = self.find(index);
        let table = &mut self.0.get_or_insert_with(|| Box::new(Table(Vec::with_capacity(1)))).0;
        match found {
            Ok(position) => {
                if let Some((_, current)) = table.get_mut(position) {
                    *current = child;
                }
            }
            // A layout has at most as many children as this number can count.
            Err(position) => table.insert(position, (u16::try_from(index).unwrap_or(u16::MAX), child)),
        }
    }

    pub(crate) fn remove(&mut self, index: usize) {
        if let (Ok(position), Some(table)) = (self.find(index), &mut self.0) {
            table.0.remove(position);
            if table.0.is_empty() {
                self.0 = None;
            }
        }
    }

    /// Returns the children with these indexes.
    pub(crate) fn range(&self, indexes: Range<usize>) -> &[(u16, Child)] {
        let position = |index| self.find(index).unwrap_or_else(|position| position);
        self.as_slice().get(position(indexes.start)..position(indexes.end)).unwrap_or_default()
    }

    /// Shares the parts of lists and leaf-lists whose content is that of another version.
    pub(crate) fn share_with(&mut self, original: &Self) {
        for (index, child) in self.0.iter_mut().flat_map(|table| &mut table.0) {
            match (child, original.get(usize::from(*index))) {
                (Child::List(list), Some(Child::List(original))) => list.share_with(original),
                (Child::LeafList(values), Some(Child::LeafList(original))) => values.share_with(original),
                _ => {}
            }
        }
    }

    pub(crate) fn is_same_version(&self, other: &Self) -> bool {
        let (one, two) = (self.as_slice(), other.as_slice());
        let is_same = |((index, child), (other, two)): (&(u16, Child), &(u16, Child))| {
            index == other && child.is_same_version(two)
        };
        one.len() == two.len() && one.iter().zip(two).all(is_same)
    }

    fn find(&self, index: usize) -> Result<usize, usize> {
        self.as_slice().binary_search_by_key(&index, |(other, _)| usize::from(*other))
    }
}
