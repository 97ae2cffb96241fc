//! Implements HOST-RESOURCES-MIB from a snapshot of the machine (RFC 2790). Includes the uptime,
//! the number of processes, and the tables of storage and devices. The only devices are processors.
//!
//! hrStorageTable lists main memory with its buffers and caches, and swap space, under the same
//! indexes as Net-SNMP's agent; file systems follow. All objects are read-only.

use portreeve_mib::{
    Object,
    modules::{
        host_resources_mib::*,
        host_resources_types::{
            HR_DEVICE_PROCESSOR, HR_STORAGE_FIXED_DISK, HR_STORAGE_OTHER, HR_STORAGE_RAM,
            HR_STORAGE_RAM_DISK, HR_STORAGE_VIRTUAL_MEMORY,
        },
    },
};
use portreeve_smi::{OidRef, Value};

use super::{FileSystem, Machine, Memory};
use crate::snapshot_objects::{TableRows, ValueSource};

/// A type of memory, as a row of hrStorageTable. Sizes are in kibibytes.
struct MemoryRow {
    index: [u32; 1],
    kind: &'static Object,
    description: &'static str,
    size: fn(&Memory) -> u64,
    used: fn(&Memory) -> u64,
}

static MEMORY: [MemoryRow; 6] = [
    MemoryRow {
        index: [1],
        kind: &HR_STORAGE_RAM,
        description: "Physical memory",
        size: |memory| memory.total,
        used: |memory| memory.total.saturating_sub(memory.free),
    },
    MemoryRow {
        index: [3],
        kind: &HR_STORAGE_VIRTUAL_MEMORY,
        description: "Virtual memory",
        size: |memory| memory.total + memory.swap_total,
        used: |memory| {
            (memory.total + memory.swap_total).saturating_sub(memory.free).saturating_sub(memory.swap_free)
        },
    },
    MemoryRow {
        index: [6],
        kind: &HR_STORAGE_OTHER,
        description: "Memory buffers",
        size: |memory| memory.total,
        used: |memory| memory.buffers,
    },
    MemoryRow {
        index: [7],
        kind: &HR_STORAGE_OTHER,
        description: "Cached memory",
        size: |memory| memory.cached,
        used: |memory| memory.cached,
    },
    MemoryRow {
        index: [8],
        kind: &HR_STORAGE_OTHER,
        description: "Shared memory",
        size: |memory| memory.shared,
        used: |memory| memory.shared,
    },
    MemoryRow {
        index: [10],
        kind: &HR_STORAGE_VIRTUAL_MEMORY,
        description: "Swap space",
        size: |memory| memory.swap_total,
        used: |memory| memory.swap_total.saturating_sub(memory.swap_free),
    },
];

/// One row of hrStorageTable.
enum Storage<'s> {
    Memory(&'static MemoryRow, &'s Memory),
    FileSystem(&'s FileSystem),
}

impl<'s> Storage<'s> {
    fn of(machine: &'s Machine, row: usize) -> Option<Self> {
        match MEMORY.get(row) {
            Some(kind) => Some(Self::Memory(kind, &machine.memory)),
            None => machine.file_systems.get(row - MEMORY.len()).map(Self::FileSystem),
        }
    }

    fn index(&self) -> &'s [u32] {
        match self {
            Self::Memory(row, _) => &row.index,
            Self::FileSystem(system) => &system.storage_index,
        }
    }

    fn kind(&self) -> &'static Object {
        match self {
            Self::Memory(row, _) => row.kind,
            Self::FileSystem(system) if system.is_memory => &HR_STORAGE_RAM_DISK,
            Self::FileSystem(_) => &HR_STORAGE_FIXED_DISK,
        }
    }

    fn description(&self) -> &'s [u8] {
        match self {
            Self::Memory(row, _) => row.description.as_bytes(),
            Self::FileSystem(system) => system.path.get(..255).unwrap_or(&system.path),
        }
    }

    /// Returns the allocation unit in bytes, and the size and the usage in units.
    fn sizes(&self) -> (i32, i32, i32) {
        match self {
            Self::Memory(row, memory) => (1024, number((row.size)(memory)), number((row.used)(memory))),
            Self::FileSystem(system) => system.in_allocation_units(),
        }
    }
}

fn storage<'s>(
    machine: &'s Machine,
    row: usize,
    value: impl Fn(Storage<'s>) -> Value<'s>,
) -> Option<Value<'s>> {
    Storage::of(machine, row).map(value)
}

static STORAGE: TableRows<Machine> = TableRows {
    count: |machine| MEMORY.len() + machine.file_systems.len(),
    index: |machine, row| Storage::of(machine, row).map_or(&[], |storage| storage.index()),
};

static PROCESSORS: TableRows<Machine> = TableRows {
    count: |machine| machine.processors.len(),
    index: |machine, row| machine.processors.get(row).map_or(&[], |processor| &processor.index),
};

use Value::{Counter32, Gauge32, Integer, ObjectId, OctetString, TimeTicks};
use ValueSource::{Column, Scalar};

/// All implemented leaves and the sources of their values.
pub(super) static LEAVES: &[(&Object, ValueSource<Machine>)] = &[
    (&HR_SYSTEM_UPTIME, Scalar(|machine| Some(TimeTicks(machine.up_time)))),
    (&HR_SYSTEM_PROCESSES, Scalar(|machine| Some(Gauge32(machine.processes)))),
    (&HR_SYSTEM_MAX_PROCESSES, Scalar(|_| Some(Integer(0)))),
    (&HR_MEMORY_SIZE, Scalar(|machine| Some(Integer(number(machine.memory.total))))),
    (&HR_STORAGE_INDEX, Column(&STORAGE, |machine, row| storage(machine, row, |row| first(row.index())))),
    (&HR_STORAGE_TYPE, Column(&STORAGE, |machine, row| storage(machine, row, |row| identifier(row.kind())))),
    (
        &HR_STORAGE_DESCR,
        Column(&STORAGE, |machine, row| storage(machine, row, |row| OctetString(row.description()))),
    ),
    (
        &HR_STORAGE_ALLOCATION_UNITS,
        Column(&STORAGE, |machine, row| storage(machine, row, |row| Integer(row.sizes().0))),
    ),
    (&HR_STORAGE_SIZE, Column(&STORAGE, |machine, row| storage(machine, row, |row| Integer(row.sizes().1)))),
    (&HR_STORAGE_USED, Column(&STORAGE, |machine, row| storage(machine, row, |row| Integer(row.sizes().2)))),
    // The kernel does not count allocation failures.
    (&HR_STORAGE_ALLOCATION_FAILURES, Column(&STORAGE, |_, _| Some(Counter32(0)))),
    (&HR_DEVICE_INDEX, Column(&PROCESSORS, |machine, row| Some(first(&machine.processors.get(row)?.index)))),
    (&HR_DEVICE_TYPE, Column(&PROCESSORS, |_, _| Some(identifier(&HR_DEVICE_PROCESSOR)))),
    (
        &HR_DEVICE_DESCR,
        Column(&PROCESSORS, |machine, row| Some(OctetString(&machine.processors.get(row)?.description))),
    ),
    (&HR_DEVICE_ID, Column(&PROCESSORS, |_, _| Some(UNKNOWN_PRODUCT))),
    (&HR_DEVICE_STATUS, Column(&PROCESSORS, |_, _| Some(Integer(RUNNING)))),
    (&HR_PROCESSOR_FRW_ID, Column(&PROCESSORS, |_, _| Some(UNKNOWN_PRODUCT))),
    (
        &HR_PROCESSOR_LOAD,
        Column(&PROCESSORS, |machine, row| Some(Integer(machine.processors.get(row)?.load?))),
    ),
];

fn first(index: &[u32]) -> Value<'static> {
    Integer(number(u64::from(index.first().copied().unwrap_or_default())))
}

fn identifier(object: &'static Object) -> Value<'static> {
    ObjectId(OidRef::Arcs(object.arcs()))
}

fn number(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

const UNKNOWN_PRODUCT: Value<'static> = ObjectId(OidRef::Arcs(&[0, 0]));
/// The value `running` of hrDeviceStatus.
const RUNNING: i32 = 2;

#[cfg(test)]
mod tests;
