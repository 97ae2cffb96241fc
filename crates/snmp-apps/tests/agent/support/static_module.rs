//! Read-only objects, with a counter of visited rows.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use portreeve_mib::{Instrumentation, Lookup, Object, rows};
use portreeve_smi::{OidBuf, OwnedValue};

/// A module of read-only objects, with their sorted rows.
#[derive(Default)]
pub(crate) struct StaticModule {
    leaves: Vec<Leaf>,
    visits: Arc<AtomicUsize>,
}

struct Leaf {
    object: &'static Object,
    rows: Vec<(Vec<u32>, OwnedValue)>,
    hint: usize,
}

impl StaticModule {
    /// Adds a scalar.
    pub(crate) fn scalar(self, object: &'static Object, value: OwnedValue) -> Self {
        self.column(object, [(vec![0], value)])
    }

    /// Adds a column with these rows.
    pub(crate) fn column(
        mut self,
        object: &'static Object,
        rows: impl IntoIterator<Item = (Vec<u32>, OwnedValue)>,
    ) -> Self {
        let sorted: BTreeMap<_, _> = rows.into_iter().collect();
        self.leaves.push(Leaf { object, rows: sorted.into_iter().collect(), hint: 0 });
        self
    }

    /// Returns the counter of visited rows.
    pub(crate) fn visits(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.visits)
    }
}

impl Instrumentation for StaticModule {
    fn objects(&self) -> Vec<&'static Object> {
        self.leaves.iter().map(|leaf| leaf.object).collect()
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let Leaf { rows, hint, .. } = &mut self.leaves[leaf];
        match rows::exact(rows.len(), counted(rows, &self.visits), index, hint) {
            Some(row) => Lookup::Value(rows[row].1.as_value()),
            None => Lookup::Absent,
        }
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let Leaf { rows, hint, .. } = &mut self.leaves[leaf];
        match rows::successor(rows.len(), counted(rows, &self.visits), after, hint) {
            Some(row) => {
                name.extend(&rows[row].0).unwrap();
                Lookup::Value(rows[row].1.as_value())
            }
            None => Lookup::Absent,
        }
    }
}

fn counted<'r>(
    rows: &'r [(Vec<u32>, OwnedValue)],
    visits: &'r AtomicUsize,
) -> impl Fn(usize) -> &'r [u32] + use<'r> {
    |row| {
        visits.fetch_add(1, Ordering::Relaxed);
        &rows[row].0
    }
}
