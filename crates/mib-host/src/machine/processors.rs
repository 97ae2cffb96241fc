//! Processor times, parsed from `/proc/stat`.

use std::{collections::VecDeque, time::Duration};

use portreeve_smi::Timestamp;

/// Processor times since the system was started, in hundredths of a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the kernel's")]
pub struct Ticks {
    pub user: u64,
    pub nice: u64,
    pub system: u64,
    pub idle: u64,
    pub wait: u64,
    pub interrupt: u64,
    pub soft_interrupt: u64,
    pub steal: u64,
}

/// One processor, a row of hrProcessorTable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processor {
    /// The index of the row: hrDeviceIndex.
    pub index: [u32; 1],
    /// The percentage of the last minute during which the processor was not idle; `None` before the
    /// second read.
    pub load: Option<i32>,
    /// The manufacturer and the model.
    pub description: Vec<u8>,
}

/// The parsed content of `/proc/stat`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Statistics {
    pub(super) all: Ticks,
    pub(super) each: Vec<(u32, Ticks)>,
    pub(super) interrupts: u64,
    pub(super) context_switches: u64,
}

impl Statistics {
    pub(super) fn parse(text: &str) -> Self {
        let mut statistics = Self::default();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default();
            let mut numbers = words.map_while(|word| word.parse().ok());
            match name {
                "cpu" => statistics.all = Ticks::read(numbers),
                "intr" => statistics.interrupts = numbers.next().unwrap_or_default(),
                "ctxt" => statistics.context_switches = numbers.next().unwrap_or_default(),
                _ => {
                    if let Some(number) = name.strip_prefix("cpu").and_then(|number| number.parse().ok()) {
                        statistics.each.push((number, Ticks::read(numbers)));
                    }
                }
            }
        }
        statistics
    }
}

impl Ticks {
    fn read(mut numbers: impl Iterator<Item = u64>) -> Self {
        let mut next = || numbers.next().unwrap_or_default();
        Self {
            user: next(),
            nice: next(),
            system: next(),
            idle: next(),
            wait: next(),
            interrupt: next(),
            soft_interrupt: next(),
            steal: next(),
        }
    }

    fn busy(&self) -> u64 {
        self.user + self.nice + self.system + self.interrupt + self.soft_interrupt + self.steal
    }

    fn all(&self) -> u64 {
        self.busy() + self.idle + self.wait
    }

    /// Returns the percentage of the time since `before` during which the processor was busy.
    fn load_since(&self, before: &Self) -> Option<i32> {
        let all = self.all().checked_sub(before.all()).filter(|all| *all > 0)?;
        let busy = self.busy().saturating_sub(before.busy()).min(all);
        i32::try_from(busy * 100 / all).ok()
    }
}

/// The statistics that were read during the last minute, and those of the last read before that
/// minute. Loads are computed from the difference to the oldest statistics.
#[derive(Debug, Default)]
pub(super) struct History {
    readings: VecDeque<(Timestamp, Vec<(u32, Ticks)>)>,
}

impl History {
    /// Adds the statistics of a read and computes the loads.
    pub(super) fn processors(
        &mut self,
        now: Timestamp,
        each: &[(u32, Ticks)],
        descriptions: &str,
    ) -> Vec<Processor> {
        while self.readings.get(1).is_some_and(|(read_at, _)| now.since(*read_at) >= LOAD_PERIOD) {
            self.readings.pop_front();
        }
        let before = self.readings.front().map(|(_, each)| each.as_slice()).unwrap_or_default();
        let mut models = descriptions.lines().filter_map(model);
        let processors = each.iter().map(|(number, ticks)| {
            let same = before.iter().find(|(other, _)| other == number);
            Processor {
                index: [FIRST_DEVICE + number],
                load: same.and_then(|(_, before)| ticks.load_since(before)),
                description: models.next().unwrap_or("processor").bytes().take(MAX_DESCRIPTION_LEN).collect(),
            }
        });
        let processors = processors.collect();
        self.readings.push_back((now, each.to_vec()));
        processors
    }
}

fn model(line: &str) -> Option<&str> {
    let (name, value) = line.split_once(':')?;
    (name.trim_end() == "model name").then(|| value.trim())
}

const LOAD_PERIOD: Duration = Duration::from_secs(60);
/// The first hrDeviceIndex of a processor, the same as in Net-SNMP's agent.
const FIRST_DEVICE: u32 = 196_608;
/// The maximum length of hrDeviceDescr in octets.
const MAX_DESCRIPTION_LEN: usize = 64;
