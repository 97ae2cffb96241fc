//! Objects whose values come from a snapshot: scalars and tables, with a function for the value of
//! each leaf.

use std::sync::Arc;

use portreeve_datastore::State;
use portreeve_mib::{Instrumentation, Lookup, Object, rows};
use portreeve_smi::{OidBuf, Timestamp, Value};

use crate::SnapshotView;

/// Exposes the objects of a list of leaves. Their values come from one worker's view of `S`.
pub(crate) struct SnapshotObjects<S: 'static> {
    view: SnapshotView<S>,
    leaves: &'static [(&'static Object, ValueSource<S>)],
    /// For each leaf, the row that the last lookup found.
    hints: Vec<usize>,
}

/// The source of a leaf's values. The functions return `None` if there is no instance.
pub(crate) enum ValueSource<S: 'static> {
    Scalar(for<'s> fn(&'s S) -> Option<Value<'s>>),
    /// A column: the rows of its table, sorted by index, and a function that returns the value in a
    /// row.
    Column(&'static TableRows<S>, for<'s> fn(&'s S, usize) -> Option<Value<'s>>),
}

/// Access to the rows of a table.
pub(crate) struct TableRows<S> {
    pub(crate) count: fn(&S) -> usize,
    pub(crate) index: for<'s> fn(&'s S, usize) -> &'s [u32],
}

impl<S> SnapshotObjects<S> {
    pub(crate) fn new(view: SnapshotView<S>, leaves: &'static [(&'static Object, ValueSource<S>)]) -> Self {
        Self { view, leaves, hints: vec![0; leaves.len()] }
    }
}

impl<S: Send + Sync + 'static> Instrumentation for SnapshotObjects<S> {
    fn objects(&self) -> Vec<&'static Object> {
        self.leaves.iter().map(|(object, _)| *object).collect()
    }

    fn begin(&mut self, _: &Arc<State>, now: Timestamp) {
        self.view.begin(now);
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let (Some((_, source)), Some(hint)) = (self.leaves.get(leaf), self.hints.get_mut(leaf)) else {
            return Lookup::Absent;
        };
        let snapshot = match self.view.read() {
            Ok(snapshot) => snapshot,
            Err(error) => return error.into(),
        };
        let value = match source {
            ValueSource::Scalar(value) => (index == [0]).then(|| value(snapshot)).flatten(),
            ValueSource::Column(rows, value) => {
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
            Err(error) => return error.into(),
        };
        let found = match source {
            ValueSource::Scalar(value) if after.is_empty() => value(snapshot).map(|value| (&[0][..], value)),
            ValueSource::Scalar(_) => None,
            ValueSource::Column(rows, value) => {
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
