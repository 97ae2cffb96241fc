//! The objects of the configuration datastore.
//!
//! In a SET, all these objects share one draft, which makes its changes in the proposed state.

mod contexts;
mod draft;

use std::sync::Arc;

use portreeve_datastore::{ProposedState, State};
use portreeve_mib::{
    Draft, Instrumentation, Lookup, Object, Requester,
    modules::usm_mib::{USM_NO_AUTH_PROTOCOL, USM_NO_PRIV_PROTOCOL},
};
use portreeve_smi::{EngineId, Oid, OidBuf, Timestamp};

use crate::{
    scalars::SCALARS,
    table::{LocalEngineInfo, Readable},
    tables::TABLES,
};
use contexts::Contexts;
use draft::SetDraft;

/// The tables and scalars of the datastore; SET requests can change them.
pub struct LcdObjects {
    state: Arc<State>,
    local: Arc<LocalEngineInfo>,
    leaves: Arc<[LeafLocation]>,
}

impl LcdObjects {
    /// Creates the objects of the engine `engine_id`.
    pub fn new(engine_id: EngineId) -> Self {
        let identity = |object: &Object| Oid::new(&object.oid()).unwrap_or_default();
        let local = LocalEngineInfo {
            engine_id,
            no_auth: identity(&USM_NO_AUTH_PROTOCOL),
            no_priv: identity(&USM_NO_PRIV_PROTOCOL),
        };
        Self {
            state: Arc::default(),
            local: Arc::new(local),
            leaves: leaves().map(|(leaf, _)| leaf).collect(),
        }
    }
}

impl Instrumentation for LcdObjects {
    fn objects(&self) -> Vec<&'static Object> {
        leaves().map(|(_, object)| object).collect()
    }

    fn begin(&mut self, state: &Arc<State>, _: Timestamp) {
        if !Arc::ptr_eq(&self.state, state) {
            self.state = Arc::clone(state);
        }
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        match self.leaves.get(leaf) {
            Some(LeafLocation::Scalar(_)) if index != [0] => Lookup::Absent,
            Some(LeafLocation::Scalar(scalar)) => self.scalar(*scalar),
            Some(LeafLocation::Column { table, column }) => {
                readable(*table).get(self.state.lcd.tables(), *column, index, &self.local)
            }
            None => Lookup::Absent,
        }
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        match self.leaves.get(leaf) {
            Some(LeafLocation::Scalar(scalar)) if after.is_empty() && name.push(0).is_ok() => {
                self.scalar(*scalar)
            }
            Some(LeafLocation::Column { table, column }) => {
                readable(*table).next(self.state.lcd.tables(), *column, after, name, &self.local)
            }
            _ => Lookup::Absent,
        }
    }

    fn draft(&mut self, proposed: &ProposedState, requester: Requester<'_>) -> Option<Box<dyn Draft>> {
        let (leaves, local) = (Arc::clone(&self.leaves), Arc::clone(&self.local));
        let before = proposed.lcd().tables().scalars.clone();
        Some(Box::new(SetDraft::new(leaves, local, before, requester)))
    }
}

impl LcdObjects {
    fn scalar(&self, scalar: usize) -> Lookup<'_> {
        match SCALARS.get(scalar) {
            Some(scalar) => Lookup::Value((scalar.get)(self.state.lcd.scalars())),
            None => Lookup::Absent,
        }
    }
}

/// The place at which a leaf is defined.
#[derive(Clone, Copy)]
enum LeafLocation {
    /// The leaf is in [`SCALARS`], at this position.
    Scalar(usize),
    /// The leaf is a column of a table in [`TABLES`], or of the context table, which follows them.
    Column { table: usize, column: usize },
}

/// Returns the table with this number.
fn readable(table: usize) -> &'static dyn Readable {
    match TABLES.get(table) {
        Some(table) => *table,
        None => &Contexts,
    }
}

/// Returns every leaf, in the order of leaf numbers.
fn leaves() -> impl Iterator<Item = (LeafLocation, &'static Object)> {
    let scalars = SCALARS
        .iter()
        .enumerate()
        .map(|(scalar, definition)| (LeafLocation::Scalar(scalar), definition.object));
    let of_table = |table: usize, objects: Vec<&'static Object>| {
        objects
            .into_iter()
            .enumerate()
            .map(move |(column, object)| (LeafLocation::Column { table, column }, object))
    };
    let tables =
        TABLES.iter().enumerate().flat_map(move |(table, definition)| of_table(table, definition.objects()));
    scalars.chain(tables).chain(of_table(TABLES.len(), Contexts.objects()))
}

#[cfg(test)]
mod tests;
