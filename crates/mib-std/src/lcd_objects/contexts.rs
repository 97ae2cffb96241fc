//! vacmContextTable: the contexts of this engine (RFC 3415 §4). Read-only.

use std::iter;

use portreeve_lcd::Tables;
use portreeve_mib::{Lookup, Object, modules::vacm_mib::VACM_CONTEXT_NAME};
use portreeve_smi::{OidBuf, Value};

use crate::table::{LocalEngineInfo, Readable};

/// The default context, which is first, and the contexts of the configuration file.
pub(super) struct Contexts;

impl Readable for Contexts {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&VACM_CONTEXT_NAME]
    }

    fn get<'a>(&self, tables: &'a Tables, _: usize, index: &[u32], _: &'a LocalEngineInfo) -> Lookup<'a> {
        if index == DEFAULT_CONTEXT {
            return Lookup::Value(Value::OctetString(&[]));
        }
        match tables.contexts.first_from(|name| arcs_of(name).lt(index.iter().copied())) {
            Some(name) if arcs_of(name).eq(index.iter().copied()) => Lookup::Value(Value::OctetString(name)),
            _ => Lookup::Absent,
        }
    }

    fn next<'a>(
        &self,
        tables: &'a Tables,
        _: usize,
        after: &[u32],
        name: &mut OidBuf,
        _: &'a LocalEngineInfo,
    ) -> Lookup<'a> {
        let next: &[u8] = if after < &DEFAULT_CONTEXT[..] {
            &[]
        } else {
            match tables.contexts.first_from(|name| arcs_of(name).le(after.iter().copied())) {
                Some(name) => name,
                None => return Lookup::Absent,
            }
        };
        match arcs_of(next).try_for_each(|arc| name.push(arc)) {
            Ok(()) => Lookup::Value(Value::OctetString(next)),
            Err(_) => Lookup::Failed,
        }
    }
}

/// Returns the index arcs of a name of at most 32 octets: its length, then its octets.
fn arcs_of(name: &[u8]) -> impl Iterator<Item = u32> {
    iter::once(name.len() as u32).chain(name.iter().map(|octet| u32::from(*octet)))
}

/// The index arcs of the default context.
const DEFAULT_CONTEXT: [u32; 1] = [0];
