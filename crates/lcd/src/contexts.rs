//! The names of contexts (RFC 3411 §3.3.1).

use std::cmp::Ordering;

use crate::{Name, index_order::counted};

/// The names of the contexts except the default context, in the order of vacmContextTable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextNames(Vec<Name>);

impl ContextNames {
    /// Adds a name. The name of the default context is ignored: that context always exists.
    pub fn insert(&mut self, name: Name) {
        if !name.is_empty()
            && let Err(place) = self.find(&name)
        {
            self.0.insert(place, name);
        }
    }

    /// Returns true if the context exists.
    pub fn contains(&self, name: &[u8]) -> bool {
        name.is_empty() || self.find(name).is_ok()
    }

    /// Returns the names in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Name> {
        self.0.iter()
    }

    /// Returns the first name for which `precedes` is false. It must be true for all names before
    /// that name, and false for all after it.
    pub fn first_from(&self, precedes: impl Fn(&[u8]) -> bool) -> Option<&Name> {
        self.0.get(self.0.partition_point(|name| precedes(name)))
    }

    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.0.binary_search_by(|other| -> Ordering { counted(other).cmp(&counted(name)) })
    }
}

impl Extend<Name> for ContextNames {
    fn extend<I: IntoIterator<Item = Name>>(&mut self, names: I) {
        names.into_iter().for_each(|name| self.insert(name));
    }
}

impl FromIterator<Name> for ContextNames {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Self {
        let mut all = Self::default();
        all.extend(names);
        all
    }
}

#[cfg(test)]
mod tests;
