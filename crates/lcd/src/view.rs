//! Views: families of subtrees with masks (RFC 3415 §4, vacmViewTreeFamilyTable).
//!
//! Notification filters have the same structure (RFC 3413 §6) and also use this type.

use portreeve_smi::Oid;

use crate::FamilyType;

/// A set of object identifiers, defined by families that include or exclude subtrees.
#[derive(Clone, Debug, Default)]
pub struct View {
    // The families are sorted by subtree length, then lexicographically, both in descending order,
    // so that the first matching family decides.
    families: Vec<Family>,
}

impl View {
    /// Creates a view of these families, in any order.
    pub fn new(mut families: Vec<Family>) -> Self {
        families.sort_by(|a, b| (b.subtree.len(), &*b.subtree).cmp(&(a.subtree.len(), &*a.subtree)));
        Self { families }
    }

    /// Returns the families in order of precedence.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Returns true if the object instance `name` is in the view.
    pub fn contains(&self, name: &[u32]) -> bool {
        self.decision(name) == Some(FamilyType::Included)
    }

    /// Returns whether the family that decides about `name` includes or excludes it; `None` if no
    /// family covers it.
    pub fn decision(&self, name: &[u32]) -> Option<FamilyType> {
        self.families.iter().find(|family| family.covers(name)).map(|family| family.kind)
    }

    /// Determines whether all, none or some of the names below `prefix` are in the view.
    ///
    /// Also returns [`SubtreeCoverage::Mixed`] if only a check of every name could decide.
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

/// The part of a subtree that is in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubtreeCoverage {
    /// Every name below the prefix is in the view.
    All,
    /// No name below the prefix is in the view.
    None,
    /// Some names may be in the view; each name must be checked.
    Mixed,
}

/// A family of subtrees: all identifiers that match `subtree` in the arcs that the mask selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    subtree: Oid,
    mask: Box<[u8]>,
    kind: FamilyType,
}

impl Family {
    /// Creates a family. The bits of `mask`, most significant first, select the arcs that must
    /// match. Arcs beyond the end of the mask must also match.
    pub fn new(subtree: Oid, mask: &[u8], kind: FamilyType) -> Self {
        Self { subtree, mask: mask.into(), kind }
    }

    /// Returns true if `name` is in one of the subtrees.
    pub fn covers(&self, name: &[u32]) -> bool {
        name.len() >= self.subtree.len() && self.matches_prefix(name)
    }

    /// Returns true if `name` matches the subtree, as far as the shorter of the two extends.
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
