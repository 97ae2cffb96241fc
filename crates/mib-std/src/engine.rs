//! The engine's identity and clock (SNMP-FRAMEWORK-MIB, RFC 3411 §5).

use std::sync::Arc;

use portreeve_datastore::State;
use portreeve_mib::{Instrumentation, Lookup, Object, modules::framework_mib::*};
use portreeve_smi::{OidBuf, Timestamp, Value};
use portreeve_snmp_engine::LocalEngine;

/// The objects of the snmpEngine group.
pub struct EngineObjects {
    engine: LocalEngine,
    now: Timestamp,
}

impl EngineObjects {
    /// Creates the objects of this engine.
    pub fn new(engine: LocalEngine) -> Self {
        Self { engine, now: engine.started }
    }

    fn value(&self, leaf: usize) -> Lookup<'_> {
        let number = |number: u32| Value::Integer(i32::try_from(number).unwrap_or(i32::MAX));
        Lookup::Value(match leaf {
            0 => Value::OctetString(self.engine.engine_id.as_bytes()),
            1 => number(self.engine.clock(self.now).boots.get()),
            2 => number(self.engine.time(self.now)),
            3 => number(u32::try_from(self.engine.max_message_size).unwrap_or(u32::MAX)),
            _ => return Lookup::Absent,
        })
    }
}

impl Instrumentation for EngineObjects {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&SNMP_ENGINE_ID, &SNMP_ENGINE_BOOTS, &SNMP_ENGINE_TIME, &SNMP_ENGINE_MAX_MESSAGE_SIZE]
    }

    fn begin(&mut self, _: &Arc<State>, now: Timestamp) {
        self.now = now;
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        if index == [0] { self.value(leaf) } else { Lookup::Absent }
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        if after.is_empty() && name.push(0).is_ok() { self.value(leaf) } else { Lookup::Absent }
    }
}

#[cfg(test)]
mod tests;
