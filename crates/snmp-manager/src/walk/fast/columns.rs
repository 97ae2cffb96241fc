//! Detects further columns of a table: guesses them from received names and probes them (RFC 2578
//! §7.1.12).
//!
//! ```text
//! names of a response   ENTRY.2.1 … ENTRY.2.16      the arc before the column is ENTRY's arc 1
//! first probe           after ENTRY.3?              ENTRY.3.1: there is another column
//! second probe          after ENTRY.4, ENTRY.5, …?  the columns that exist
//! ```
//! A wrong guess costs one request but loses no variable.

use portreeve_smi::OidBuf;

/// The names of one GetNext request to find columns.
#[derive(Clone, Debug)]
pub(super) struct ColumnProbe {
    /// The id of the span to split.
    pub(super) span: u32,
    /// Columns that may exist. They are in order if they belong to one table.
    pub(super) columns: Vec<OidBuf>,
    /// True if the columns belong to one table that is known to exist.
    pub(super) is_confirmed: bool,
}

impl ColumnProbe {
    /// Guesses columns next to the one that contains all names from `first` to `last`. Returns at
    /// most [`MAX_CANDIDATES`] columns.
    pub(super) fn guess(span: u32, root: &[u32], first: &[u32], last: &[u32]) -> Option<Self> {
        let common = first.iter().zip(last).take_while(|(a, b)| a == b).count();
        // The common prefix of both names contains the arc of the column, but not the instance.
        let columns: Vec<OidBuf> = (root.len().max(1)..common)
            .filter(|at| at.checked_sub(1).and_then(|entry| first.get(entry)) == Some(&ENTRY))
            .take(MAX_CANDIDATES)
            .filter_map(|at| sibling(first.get(..=at)?, 1))
            .collect();
        (!columns.is_empty()).then_some(Self { span, columns, is_confirmed: false })
    }

    /// Returns the probe for the other columns of the table that contains `column`.
    pub(super) fn siblings(span: u32, column: &OidBuf, count: u32) -> Option<Self> {
        let columns: Vec<OidBuf> = (1..=count).filter_map(|step| sibling(column, step)).collect();
        (!columns.is_empty()).then_some(Self { span, columns, is_confirmed: true })
    }

    /// Returns the columns that exist, given the successor of each column.
    pub(super) fn existing<'p>(
        &'p self,
        after: impl Iterator<Item = OidBuf> + 'p,
    ) -> impl Iterator<Item = &'p OidBuf> {
        self.columns
            .iter()
            .zip(after)
            .filter(|(column, name)| name.starts_with(column))
            .map(|(column, _)| column)
    }
}

/// Returns the name of the column whose number is higher by `step`.
fn sibling(column: &[u32], step: u32) -> Option<OidBuf> {
    let (arc, entry) = column.split_last()?;
    let mut name = OidBuf::from_arcs(entry).ok()?;
    name.push(arc.checked_add(step)?).ok()?;
    Some(name)
}

/// The last arc of the name of a table's entry (RFC 2578 §7.1.12).
const ENTRY: u32 = 1;
const MAX_CANDIDATES: usize = 4;
/// The number of columns in a second probe.
pub(super) const MAX_SIBLINGS: u32 = 24;
