//! The clocks of the senders of SNMPv3 traps, on disk.

use std::collections::HashMap;

use portreeve_smi::{ClockReading, EngineBoots, EngineId};
use portreeve_store::{Record, Store, Writer as StoreWriter};

/// The clocks of the senders of traps, on disk.
///
/// A stored reading is ahead of the clock, and is replaced when the clock passes it. So after a
/// restart, no trap is in the time window that was before it when the receiver was killed.
pub(crate) struct SenderClockStore {
    writer: StoreWriter,
    stored: HashMap<EngineId, ClockReading>,
}

impl SenderClockStore {
    pub(crate) fn new(writer: StoreWriter) -> Self {
        Self { writer, stored: HashMap::new() }
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

    /// Stores the clocks of senders that have restarted, or have passed their stored reading.
    pub(crate) fn store(&mut self, clocks: impl Iterator<Item = (EngineId, ClockReading)>) {
        let mut records = Vec::new();
        for (engine_id, reading) in clocks {
            let is_stored = self
                .stored
                .get(&engine_id)
                .is_some_and(|stored| stored.boots == reading.boots && stored.time >= reading.time);
            if !is_stored {
                let time = reading.time.saturating_add(AHEAD).min(MAX_TIME);
                self.stored.insert(engine_id, ClockReading { time, ..reading });
                let value = [reading.boots.get().to_be_bytes(), time.to_be_bytes()].concat();
                records.push(Record::set([PREFIX, &*encode(&engine_id)].concat(), value));
            }
        }
        if !records.is_empty() && self.writer.commit_group(vec![records.into()]).is_err() {
            // They are stored with the next trap.
            self.stored.clear();
        }
    }
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
const AHEAD: u32 = 60;
/// The maximum of snmpEngineTime.
const MAX_TIME: u32 = i32::MAX as u32;
