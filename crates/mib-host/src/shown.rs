//! Objects shown from a snapshot: scalars and tables, each leaf with a function that finds its value.

use portreeve_mib::{Instrumentation, Lookup, Object, rows};
use portreeve_smi::{OidBuf, Timestamp, Value};

use crate::View;

/// Shows one worker's view of `S` under a list of leaves.
pub(crate) struct Shown<S: 'static> {
    view: View<S>,
    leaves: &'static [(&'static Object, Source<S>)],
    /// For each leaf, the row that was found last.
    hints: Vec<usize>,
}

/// Where a leaf's values come from; `None` is no instance.
pub(crate) enum Source<S: 'static> {
    Scalar(for<'s> fn(&'s S) -> Option<Value<'s>>),
    /// The number of a table's rows, which are in order of their indexes; the index of one; its value.
    Column(&'static Rows<S>, for<'s> fn(&'s S, usize) -> Option<Value<'s>>),
}

/// A table's rows.
pub(crate) struct Rows<S> {
    pub(crate) count: fn(&S) -> usize,
    pub(crate) index: for<'s> fn(&'s S, usize) -> &'s [u32],
}

impl<S> Shown<S> {
    pub(crate) fn new(view: View<S>, leaves: &'static [(&'static Object, Source<S>)]) -> Self {
        Self { view, leaves, hints: vec![0; leaves.len()] }
    }
}

impl<S: Send + Sync + 'static> Instrumentation for Shown<S> {
    fn objects(&self) -> Vec<&'static Object> {
        self.leaves.iter().map(|(object, _)| *object).collect()
    }

    fn begin(&mut self, now: Timestamp) {
        self.view.begin(now);
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let (Some((_, source)), Some(hint)) = (self.leaves.get(leaf), self.hints.get_mut(leaf)) else {
            return Lookup::Absent;
        };
        let snapshot = match self.view.read() {
            Ok(snapshot) => snapshot,
            Err(unready) => return unready.into(),
        };
        let value = match source {
            Source::Scalar(value) => (index == [0]).then(|| value(snapshot)).flatten(),
            Source::Column(rows, value) => {
                let found =
                    rows::exact((rows.count)(snapshot), |row| (rows.index)(snapshot, row), index, hint);
                found.and_then(|row| value(snapshot, row))
            }
        };
        value.map_or(Lookup::Absent, Lookup::Value)
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let (Some((_, source)), Some(hint)) = (self.leaves.get(leaf), self.hints.get_mut(leaf)) else {
            return Lookup::Absent;
        };
        let snapshot = match self.view.read() {
            Ok(snapshot) => snapshot,
            Err(unready) => return unready.into(),
        };
        let found = match source {
            Source::Scalar(value) if after.is_empty() => value(snapshot).map(|value| (&[0][..], value)),
            Source::Scalar(_) => None,
            Source::Column(rows, value) => {
                let (count, index) = ((rows.count)(snapshot), |row| (rows.index)(snapshot, row));
                let first = rows::successor(count, index, after, hint).unwrap_or(count);
                (first..count).find_map(|row| Some((index(row), value(snapshot, row)?)))
            }
        };
        match found {
            Some((index, value)) if name.extend(index).is_ok() => Lookup::Value(value),
            Some(_) => Lookup::Failed,
            None => Lookup::Absent,
        }
    }
}
