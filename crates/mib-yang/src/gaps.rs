//! Remembers where a table has no values in a column.
//!
//! A leaf that few entries have makes GETNEXT visit many rows for one value. A client that asks
//! again and again would make each request take as long. The longest gaps of each column are
//! therefore kept until the tree changes: all searches of a column together visit each row of its
//! gaps once, and a later search at most one gap that is too short to be kept.

use crate::keys::Keys;

/// The longest gaps of one column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    /// The version of the tree that has these gaps.
    version: u64,
    /// The gaps, by ascending position. They do not overlap.
    gaps: Vec<Gap>,
}

/// Consecutive rows without a value.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    /// The keys of the first row without a value.
    pub(crate) first: Keys,
    /// The keys of the row with a value that follows; `None` if none follows.
    pub(crate) end: Option<Keys>,
    /// The number of rows.
    pub(crate) rows: usize,
}

impl Gaps {
    /// Removes all gaps of another version of the tree.
    pub(crate) fn set_version(&mut self, version: u64) {
        if self.version != version {
            self.version = version;
            self.gaps.clear();
        }
    }

    /// Returns the gap that contains the row with these keys.
    pub(crate) fn find(&self, octets: &[u8]) -> Option<&Gap> {
        let before = self.gaps.partition_point(|gap| *gap.first.octets <= *octets);
        let gap = self.gaps.get(before.checked_sub(1)?)?;
        gap.end.as_ref().is_none_or(|end| *octets < *end.octets).then_some(gap)
    }

    /// Keeps a gap if it is one of the longest.
    pub(crate) fn add(&mut self, gap: Gap) {
        if gap.rows < MIN_ROWS {
            return;
        }
        // The gaps that a search has passed are parts of the new one.
        let is_within = |part: &Gap| {
            let starts = gap.first.octets <= part.first.octets;
            starts && gap.end.as_ref().is_none_or(|end| part.first.octets < end.octets)
        };
        self.gaps.retain(|part| !is_within(part));
        let place = self.gaps.partition_point(|other| other.first.octets < gap.first.octets);
        self.gaps.insert(place, gap);
        if self.gaps.len() > MAX_GAPS {
            let shortest = self.gaps.iter().enumerate().min_by_key(|(_, gap)| gap.rows);
            if let Some((position, _)) = shortest {
                self.gaps.remove(position);
            }
        }
    }
}

/// The maximum number of gaps of a column.
const MAX_GAPS: usize = 16;

/// The minimum number of rows of a gap that is kept.
const MIN_ROWS: usize = 16;

#[cfg(test)]
mod tests;
