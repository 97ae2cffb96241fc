//! Implements IF-MIB from a snapshot of the interfaces (RFC 2863).
//!
//! Linux does not count received broadcasts and sent multicasts separately from other packets. The
//! columns therefore count every packet that is not known to be multicast as unicast; the sum of
//! both columns is correct. ifRcvAddressTable is not implemented. All objects are read-only: this
//! program does not configure interfaces.

use std::sync::Arc;

use portreeve_datastore::State;
use portreeve_mib::{Instrumentation, Lookup, Object, modules::if_mib::*, rows};
use portreeve_smi::{OidBuf, OidRef, Timestamp, Value};

use crate::{
    SnapshotView,
    interfaces::{IfSnapshot, Interface},
};

/// The IF-MIB objects of one worker.
pub struct IfMib {
    view: SnapshotView<IfSnapshot>,
    interface_hint: usize,
    stack_hint: usize,
}

impl IfMib {
    /// Creates the objects from this view.
    pub fn new(view: SnapshotView<IfSnapshot>) -> Self {
        Self { view, interface_hint: 0, stack_hint: 0 }
    }
}

impl Instrumentation for IfMib {
    fn objects(&self) -> Vec<&'static Object> {
        LEAVES.iter().map(|(object, _)| *object).collect()
    }

    fn begin(&mut self, _: &Arc<State>, now: Timestamp) {
        self.view.begin(now);
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let Some((_, source)) = LEAVES.get(leaf) else { return Lookup::Absent };
        let snapshot = match self.view.read() {
            Ok(snapshot) => snapshot,
            Err(error) => return error.into(),
        };
        let (interfaces, stack) = (&snapshot.interfaces, &snapshot.stack);
        let value = match source {
            LeafSource::Scalar(value) => (index == [0]).then(|| value(snapshot)),
            LeafSource::Interface(value) => {
                let hint = &mut self.interface_hint;
                rows::exact(interfaces.len(), |row| &interfaces[row].index, index, hint)
                    .map(|row| value(&interfaces[row]))
            }
            LeafSource::Stack(value) => {
                let hint = &mut self.stack_hint;
                rows::exact(stack.len(), |row| &stack[row].index, index, hint).map(|_| *value)
            }
        };
        value.map_or(Lookup::Absent, Lookup::Value)
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let Some((_, source)) = LEAVES.get(leaf) else { return Lookup::Absent };
        let snapshot = match self.view.read() {
            Ok(snapshot) => snapshot,
            Err(error) => return error.into(),
        };
        let (interfaces, stack) = (&snapshot.interfaces, &snapshot.stack);
        let found: Option<(&[u32], Value<'_>)> = match source {
            LeafSource::Scalar(value) => after.is_empty().then(|| (&[0][..], value(snapshot))),
            LeafSource::Interface(value) => {
                let hint = &mut self.interface_hint;
                rows::successor(interfaces.len(), |row| &interfaces[row].index, after, hint)
                    .map(|row| (&interfaces[row].index[..], value(&interfaces[row])))
            }
            LeafSource::Stack(value) => {
                let hint = &mut self.stack_hint;
                rows::successor(stack.len(), |row| &stack[row].index, after, hint)
                    .map(|row| (&stack[row].index[..], *value))
            }
        };
        match found {
            Some((index, value)) if name.extend(index).is_ok() => Lookup::Value(value),
            Some(_) => Lookup::Failed,
            None => Lookup::Absent,
        }
    }
}

/// The source of a leaf's values.
enum LeafSource {
    Scalar(fn(&IfSnapshot) -> Value<'_>),
    Interface(fn(&Interface) -> Value<'_>),
    /// A constant value for each row of ifStackTable.
    Stack(Value<'static>),
}

use LeafSource::{Interface as If, Scalar, Stack};
use Value::{Counter32, Counter64, Gauge32, Integer, ObjectId, OctetString, TimeTicks};

/// All implemented leaves and their values. 32-bit counters are the low halves of the 64-bit ones
/// (RFC 2863 §3.1.6).
static LEAVES: &[(&Object, LeafSource)] = &[
    (&IF_NUMBER, Scalar(|all| Integer(number(all.interfaces.len())))),
    (&IF_INDEX, If(|row| Integer(number(row.link.index)))),
    (&IF_DESCR, If(|row| OctetString(&row.link.name))),
    (&IF_TYPE, If(|row| Integer(row.if_type))),
    (&IF_MTU, If(|row| Integer(number(row.link.mtu)))),
    (&IF_SPEED, If(|row| Gauge32(u32::try_from(row.link.speed).unwrap_or(u32::MAX)))),
    (&IF_PHYS_ADDRESS, If(|row| OctetString(row.physical_address()))),
    (&IF_ADMIN_STATUS, If(|row| Integer(if row.link.admin_up { UP } else { DOWN }))),
    (&IF_OPER_STATUS, If(|row| Integer(row.link.status as i32))),
    (&IF_LAST_CHANGE, If(|row| TimeTicks(row.last_change))),
    (&IF_IN_OCTETS, If(|row| Counter32(low(row.link.counters.in_octets)))),
    (&IF_IN_UCAST_PKTS, If(|row| Counter32(low(row.link.counters.in_unicast())))),
    (&IF_IN_N_UCAST_PKTS, If(|row| Counter32(low(row.link.counters.in_multicast)))),
    (&IF_IN_DISCARDS, If(|row| Counter32(low(row.link.counters.in_discards)))),
    (&IF_IN_ERRORS, If(|row| Counter32(low(row.link.counters.in_errors)))),
    (&IF_IN_UNKNOWN_PROTOS, If(|row| Counter32(low(row.link.counters.in_unknown_protocols)))),
    (&IF_OUT_OCTETS, If(|row| Counter32(low(row.link.counters.out_octets)))),
    (&IF_OUT_UCAST_PKTS, If(|row| Counter32(low(row.link.counters.out_packets)))),
    (&IF_OUT_N_UCAST_PKTS, If(|_| Counter32(0))),
    (&IF_OUT_DISCARDS, If(|row| Counter32(low(row.link.counters.out_discards)))),
    (&IF_OUT_ERRORS, If(|row| Counter32(low(row.link.counters.out_errors)))),
    (&IF_OUT_Q_LEN, If(|_| Gauge32(0))),
    (&IF_SPECIFIC, If(|_| ObjectId(OidRef::Arcs(&[0, 0])))),
    (&IF_NAME, If(|row| OctetString(&row.link.name))),
    (&IF_IN_MULTICAST_PKTS, If(|row| Counter32(low(row.link.counters.in_multicast)))),
    (&IF_IN_BROADCAST_PKTS, If(|_| Counter32(0))),
    (&IF_OUT_MULTICAST_PKTS, If(|_| Counter32(0))),
    (&IF_OUT_BROADCAST_PKTS, If(|_| Counter32(0))),
    (&IF_HC_IN_OCTETS, If(|row| Counter64(row.link.counters.in_octets))),
    (&IF_HC_IN_UCAST_PKTS, If(|row| Counter64(row.link.counters.in_unicast()))),
    (&IF_HC_IN_MULTICAST_PKTS, If(|row| Counter64(row.link.counters.in_multicast))),
    (&IF_HC_IN_BROADCAST_PKTS, If(|_| Counter64(0))),
    (&IF_HC_OUT_OCTETS, If(|row| Counter64(row.link.counters.out_octets))),
    (&IF_HC_OUT_UCAST_PKTS, If(|row| Counter64(row.link.counters.out_packets))),
    (&IF_HC_OUT_MULTICAST_PKTS, If(|_| Counter64(0))),
    (&IF_HC_OUT_BROADCAST_PKTS, If(|_| Counter64(0))),
    // The default of RFC 2863 §6: enabled for interfaces that are not stacked above another one.
    (&IF_LINK_UP_DOWN_TRAP_ENABLE, If(|row| Integer(if row.has_lower { DISABLED } else { ENABLED }))),
    (&IF_HIGH_SPEED, If(|row| Gauge32(megabits(row.link.speed)))),
    (&IF_PROMISCUOUS_MODE, If(|row| Integer(truth_value(row.link.promiscuous)))),
    (&IF_CONNECTOR_PRESENT, If(|row| Integer(truth_value(row.link.device)))),
    (&IF_ALIAS, If(|row| OctetString(row.alias()))),
    (&IF_COUNTER_DISCONTINUITY_TIME, If(|row| TimeTicks(row.discontinuity))),
    (&IF_TABLE_LAST_CHANGE, Scalar(|all| TimeTicks(all.table_last_change))),
    (&IF_STACK_STATUS, Stack(Integer(ACTIVE))),
    (&IF_STACK_LAST_CHANGE, Scalar(|all| TimeTicks(all.stack_last_change))),
];

fn number(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

fn low(counter: u64) -> u32 {
    (counter & u64::from(u32::MAX)) as u32
}

/// Returns ifHighSpeed: the speed rounded to the nearest million bits per second.
fn megabits(speed: u64) -> u32 {
    u32::try_from((speed + 500_000) / 1_000_000).unwrap_or(u32::MAX)
}

fn truth_value(truth: bool) -> i32 {
    if truth { 1 } else { 2 }
}

const UP: i32 = 1;
const DOWN: i32 = 2;
const ENABLED: i32 = 1;
const DISABLED: i32 = 2;
/// The value `active` of RowStatus.
const ACTIVE: i32 = 1;

#[cfg(test)]
mod tests;
