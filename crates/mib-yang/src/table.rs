//! Entries of lists as rows of a table, and how they are found.
//!
//! ```text
//! top level ─ containers ─▶ list ─ key ─▶ entry ─ containers ─▶ list within ─ key ─▶ entry = row
//! ```
//! A table has the rows of one list. If the list is within another, the keys of both are the index.
//! Scalars belong to a table without lists, whose only row is the top level.

use portreeve_yang::NodeId;
use portreeve_yang_tree::{List, Row};

use crate::keys::{Keys, Start};

/// The way from the top level to the rows of a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The lists, from the outermost inwards. Only the scalars have none.
    pub(crate) lists: Vec<TableList>,
    /// The leaf that creates and deletes entries of the last list.
    pub(crate) row_status: Option<NodeId>,
}

/// A list on the way to the rows of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableList {
    /// The list.
    pub(crate) node: NodeId,
    /// The way to the list from the entry above it, or from the top level.
    pub(crate) way: Way,
    /// The index of the list in the layout of the row that contains it.
    pub(crate) child: usize,
}

/// The containers between a row and a node below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Way {
    /// All of them, from the row downwards.
    pub(crate) containers: Vec<NodeId>,
    /// Of those with presence, the indexes in the layouts of the rows that contain them.
    pub(crate) rows: Vec<usize>,
}

impl Way {
    /// Returns the row at the end of the way.
    pub(crate) fn follow<'t>(&self, row: &'t Row) -> Option<&'t Row> {
        self.rows.iter().try_fold(row, |row, index| Some(&**row.container(*index)?))
    }
}

impl TableList {
    fn entries<'t>(&self, above: &'t Row) -> Option<&'t List> {
        self.way.follow(above)?.list(self.child)
    }
}

/// A row that a search has found.
pub(crate) struct Found<'t, 's> {
    /// The keys of the entry and of those above it.
    pub(crate) keys: &'s [&'t [u8]],
    /// The row. `None` for an entry without entries in the next list.
    pub(crate) row: Option<&'t Row>,
}

impl Found<'_, '_> {
    /// Copies the keys.
    pub(crate) fn copy_keys(&self, to: &mut Keys) {
        to.clear();
        self.keys.iter().for_each(|key| to.push(key));
    }
}

/// Decides if a search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    Continue,
    Stop,
}

impl Table {
    /// Returns the row with these keys, which may lack those of the innermost lists: then it is the
    /// entry of another list.
    pub(crate) fn row<'t>(&self, root: &'t Row, keys: &Keys) -> Option<&'t Row> {
        self.lists
            .iter()
            .zip(keys.iter())
            .try_fold(root, |above, (list, key)| Some(&**list.entries(above)?.get(key)?))
    }

    /// Passes the rows from a position on to `visit`, in the order of their index arcs, until it
    /// stops the search.
    pub(crate) fn search<'t>(
        &self,
        root: &'t Row,
        keys: &Keys,
        start: Start,
        visit: &mut dyn FnMut(Found<'t, '_>) -> Search,
    ) {
        let position = Position { octets: &keys.octets, ends: &keys.ends, begin: 0, start };
        search(&self.lists, root, Some(position), &mut Vec::new(), visit);
    }
}

/// The rest of a position, from one list on.
#[derive(Clone, Copy)]
struct Position<'k> {
    octets: &'k [u8],
    ends: &'k [usize],
    /// The place in the octets at which the key of the list begins.
    begin: usize,
    start: Start,
}

impl<'k> Position<'k> {
    /// Returns the key of the list, which is incomplete if nothing follows it.
    fn key(self) -> &'k [u8] {
        let end = self.ends.first().copied().unwrap_or(self.octets.len());
        self.octets.get(self.begin..end).unwrap_or_default()
    }

    /// Returns the position in the next list, if the key of this one is complete.
    fn below(self) -> Option<Self> {
        let (end, rest) = self.ends.split_first()?;
        Some(Self { begin: *end, ends: rest, ..self })
    }
}

/// Visits the rows of the entry `above`, from a position on. There are at most as many lists as
/// levels of a schema.
fn search<'t>(
    lists: &[TableList],
    above: &'t Row,
    position: Option<Position<'_>>,
    keys: &mut Vec<&'t [u8]>,
    visit: &mut dyn FnMut(Found<'t, '_>) -> Search,
) -> Search {
    let Some((list, rest)) = lists.split_first() else { return visit(Found { keys, row: Some(above) }) };
    let Some(entries) = list.entries(above) else {
        return if keys.is_empty() { Search::Continue } else { visit(Found { keys, row: None }) };
    };
    let first = position.map(Position::key).unwrap_or_default();
    let mut below = position.and_then(Position::below);
    for (key, entry) in entries.by_key().starting_at(first) {
        // The rest of the position belongs to the entry with its key, which can only be the first.
        let below = below.take().filter(|_| key.as_octets() == first);
        if rest.is_empty() && below.is_some_and(|position| position.start == Start::After) {
            continue;
        }
        keys.push(key.as_octets());
        let searched = search(rest, entry, below, keys, visit);
        keys.pop();
        if searched == Search::Stop {
            return Search::Stop;
        }
    }
    Search::Continue
}
