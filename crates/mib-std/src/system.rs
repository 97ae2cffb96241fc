//! The system uptime, and the supported MIB modules (SNMPv2-MIB, RFC 3418).
//!
//! The other objects of the system group are in the configuration datastore.

use std::sync::Arc;

use portreeve_datastore::State;
use portreeve_mib::{
    Instrumentation, Kind, Lookup, Module, Object,
    modules::snmpv2_mib::{SYS_OR_DESCR, SYS_OR_ID, SYS_OR_LAST_CHANGE, SYS_OR_UP_TIME, SYS_UP_TIME},
    rows,
};
use portreeve_smi::{Oid, OidBuf, OidRef, Timestamp, Value};

/// The objects sysUpTime, sysORLastChange and sysORTable.
pub struct SystemObjects {
    started: Timestamp,
    now: Timestamp,
    supported: Vec<SupportedModule>,
    hint: usize,
}

impl SystemObjects {
    /// Creates the objects for a system that was started at `started` and supports `modules`. The
    /// set of modules never changes.
    pub fn new(started: Timestamp, modules: &[&'static Module]) -> Self {
        let supported = (1..).zip(modules.iter().filter_map(|module| identity(module)));
        let supported =
            supported.map(|(number, (id, description))| SupportedModule { index: [number], id, description });
        Self { started, now: started, supported: supported.collect(), hint: 0 }
    }

    fn row(&self, leaf: usize, row: usize) -> Lookup<'_> {
        let Some(row) = self.supported.get(row) else { return Lookup::Absent };
        Lookup::Value(match leaf {
            OR_ID => Value::ObjectId(OidRef::Arcs(&row.id)),
            OR_DESCR => Value::OctetString(row.description.as_bytes()),
            _ => Value::TimeTicks(0),
        })
    }

    fn scalar(&self, leaf: usize) -> Lookup<'_> {
        Lookup::Value(Value::TimeTicks(match leaf {
            // TimeTicks wrap after 497 days.
            UP_TIME => (self.now.since(self.started).as_micros() / MICROS_PER_TICK) as u32,
            _ => 0,
        }))
    }
}

impl Instrumentation for SystemObjects {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&SYS_UP_TIME, &SYS_OR_LAST_CHANGE, &SYS_OR_ID, &SYS_OR_DESCR, &SYS_OR_UP_TIME]
    }

    fn begin(&mut self, _: &Arc<State>, now: Timestamp) {
        self.now = now;
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        if leaf < OR_ID {
            return if index == [0] { self.scalar(leaf) } else { Lookup::Absent };
        }
        match rows::exact(self.supported.len(), |row| index_of(&self.supported, row), index, &mut self.hint) {
            Some(row) => self.row(leaf, row),
            None => Lookup::Absent,
        }
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        if leaf < OR_ID {
            let first = after.is_empty() && name.push(0).is_ok();
            return if first { self.scalar(leaf) } else { Lookup::Absent };
        }
        let index_of = |row| index_of(&self.supported, row);
        match rows::successor(self.supported.len(), index_of, after, &mut self.hint) {
            Some(row) if name.extend(index_of(row)).is_ok() => self.row(leaf, row),
            _ => Lookup::Absent,
        }
    }
}

struct SupportedModule {
    index: [u32; 1],
    id: Oid,
    description: &'static str,
}

fn index_of(supported: &[SupportedModule], row: usize) -> &[u32] {
    supported.get(row).map_or(&[], |row| &row.index)
}

/// Returns the identity and description of a module in sysORTable; `None` if it has no
/// MODULE-IDENTITY.
fn identity(module: &'static Module) -> Option<(Oid, &'static str)> {
    let identity = module.objects.iter().find(|object| matches!(object.kind, Kind::Module))?;
    Some((Oid::new(&identity.oid()).ok()?, module.description))
}

const UP_TIME: usize = 0;
const OR_ID: usize = 2;
const OR_DESCR: usize = 3;
const MICROS_PER_TICK: u128 = 10_000;

#[cfg(test)]
mod tests;
