//! The machine as a whole: its memory, file systems, load and processors, as HOST-RESOURCES-MIB and UCD-SNMP-MIB see
//! them.
//!
//! [`MachineCollect`] reads texts of `/proc` and asks how full each file system is. File systems of other machines
//! are left out: one that does not answer must not keep everything else from being read. So are those without room
//! of their own, such as `/proc` itself.

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

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Since the system was started, in hundredths of a second; begins anew after 497 days.
    pub up_time: u32,
    /// How many processes there are.
    pub processes: u32,
    /// Memory.
    pub memory: Memory,
    /// Over 1, 5 and 15 minutes.
    pub load: Vec<LoadAverage>,
    /// What all processors together did.
    pub ticks: Ticks,
    /// Interrupts served.
    pub interrupts: u64,
    /// Switches from one process to another.
    pub context_switches: u64,
    /// In order of their indexes.
    pub processors: Vec<Processor>,
    /// In order of their indexes.
    pub file_systems: Vec<FileSystem>,
}

/// What shows all of it, for one worker.
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
