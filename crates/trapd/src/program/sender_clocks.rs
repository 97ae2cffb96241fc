//! The clocks of the senders of SNMPv3 traps, on disk.

use std::{
    collections::{HashMap, HashSet},
    time::Instant,
};

use portreeve_smi::{ClockReading, EngineBoots, EngineId};
use portreeve_store::{Record, Store, StoreError, Writer as StoreWriter};

use super::interval_count::IntervalCount;

/// The clocks of the senders of traps, on disk.
///
/// A stored reading is ahead of the clock, and is replaced when the clock passes it; at the end,
/// the clocks themselves are stored. So after a restart, no trap is accepted that is older than the
/// time window before the latest one, even if the receiver was killed.
///
/// The readings come from traps that this process has received. A reading that was restored may be
/// ahead of its clock: if it was stored again, each restart would add to that.
pub(crate) struct SenderClockStore {
    writer: StoreWriter,
    senders: HashMap<EngineId, SenderClock>,
    /// The senders whose clock has passed the stored reading.
    due: HashSet<EngineId>,
    failures: IntervalCount,
}

/// The clock of a sender, from its traps.
struct SenderClock {
    latest: ClockReading,
    /// The time at which the clock had the latest reading.
    read_at: Instant,
    stored: Option<ClockReading>,
}

impl SenderClock {
    fn is_stored(&self) -> bool {
        self.stored.is_some_and(|stored| stored.boots == self.latest.boots && stored.time >= self.latest.time)
    }

    /// Returns the reading that the clock has `seconds` after the latest one.
    fn reading_after(&self, seconds: u64) -> ClockReading {
        let seconds = u32::try_from(seconds).unwrap_or(MAX_TIME);
        ClockReading { time: self.latest.time.saturating_add(seconds).min(MAX_TIME), ..self.latest }
    }
}

impl SenderClockStore {
    pub(crate) fn new(writer: StoreWriter) -> Self {
        Self { writer, senders: HashMap::new(), due: HashSet::new(), failures: IntervalCount::default() }
    }

    /// Returns the stored clocks.
    pub(crate) fn read(store: &Store) -> Vec<(EngineId, ClockReading)> {
        let read = |(key, value): (&[u8], &[u8])| {
            let engine_id = EngineId::new(&decode(key.strip_prefix(PREFIX)?)?).ok()?;
            let (boots, time) = value.split_first_chunk::<4>()?;
            let boots = EngineBoots::new(u32::from_be_bytes(*boots))?;
            let time = u32::from_be_bytes(time.try_into().ok()?);
            Some((engine_id, ClockReading { boots, time }))
        };
        store.iter(PREFIX).filter_map(read).collect()
    }

    /// Removes the stored clocks, and returns their number.
    pub(crate) fn remove_all(store: &mut Store) -> Result<usize, StoreError> {
        let count = store.iter(PREFIX).count();
        store.commit(vec![Record::remove_prefix(PREFIX)])?;
        Ok(count)
    }

    /// Stores the clocks of senders that have restarted, or have passed their stored reading, and
    /// those that could not be stored before.
    pub(crate) fn store(&mut self, clocks: impl Iterator<Item = (EngineId, ClockReading)>) {
        let read_at = Instant::now();
        for (engine_id, latest) in clocks {
            let unknown = SenderClock { latest, read_at, stored: None };
            let sender = self.senders.entry(engine_id).or_insert(unknown);
            (sender.latest, sender.read_at) = (latest, read_at);
            if !sender.is_stored() {
                self.due.insert(engine_id);
            }
        }
        let ahead = |id: &EngineId| Some((*id, self.senders.get(id)?.reading_after(AHEAD)));
        self.write(self.due.iter().filter_map(ahead).collect());
    }

    /// Stores the present readings of all clocks, which are not ahead.
    pub(crate) fn store_present(&mut self) {
        let present = |(id, sender): (&EngineId, &SenderClock)| {
            (*id, sender.reading_after(sender.read_at.elapsed().as_secs()))
        };
        self.write(self.senders.iter().map(present).collect());
    }

    fn write(&mut self, readings: Vec<(EngineId, ClockReading)>) {
        if readings.is_empty() {
            return;
        }
        let records: Vec<_> = readings.iter().map(record).collect();
        match self.writer.commit_group(vec![records.into()]) {
            Ok(()) => {
                for (engine_id, reading) in readings {
                    self.due.remove(&engine_id);
                    if let Some(sender) = self.senders.get_mut(&engine_id) {
                        sender.stored = Some(reading);
                    }
                }
            }
            // They are stored with the next group of notifications.
            Err(error) => {
                if let Some(failures) = self.failures.add(1, Instant::now()) {
                    let senders = readings.len();
                    tracing::error!(%error, senders, failures, "cannot store the clocks of senders: after a restart, recorded traps of theirs are accepted again");
                }
            }
        }
    }
}

fn record((engine_id, reading): &(EngineId, ClockReading)) -> Record {
    let value = [reading.boots.get().to_be_bytes(), reading.time.to_be_bytes()].concat();
    Record::set([PREFIX, &*encode(engine_id)].concat(), value)
}

fn encode(engine_id: &EngineId) -> Vec<u8> {
    engine_id.as_bytes().iter().map(|octet| format!("{octet:02x}")).collect::<String>().into_bytes()
}

fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let pairs = digits.chunks_exact(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// The beginning of the keys of clocks.
const PREFIX: &[u8] = b"sender/";
/// The seconds by which a stored reading is ahead.
const AHEAD: u64 = 60;
/// The maximum of snmpEngineTime.
const MAX_TIME: u32 = i32::MAX as u32;
