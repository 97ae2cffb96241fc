//! Which objects a view holds: families of subtrees with masks (RFC 3415 §4, vacmViewTreeFamilyTable).
//!
//! Notification filters are made the same way (RFC 3413 §6), and use this too.

use portreeve_smi::Oid;

use crate::FamilyType;

/// A set of object identifiers, put together from families that include or exclude subtrees.
#[derive(Clone, Debug, Default)]
pub struct View {
    // The longest subtrees first, the lexicographically greater first among equals: the first match decides.
    families: Vec<Family>,
}

impl View {
    /// A view of these families, in any order.
    pub fn new(mut families: Vec<Family>) -> Self {
        families.sort_by(|a, b| (b.subtree.len(), &*b.subtree).cmp(&(a.subtree.len(), &*a.subtree)));
        Self { families }
    }

    /// The families, the one that decides first before the others.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Whether the object instance `name` is in the view.
    pub fn contains(&self, name: &[u32]) -> bool {
        let deciding = self.families.iter().find(|family| family.covers(name));
        deciding.is_some_and(|family| family.kind == FamilyType::Included)
    }

    /// Whether everything that lies below `prefix` is in the view, or nothing.
    ///
    /// [`SubtreeCoverage::Mixed`] is also the answer where finding out more would take looking at every name.
    pub fn classify_subtree(&self, prefix: &[u32]) -> SubtreeCoverage {
        let outer = self.contains(prefix);
        let inner = self.families.iter().take_while(|family| family.subtree.len() > prefix.len());
        let uniform = inner
            .filter(|family| family.matches_prefix(prefix))
            .all(|family| (family.kind == FamilyType::Included) == outer);
        match (uniform, outer) {
            (false, _) => SubtreeCoverage::Mixed,
            (true, true) => SubtreeCoverage::All,
            (true, false) => SubtreeCoverage::None,
        }
    }
}

/// What part of a subtree is in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubtreeCoverage {
    /// Every name below it.
    All,
    /// No name below it.
    None,
    /// Some, perhaps: each name is to be asked for.
    Mixed,
}

/// A family of subtrees: those that agree with `subtree` wherever the mask wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    subtree: Oid,
    mask: Box<[u8]>,
    kind: FamilyType,
}

impl Family {
    /// A family. Bit by bit from the most significant, `mask` says which arcs must agree; arcs past its end must.
    pub fn new(subtree: Oid, mask: &[u8], kind: FamilyType) -> Self {
        Self { subtree, mask: mask.into(), kind }
    }

    /// Whether `name` lies in one of the subtrees.
    pub fn covers(&self, name: &[u32]) -> bool {
        name.len() >= self.subtree.len() && self.matches_prefix(name)
    }

    /// Whether `name` agrees with the subtree as far as both go.
    fn matches_prefix(&self, name: &[u32]) -> bool {
        let matches = |(position, (own_arc, name_arc)): (usize, (&u32, &u32))| {
            own_arc == name_arc || !self.is_significant(position)
        };
        self.subtree.iter().zip(name).enumerate().all(matches)
    }

    fn is_significant(&self, position: usize) -> bool {
        match self.mask.get(position / 8) {
            Some(octet) => octet & (0x80 >> (position % 8)) != 0,
            None => true,
        }
    }
}

#[cfg(test)]
mod tests;
