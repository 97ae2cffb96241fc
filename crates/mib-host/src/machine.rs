//! The machine as a whole: memory, file systems, load and processors, for HOST-RESOURCES-MIB and
//! UCD-SNMP-MIB.
//!
//! [`MachineCollect`] reads files of `/proc` and queries the usage of each file system. Network
//! file systems are skipped, because a server that does not respond must not block the collection.
//! File systems without capacity, such as `/proc` itself, are skipped too.

mod collect;
mod file_systems;
mod host_resources;
mod load;
mod memory;
mod processors;
mod source;
mod ucd_snmp;

use portreeve_mib::Instrumentation;

pub use collect::MachineCollect;
pub use file_systems::FileSystem;
pub use load::LoadAverage;
pub use memory::Memory;
pub use processors::{Processor, Ticks};
pub use source::{MachineSource, ProcMachineSource, ProcText, Usage};

use crate::{Collector, snapshot_objects::SnapshotObjects};

/// A snapshot of the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// The time since the system was started, in hundredths of a second. It wraps after 497 days.
    pub up_time: u32,
    /// The number of processes.
    pub processes: u32,
    /// The sizes of main memory and swap space.
    pub memory: Memory,
    /// The load averages over 1, 5 and 15 minutes.
    pub load: Vec<LoadAverage>,
    /// The time that all processors together have spent in each state.
    pub ticks: Ticks,
    /// The number of interrupts served.
    pub interrupts: u64,
    /// The number of context switches.
    pub context_switches: u64,
    /// The processors, sorted by index.
    pub processors: Vec<Processor>,
    /// The file systems, sorted by index.
    pub file_systems: Vec<FileSystem>,
}

/// Creates the instrumentations of all objects, for one worker.
pub fn instrumentations(collector: &Collector<Machine>) -> Vec<Box<dyn Instrumentation>> {
    let leaves = [host_resources::LEAVES, ucd_snmp::LEAVES];
    leaves
        .into_iter()
        .map(|leaves| Box::new(SnapshotObjects::new(collector.view(), leaves)) as Box<_>)
        .collect()
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
