//! The row counts and times of last change of the tables of SNMP-TLS-TM-MIB (RFC 6353 §7).

use std::sync::Arc;

use portreeve_datastore::State;
use portreeve_mib::{Instrumentation, Lookup, Object, modules::tls_tm_mib::*};
use portreeve_smi::{OidBuf, Timestamp, Value};

/// The row counts and times of last change of the datastore's TLS tables.
pub struct TlsTableObjects {
    state: Arc<State>,
    started: Timestamp,
}

impl TlsTableObjects {
    /// Creates the objects. Like sysUpTime, times are relative to `started`.
    pub fn new(started: Timestamp) -> Self {
        Self { state: Arc::default(), started }
    }

    fn value(&self, leaf: usize) -> Lookup<'_> {
        let tables = self.state.lcd.tables();
        let times = tables.last_changed;
        // Times wrap at 2³², as all TimeTicks do. Row counts cannot exceed this limit in practice.
        let count = |rows: usize| Value::Gauge32(u32::try_from(rows).unwrap_or(u32::MAX));
        let time =
            |changed: Timestamp| Value::TimeTicks((changed.since(self.started).as_millis() / 10) as u32);
        Lookup::Value(match leaf {
            0 => count(tables.cert_to_names.len()),
            1 => time(times.cert_to_names),
            2 => count(tables.tls_params.len()),
            3 => time(times.tls_params),
            4 => count(tables.tls_addresses.len()),
            5 => time(times.tls_addresses),
            _ => return Lookup::Absent,
        })
    }
}

impl Instrumentation for TlsTableObjects {
    fn objects(&self) -> Vec<&'static Object> {
        vec![
            &SNMP_TLSTM_CERT_TO_TSN_COUNT,
            &SNMP_TLSTM_CERT_TO_TSN_TABLE_LAST_CHANGED,
            &SNMP_TLSTM_PARAMS_COUNT,
            &SNMP_TLSTM_PARAMS_TABLE_LAST_CHANGED,
            &SNMP_TLSTM_ADDR_COUNT,
            &SNMP_TLSTM_ADDR_TABLE_LAST_CHANGED,
        ]
    }

    fn begin(&mut self, state: &Arc<State>, _: Timestamp) {
        if !Arc::ptr_eq(&self.state, state) {
            self.state = Arc::clone(state);
        }
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
