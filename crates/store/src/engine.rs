//! The identity of the engine and its boot counter, stored in two independent copies: in the map
//! and in a small file. The greater counter is used, so that damage to one copy cannot lower the
//! counter (RFC 3414 §2.2.2).

use std::io;

use portreeve_smi::{EngineBoots, EngineId};

use crate::disk::{Disk, TEMPORARY};
use crate::error::StoreError;
use crate::format::{FileKind, FrameWriter, Frames, RecordRef, create_file, encoded_len};
use crate::journal::Journal;
use crate::record::{Batch, Record};
use crate::recovery::{LOG, Map};

/// The identity of the engine and its boot count in this run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EngineStart {
    /// The snmpEngineID of the engine.
    pub engine_id: EngineId,
    /// The value of snmpEngineBoots, which is durable.
    pub boots: EngineBoots,
}

/// One copy of the identity and the boot counter. Missing or invalid parts are `None`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct EngineCopy {
    pub(crate) engine_id: Option<EngineId>,
    pub(crate) boots: Option<EngineBoots>,
}

impl EngineCopy {
    /// Reads the copy that is stored in the map.
    pub(crate) fn from_map(map: &Map) -> Self {
        let value = |key: &str| map.get(key.as_bytes()).map(|value| value.as_slice());
        Self::from_values(value(ENGINE_ID), value(BOOTS))
    }

    /// Reads the copy in the file. Returns `None` if the file is damaged.
    pub(crate) fn from_file(file: &mut Frames) -> io::Result<Option<Self>> {
        let Some(frame) = file.next()? else { return Ok(None) };
        if frame.part != 0 || !frame.is_last {
            return Ok(None);
        }
        let value = |name: &str| {
            frame.records().find_map(|record| match record {
                RecordRef::Set { key, value } if key == name.as_bytes() => Some(value),
                _ => None,
            })
        };
        let copy = Self::from_values(value(ENGINE_ID), value(BOOTS));
        Ok(file.is_whole().then_some(copy))
    }

    fn from_values(engine_id: Option<&[u8]>, boots: Option<&[u8]>) -> Self {
        Self {
            engine_id: engine_id.and_then(|octets| EngineId::new(octets).ok()),
            boots: boots
                .and_then(|octets| octets.try_into().ok())
                .and_then(|octets| EngineBoots::new(u32::from_be_bytes(octets))),
        }
    }
}

/// Describes a problem with the two copies; `None` if there is no problem. `file` is `None` if the
/// file is missing, and `Some(None)` if it is damaged.
pub(crate) fn compare(journal: &Journal, file: Option<Option<EngineCopy>>) -> Option<String> {
    let map = journal.map().map(EngineCopy::from_map).unwrap_or_default();
    match file {
        None if map.boots.is_some() => Some(format!(
            "the file `{ENGINE_FILE}` is missing; the engine ID and snmpEngineBoots are read from {LOG} and its snapshot"
        )),
        Some(None) => Some(format!(
            "the file `{ENGINE_FILE}` is damaged; the engine ID and snmpEngineBoots are read from {LOG} and its snapshot"
        )),
        // The file's counter is greater in two cases. Either the log was lost, or the process
        // crashed after it had written the file and before it wrote the log.
        Some(Some(file)) if file.boots > map.boots => Some(format!(
            "the file `{ENGINE_FILE}` records {} starts, but {LOG} records only {}: a start was interrupted, or SETs are missing",
            count(file.boots),
            count(map.boots),
        )),
        _ => None,
    }
}

/// Implements [`Store::start_engine`](crate::Store::start_engine).
pub(crate) fn start(
    journal: &mut Journal,
    file: EngineCopy,
    choose: impl FnOnce(Option<EngineId>) -> EngineId,
) -> Result<EngineStart, StoreError> {
    let map = journal.map().map(EngineCopy::from_map).unwrap_or_default();
    // If the copies differ, the copy with the greater boot counter is newer.
    let mut copies = [map, file];
    copies.sort_by_key(|copy| copy.boots);
    let [older, newer] = copies;
    // Chosen first, because the caller uses the engine ID even if it cannot be stored.
    let engine_id = choose(newer.engine_id.or(older.engine_id));
    // Converts files of an older format: all are copied before one is replaced.
    journal.prepare()?;
    let boots = newer.boots.unwrap_or_default().next();
    let (id, count) = (engine_id.as_bytes(), boots.get().to_be_bytes());
    write_file(journal.disk(), id, &count)?;
    journal.commit(Batch::new(vec![Record::set(ENGINE_ID, id), Record::set(BOOTS, count)]))?;
    Ok(EngineStart { engine_id, boots })
}

fn count(boots: Option<EngineBoots>) -> u32 {
    boots.map_or(0, EngineBoots::get)
}

/// Replaces the file atomically: after a crash it has either the old or the new content.
fn write_file(disk: &dyn Disk, engine_id: &[u8], boots: &[u8]) -> io::Result<()> {
    let written = write_temporary(disk, engine_id, boots);
    written.inspect_err(|_| {
        // If the removal fails as well, the next write overwrites the file.
        let _ = disk.remove(TEMPORARY);
    })?;
    disk.rename(TEMPORARY, ENGINE_FILE)?;
    disk.sync_names()
}

fn write_temporary(disk: &dyn Disk, engine_id: &[u8], boots: &[u8]) -> io::Result<()> {
    let mut file = create_file(disk, TEMPORARY, FileKind::Engine)?;
    let records = [(ENGINE_ID, engine_id), (BOOTS, boots)];
    let records = records.map(|(key, value)| RecordRef::Set { key: key.as_bytes(), value });
    let mut frames = FrameWriter::first(&mut *file, Some(encoded_len(records)));
    frames.batch(0, records)?;
    frames.finish()?;
    file.sync()
}

/// The file that contains the second copy.
pub(crate) const ENGINE_FILE: &str = "engine";

const ENGINE_ID: &str = "engine-id";
const BOOTS: &str = "boots";

#[cfg(test)]
mod tests;
