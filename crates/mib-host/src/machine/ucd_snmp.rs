//! Implements UCD-SNMP-MIB from a snapshot of the machine: memory, all file systems as disks, load
//! and processor times.
//!
//! Net-SNMP's agent lists only the disks that it is configured to monitor. This agent lists all of
//! them and monitors none, so there are no thresholds and no errors.

use portreeve_mib::{Object, modules::ucd_snmp_mib::*};
use portreeve_smi::Value;

use super::{FileSystem, LoadAverage, Machine};
use crate::snapshot_objects::{TableRows, ValueSource};

static DISKS: TableRows<Machine> = TableRows {
    count: |machine| machine.file_systems.len(),
    index: |machine, row| machine.file_systems.get(row).map_or(&[], |system| &system.index),
};

static LOADS: TableRows<Machine> = TableRows {
    count: |machine| machine.load.len(),
    index: |machine, row| machine.load.get(row).map_or(&[], |load| &load.index),
};

use Value::{Counter32, Gauge32, Integer, OctetString, Opaque};
use ValueSource::{Column, Scalar};

/// All implemented leaves and the sources of their values.
pub(super) static LEAVES: &[(&Object, ValueSource<Machine>)] = &[
    (&MEM_INDEX, Scalar(|_| Some(Integer(0)))),
    (&MEM_ERROR_NAME, Scalar(|_| Some(OctetString(b"swap")))),
    (&MEM_TOTAL_SWAP, Scalar(|machine| size(machine.memory.swap_total))),
    (&MEM_AVAIL_SWAP, Scalar(|machine| size(machine.memory.swap_free))),
    (&MEM_TOTAL_REAL, Scalar(|machine| size(machine.memory.total))),
    (&MEM_AVAIL_REAL, Scalar(|machine| size(machine.memory.free))),
    (&MEM_TOTAL_FREE, Scalar(|machine| size(machine.memory.free + machine.memory.swap_free))),
    (&MEM_SHARED, Scalar(|machine| size(machine.memory.shared))),
    (&MEM_BUFFER, Scalar(|machine| size(machine.memory.buffers))),
    (&MEM_CACHED, Scalar(|machine| size(machine.memory.cached))),
    (&DSK_INDEX, Column(&DISKS, |machine, row| disk(machine, row, |disk| number(disk.index)))),
    (&DSK_PATH, Column(&DISKS, |machine, row| disk(machine, row, |disk| text(&disk.path)))),
    (&DSK_DEVICE, Column(&DISKS, |machine, row| disk(machine, row, |disk| text(&disk.device)))),
    (&DSK_MINIMUM, Column(&DISKS, |_, _| Some(Integer(NO_THRESHOLD)))),
    (&DSK_MIN_PERCENT, Column(&DISKS, |_, _| Some(Integer(NO_THRESHOLD)))),
    (&DSK_TOTAL, Column(&DISKS, |machine, row| size(total(machine, row)?))),
    (&DSK_AVAIL, Column(&DISKS, |machine, row| size(available(machine, row)?))),
    (&DSK_USED, Column(&DISKS, |machine, row| size(used(machine, row)?))),
    (
        &DSK_PERCENT,
        Column(&DISKS, |machine, row| disk(machine, row, |disk| percent(disk.used(), disk.usage.blocks))),
    ),
    (
        &DSK_PERCENT_NODE,
        Column(&DISKS, |machine, row| {
            disk(machine, row, |disk| {
                let used = disk.usage.inodes.saturating_sub(disk.usage.free_inodes);
                percent(used, disk.usage.inodes)
            })
        }),
    ),
    (&DSK_TOTAL_LOW, Column(&DISKS, |machine, row| Some(Gauge32(low(total(machine, row)?))))),
    (&DSK_TOTAL_HIGH, Column(&DISKS, |machine, row| Some(Gauge32(high(total(machine, row)?))))),
    (&DSK_AVAIL_LOW, Column(&DISKS, |machine, row| Some(Gauge32(low(available(machine, row)?))))),
    (&DSK_AVAIL_HIGH, Column(&DISKS, |machine, row| Some(Gauge32(high(available(machine, row)?))))),
    (&DSK_USED_LOW, Column(&DISKS, |machine, row| Some(Gauge32(low(used(machine, row)?))))),
    (&DSK_USED_HIGH, Column(&DISKS, |machine, row| Some(Gauge32(high(used(machine, row)?))))),
    (&DSK_ERROR_FLAG, Column(&DISKS, |_, _| Some(Integer(NO_ERROR)))),
    (&DSK_ERROR_MSG, Column(&DISKS, |_, _| Some(OctetString(b"")))),
    (&LA_INDEX, Column(&LOADS, |machine, row| load(machine, row, |load| number(load.index)))),
    (&LA_NAMES, Column(&LOADS, |machine, row| load(machine, row, |load| text(load.name.as_bytes())))),
    (&LA_LOAD, Column(&LOADS, |machine, row| load(machine, row, |load| text(load.text.as_bytes())))),
    (&LA_CONFIG, Column(&LOADS, |_, _| Some(OctetString(b"")))),
    (&LA_LOAD_INT, Column(&LOADS, |machine, row| load(machine, row, |load| Integer(load.hundredths)))),
    (&LA_LOAD_FLOAT, Column(&LOADS, |machine, row| load(machine, row, |load| Opaque(&load.float)))),
    (&LA_ERROR_FLAG, Column(&LOADS, |_, _| Some(Integer(NO_ERROR)))),
    (&LA_ERR_MESSAGE, Column(&LOADS, |_, _| Some(OctetString(b"")))),
    (&SS_INDEX, Scalar(|_| Some(Integer(1)))),
    (&SS_ERROR_NAME, Scalar(|_| Some(OctetString(b"systemStats")))),
    (&SS_CPU_RAW_USER, Scalar(|machine| counter(machine.ticks.user))),
    (&SS_CPU_RAW_NICE, Scalar(|machine| counter(machine.ticks.nice))),
    (
        &SS_CPU_RAW_SYSTEM,
        Scalar(|machine| {
            counter(machine.ticks.system + machine.ticks.interrupt + machine.ticks.soft_interrupt)
        }),
    ),
    (&SS_CPU_RAW_IDLE, Scalar(|machine| counter(machine.ticks.idle))),
    (&SS_CPU_RAW_WAIT, Scalar(|machine| counter(machine.ticks.wait))),
    (&SS_CPU_RAW_KERNEL, Scalar(|machine| counter(machine.ticks.system))),
    (&SS_CPU_RAW_INTERRUPT, Scalar(|machine| counter(machine.ticks.interrupt))),
    (&SS_RAW_INTERRUPTS, Scalar(|machine| counter(machine.interrupts))),
    (&SS_RAW_CONTEXTS, Scalar(|machine| counter(machine.context_switches))),
    (&SS_CPU_RAW_SOFT_IRQ, Scalar(|machine| counter(machine.ticks.soft_interrupt))),
    (&SS_CPU_RAW_STEAL, Scalar(|machine| counter(machine.ticks.steal))),
    (&SS_CPU_NUM_CPUS, Scalar(|machine| size(machine.processors.len() as u64))),
];

fn disk<'s>(
    machine: &'s Machine,
    row: usize,
    value: impl Fn(&'s FileSystem) -> Value<'s>,
) -> Option<Value<'s>> {
    machine.file_systems.get(row).map(value)
}

fn load<'s>(
    machine: &'s Machine,
    row: usize,
    value: impl Fn(&'s LoadAverage) -> Value<'s>,
) -> Option<Value<'s>> {
    machine.load.get(row).map(value)
}

fn total(machine: &Machine, row: usize) -> Option<u64> {
    machine.file_systems.get(row).map(|disk| disk.kibibytes(disk.usage.blocks))
}

fn available(machine: &Machine, row: usize) -> Option<u64> {
    machine.file_systems.get(row).map(|disk| disk.kibibytes(disk.usage.available))
}

fn used(machine: &Machine, row: usize) -> Option<u64> {
    machine.file_systems.get(row).map(|disk| disk.kibibytes(disk.used()))
}

/// Returns a DisplayString, limited to 255 octets.
fn text(octets: &[u8]) -> Value<'_> {
    OctetString(octets.get(..255).unwrap_or(octets))
}

fn number([index]: [u32; 1]) -> Value<'static> {
    Integer(i32::try_from(index).unwrap_or(i32::MAX))
}

fn size(size: u64) -> Option<Value<'static>> {
    Some(Integer(i32::try_from(size).unwrap_or(i32::MAX)))
}

fn counter(counter: u64) -> Option<Value<'static>> {
    Some(Counter32(low(counter)))
}

fn low(number: u64) -> u32 {
    (number & u64::from(u32::MAX)) as u32
}

fn high(number: u64) -> u32 {
    (number >> 32) as u32
}

/// Returns a percentage, rounded to the nearest integer.
fn percent(part: u64, whole: u64) -> Value<'static> {
    let (part, whole) = (u128::from(part), u128::from(whole));
    let percent = (part * 200 + whole).checked_div(whole * 2).unwrap_or_default();
    Integer(i32::try_from(percent).unwrap_or(i32::MAX))
}

const NO_THRESHOLD: i32 = -1;
const NO_ERROR: i32 = 0;

#[cfg(test)]
mod tests;
