//! The engine's identity and how often it has started, in two copies that know nothing of each other: the map, and
//! a small file. The greater boots wins, so that no damage to either lowers it (RFC 3414 §2.2.2).

use std::io;

use portreeve_smi::{EngineBoots, EngineId};

use crate::disk::Disk;
use crate::error::StoreError;
use crate::format::{self, FileKind, Frames, HeaderStatus, push_frame};
use crate::journal::Journal;
use crate::record::Record;
use crate::recovery::{LOG, Map};

/// Who the engine is in this run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EngineStart {
    /// snmpEngineID.
    pub engine_id: EngineId,
    /// snmpEngineBoots, durable.
    pub boots: EngineBoots,
}

/// What one copy says; parts it does not know, or that make no sense, are `None`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct EngineCopy {
    pub(crate) engine_id: Option<EngineId>,
    pub(crate) boots: Option<EngineBoots>,
}

impl EngineCopy {
    /// The copy in the map.
    pub(crate) fn from_map(map: &Map) -> Self {
        let value = |key: &str| map.get(key.as_bytes()).map(Vec::as_slice);
        Self::from_values(value(ENGINE_ID), value(BOOTS))
    }

    /// The copy in the file; `None` if the file is damaged.
    pub(crate) fn from_file(file: &[u8]) -> Option<Self> {
        let mut frames = Frames::new(file);
        let frame = frames.next()?;
        if !frames.is_at_end() || format::check_header(FileKind::Engine, file) != HeaderStatus::Good {
            return None;
        }
        let value = |wanted: &str| {
            let found = frame.records.iter().find(|(key, _)| *key == wanted.as_bytes());
            found.and_then(|&(_, value)| value)
        };
        Some(Self::from_values(value(ENGINE_ID), value(BOOTS)))
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

/// What is amiss with the two copies, if anything. `file` is `None` where there is no file, and `Some(None)` where it
/// is damaged.
pub(crate) fn compare(journal: &Journal, file: Option<Option<EngineCopy>>) -> Option<String> {
    let map = EngineCopy::from_map(journal.map());
    match file {
        None if map.boots.is_some() => {
            Some(format!("{ENGINE_FILE} is missing; the copy in the state serves"))
        }
        Some(None) => Some(format!("{ENGINE_FILE} is damaged; the copy in the state serves")),
        // The file is written first, so that a crash in between leaves it ahead; so does a log that was lost.
        Some(Some(file)) if file.boots > map.boots => Some(format!(
            "{ENGINE_FILE} knows of {} starts, and {LOG} of {}: a start was interrupted, or changes are missing",
            count(file.boots),
            count(map.boots),
        )),
        _ => None,
    }
}

/// Starts the engine once more: see [`Store::start_engine`](crate::Store::start_engine).
pub(crate) fn start(
    journal: &mut Journal,
    file: EngineCopy,
    choose: impl FnOnce(Option<EngineId>) -> EngineId,
) -> Result<EngineStart, StoreError> {
    let map = EngineCopy::from_map(journal.map());
    // Where the copies differ, the one that knows of more starts is the younger.
    let (newer, older) = if file.boots > map.boots { (file, map) } else { (map, file) };
    let engine_id = choose(newer.engine_id.or(older.engine_id));
    let boots = map.boots.max(file.boots).unwrap_or_default().next();
    let (id, count) = (engine_id.as_bytes(), boots.get().to_be_bytes());
    write_file(journal.disk(), id, &count)?;
    journal.commit(&[&[Record::set(ENGINE_ID, id), Record::set(BOOTS, count)]])?;
    Ok(EngineStart { engine_id, boots })
}

fn count(boots: Option<EngineBoots>) -> u32 {
    boots.map_or(0, EngineBoots::get)
}

fn write_file(disk: &mut dyn Disk, engine_id: &[u8], boots: &[u8]) -> io::Result<()> {
    let mut file = format::header(FileKind::Engine);
    let records = [(ENGINE_ID.as_bytes(), Some(engine_id)), (BOOTS.as_bytes(), Some(boots))];
    push_frame(&mut file, 0, records).ok_or(io::ErrorKind::FileTooLarge)?;
    disk.replace(ENGINE_FILE, &file)
}

/// The second copy's file.
pub(crate) const ENGINE_FILE: &str = "engine";

const ENGINE_ID: &str = "engine-id";
const BOOTS: &str = "boots";
