//! Creates snapshots of the machine.

use std::io;

use portreeve_smi::Timestamp;

use super::{
    FileSystem, LoadAverage, Machine, MachineSource, Memory, ProcText,
    processors::{History, Statistics},
};
use crate::Collect;

/// Reads the machine from a source.
pub struct MachineCollect<S> {
    source: S,
    history: History,
    text: String,
    /// The content of `/proc/cpuinfo`, which does not change while the system is up.
    processors: Option<String>,
}

impl<S: MachineSource> MachineCollect<S> {
    /// Creates a collector that reads from `source`.
    pub fn new(source: S) -> Self {
        Self { source, history: History::default(), text: String::new(), processors: None }
    }

    fn text(&mut self, which: ProcText) -> io::Result<&str> {
        self.text.clear();
        self.source.read(which, &mut self.text)?;
        Ok(&self.text)
    }

    /// Returns the content of `/proc/cpuinfo`; empty if it cannot be read, so that processors have
    /// no names.
    fn processors(&mut self) -> String {
        if self.processors.is_none() {
            self.processors = Some(self.text(ProcText::Processors).unwrap_or_default().to_owned());
        }
        self.processors.clone().unwrap_or_default()
    }
}

impl<S: MachineSource> Collect for MachineCollect<S> {
    type Snapshot = Machine;

    fn collect(&mut self, now: Timestamp, last: &Machine, next: &mut Machine) -> io::Result<()> {
        next.memory = Memory::parse(self.text(ProcText::Memory)?);
        next.load = LoadAverage::parse(self.text(ProcText::Load)?);
        next.up_time = hundredths(self.text(ProcText::UpTime)?);
        next.processes = self.source.processes()?;
        let statistics = Statistics::parse(self.text(ProcText::Statistics)?);
        (next.interrupts, next.context_switches) = (statistics.interrupts, statistics.context_switches);
        next.ticks = statistics.all;
        let descriptions = self.processors();
        next.processors = self.history.processors(now, &statistics.each, &descriptions);
        self.text.clear();
        self.source.read(ProcText::Mounts, &mut self.text)?;
        next.file_systems = FileSystem::read(&self.text, &last.file_systems, &mut self.source);
        Ok(())
    }
}

/// Parses a number of seconds with two decimals as TimeTicks.
fn hundredths(text: &str) -> u32 {
    let (seconds, rest) = text.split_once('.').unwrap_or((text, "0"));
    let rest = rest.split_whitespace().next().and_then(|rest| rest.get(..2)?.parse::<u64>().ok());
    let all = seconds.trim().parse::<u64>().unwrap_or_default() * 100 + rest.unwrap_or_default();
    (all & u64::from(u32::MAX)) as u32
}
