//! vacmContextTable: the contexts of this engine (RFC 3415 §4). Read-only.

use std::{collections::BTreeSet, iter, sync::Arc};

use portreeve_lcd::{Lcd, Name};
use portreeve_mib::{Lookup, Object, modules::vacm_mib::VACM_CONTEXT_NAME, rows};
use portreeve_smi::{OidBuf, Value};

use crate::table::{LocalEngineInfo, TableView};

/// The context names, sorted by index arcs.
#[derive(Default)]
pub(super) struct Contexts {
    source: Option<Arc<BTreeSet<Name>>>,
    rows: Vec<(Box<[u32]>, Name)>,
    hint: usize,
}

impl Contexts {
    pub(super) fn objects() -> Vec<&'static Object> {
        vec![&VACM_CONTEXT_NAME]
    }

    fn value(&self, position: Option<usize>) -> Option<(&[u32], Value<'_>)> {
        let (index, name) = self.rows.get(position?)?;
        Some((index, Value::OctetString(name)))
    }
}

impl TableView for Contexts {
    fn refresh(&mut self, lcd: &Lcd) {
        let current = &lcd.tables().contexts;
        if self.source.as_ref().is_some_and(|source| Arc::ptr_eq(source, current)) {
            return;
        }
        self.source = Some(Arc::clone(current));
        let default: Name = Arc::default();
        let all = iter::once(&default).chain(current.iter().filter(|name| !name.is_empty()));
        self.rows = all.map(|name| (index_arcs(name), Arc::clone(name))).collect();
        self.rows.sort_unstable();
    }

    fn get<'a>(&'a mut self, _: usize, index: &[u32], _: &'a LocalEngineInfo) -> Lookup<'a> {
        let position = rows::exact(self.rows.len(), index_of(&self.rows), index, &mut self.hint);
        self.value(position).map_or(Lookup::Absent, |(_, value)| Lookup::Value(value))
    }

    fn next<'a>(
        &'a mut self,
        _: usize,
        after: &[u32],
        name: &mut OidBuf,
        _: &'a LocalEngineInfo,
    ) -> Lookup<'a> {
        let position = rows::successor(self.rows.len(), index_of(&self.rows), after, &mut self.hint);
        match self.value(position) {
            Some((index, value)) if name.extend(index).is_ok() => Lookup::Value(value),
            _ => Lookup::Absent,
        }
    }
}

/// Encodes a name of at most 32 octets, preceded by its length.
fn index_arcs(name: &Name) -> Box<[u32]> {
    iter::once(name.len() as u32).chain(name.iter().map(|octet| u32::from(*octet))).collect()
}

fn index_of<'a>(rows: &'a [(Box<[u32]>, Name)]) -> impl Fn(usize) -> &'a [u32] {
    |position| rows.get(position).map_or(&[], |(index, _)| index)
}
