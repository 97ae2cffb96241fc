//! The children of two versions of a row, side by side.

use std::sync::Arc;

use crate::{Child, LeafList, List, Row};

/// Two versions of a child that are not the same. A list that does not exist is empty.
pub(crate) enum Pair<'r> {
    Containers(Option<&'r Arc<Row>>, Option<&'r Arc<Row>>),
    Lists(&'r List, &'r List),
    LeafLists(&'r LeafList, &'r LeafList),
}

/// Returns the children of two rows with their indexes, without those that are the same version.
pub(crate) fn pairs<'r>(before: &'r Row, after: &'r Row) -> impl Iterator<Item = (usize, Pair<'r>)> {
    changed_children(before, after).map(|(index, before, after)| (index, pair(before, after)))
}

fn pair<'r>(before: Option<&'r Child>, after: Option<&'r Child>) -> Pair<'r> {
    let versions = [before, after];
    match before.or(after) {
        Some(Child::List(_)) => {
            let [before, after] = versions.map(|child| child.and_then(Child::as_list).unwrap_or(&NO_ENTRIES));
            Pair::Lists(before, after)
        }
        Some(Child::LeafList(_)) => {
            let [before, after] =
                versions.map(|child| child.and_then(Child::as_leaf_list).unwrap_or(&NO_VALUES));
            Pair::LeafLists(before, after)
        }
        _ => {
            let [before, after] = versions.map(|child| child.and_then(Child::as_container));
            Pair::Containers(before, after)
        }
    }
}

/// Returns the children of two rows with their indexes, without those that are the same version.
pub(crate) fn changed_children<'r>(
    before: &'r Row,
    after: &'r Row,
) -> impl Iterator<Item = (usize, Option<&'r Child>, Option<&'r Child>)> {
    let mut before = before.children().peekable();
    let mut after = after.children().peekable();
    let mut next = move || {
        let index = match (before.peek(), after.peek()) {
            (Some((one, _)), Some((two, _))) => *one.min(two),
            (Some((index, _)), None) | (None, Some((index, _))) => *index,
            (None, None) => return None,
        };
        let one = before.next_if(|(other, _)| *other == index).map(|(_, child)| child);
        let two = after.next_if(|(other, _)| *other == index).map(|(_, child)| child);
        Some((index, one, two))
    };
    std::iter::from_fn(move || {
        loop {
            match next()? {
                (_, Some(one), Some(two)) if one.is_same_version(two) => {}
                pair => return Some(pair),
            }
        }
    })
}

static NO_ENTRIES: List = List::empty();
static NO_VALUES: LeafList = LeafList::empty();
