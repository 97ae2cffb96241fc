//! Recovers the state from the content of the files. This module does not write to the disk.
//!
//! ```text
//! snapshot valid? ──yes──▶ snapshot ──────────┐    batches of the previous log, the sealed log
//!        │no                                  ├──▶ and the log that follow without a gap ──▶ map
//!        └──────────▶ previous snapshot ──────┘
//! ```
//! A batch is applied only if it is complete and has the next sequence number. Recovery therefore
//! succeeds no matter at which point a crash interrupted the switch between generations.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::Bound;

use crate::disk::{Content, Disk, TEMPORARY_SNAPSHOT};
use crate::format::{FileKind, Frames, HeaderStatus, LogReader, RecordRef};

/// The problems that were found when the state was opened, one line for each problem. Normally
/// empty.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Recovery {
    /// Descriptions of the damage and of lost changes, for the operator.
    pub notes: Vec<String>,
}

impl Recovery {
    /// Returns true if no problems were found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.notes.is_empty()
    }
}

impl fmt::Display for Recovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notes.join("\n"))
    }
}

/// The content of the map. Values are wiped when dropped, because some are keys.
pub(crate) type Map = BTreeMap<Vec<u8>, Content>;

/// The state recovered from the files.
pub(crate) struct Recovered {
    pub(crate) map: Map,
    /// The sequence number of the last batch in the map; 0 before the first batch.
    pub(crate) sequence: u64,
    /// The sequence number that is reached from the previous snapshot and the logs.
    fallback_sequence: u64,
    /// The offset at which the log can be continued, and the checksum of the frame before it;
    /// `None` if there is no usable log.
    pub(crate) log_end: Option<(u64, u32)>,
    /// The size of the snapshot, which determines when the next snapshot is written; `None` if
    /// there is no snapshot.
    pub(crate) snapshot_size: Option<u64>,
    /// True if the snapshot still has its temporary name.
    pub(crate) has_unnamed_snapshot: bool,
    /// True if a crash interrupted the writing of a snapshot.
    pub(crate) has_sealed_log: bool,
    /// The damaged files. If there are damaged files, all files are rewritten from the map.
    pub(crate) damaged: Vec<&'static str>,
    /// True if a file has an older format. All files are then rewritten from the map.
    pub(crate) has_old_format: bool,
    pub(crate) recovery: Recovery,
}

/// Reads the files and combines them into the state.
pub(crate) fn recover(disk: &dyn Disk) -> Result<Recovered, ReadError> {
    // Logs are opened before snapshots. If another process writes the files at the same time, the
    // snapshots are then at least as new as the logs, and no batch between them is missed.
    let log = open(disk, LOG, FileKind::Log)?;
    let sealed_log = open(disk, SEALED_LOG, FileKind::Log)?;
    let previous_log = open(disk, PREVIOUS_LOG, FileKind::Log)?;
    let mut snapshot = open(disk, SNAPSHOT, FileKind::Snapshot)?;
    let has_unnamed_snapshot = snapshot.is_none() && is_snapshot_complete(disk)?;
    if has_unnamed_snapshot {
        snapshot = open(disk, TEMPORARY_SNAPSHOT, FileKind::Snapshot)?;
    }
    let previous_snapshot = open(disk, PREVIOUS_SNAPSHOT, FileKind::Snapshot)?;
    let files = [&log, &sealed_log, &previous_log, &snapshot, &previous_snapshot];
    let mut state = Recovered {
        map: Map::new(),
        sequence: 0,
        fallback_sequence: 0,
        log_end: None,
        snapshot_size: snapshot.as_ref().map(Frames::len),
        has_unnamed_snapshot,
        has_sealed_log: sealed_log.is_some(),
        damaged: Vec::new(),
        has_old_format: files.into_iter().flatten().any(|file| !file.is_current()),
        recovery: Recovery::default(),
    };
    state.read_snapshots(snapshot, previous_snapshot)?;
    state.replay(PREVIOUS_LOG, previous_log)?;
    state.replay(SEALED_LOG, sealed_log)?;
    state.log_end = state.replay(LOG, log)?;
    Ok(state)
}

/// Returns whether the temporary snapshot is complete: a crash came between the renaming of the old
/// snapshot and that of the new one.
fn is_snapshot_complete(disk: &dyn Disk) -> Result<bool, ReadError> {
    let Some(mut file) = open(disk, TEMPORARY_SNAPSHOT, FileKind::Snapshot)? else { return Ok(false) };
    let failed = |error| ReadError::Io { name: TEMPORARY_SNAPSHOT, error };
    let mut is_complete = false;
    while let Some(frame) = file.next().map_err(failed)? {
        is_complete = frame.is_last;
    }
    Ok(is_complete && file.is_whole())
}

/// Opens a file. Rejects newer format versions.
pub(crate) fn open(disk: &dyn Disk, name: &'static str, kind: FileKind) -> Result<Option<Frames>, ReadError> {
    let open = || match disk.read(name) {
        Ok(input) => input.map(|input| Frames::new(input, kind)).transpose(),
        Err(error) => Err(error),
    };
    let failed = |error| ReadError::Io { name, error };
    let Some(mut file) = open().map_err(failed)? else { return Ok(None) };
    match file.header() {
        HeaderStatus::Good(_) => Ok(Some(file)),
        HeaderStatus::Newer(version) => Err(ReadError::Newer { name, version }),
        // The version is unknown. A frame is valid in one version only.
        HeaderStatus::Damaged => {
            file.assume_format_1();
            let is_format_1 = file.next().map_err(failed)?.is_some();
            let mut file = open().map_err(failed)?;
            if let Some(file) = &mut file
                && is_format_1
            {
                file.assume_format_1();
            }
            Ok(file)
        }
    }
}

/// The reason why a file could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    Io { name: &'static str, error: io::Error },
    Newer { name: &'static str, version: u32 },
}

impl ReadError {
    pub(crate) fn into_io(self) -> io::Error {
        match self {
            Self::Io { error, .. } => error,
            Self::Newer { name, version } => io::Error::other(format!("{name} has format version {version}")),
        }
    }
}

impl Recovered {
    /// Returns whether the state can be recovered without the snapshot, in case that it is damaged
    /// later. It cannot after a crash while all files were being rewritten.
    pub(crate) fn has_fallback(&self) -> bool {
        self.fallback_sequence == self.sequence
    }

    /// Fills the map from the snapshot, or from the previous one. Both are checked.
    fn read_snapshots(
        &mut self,
        snapshot: Option<Frames>,
        previous: Option<Frames>,
    ) -> Result<(), ReadError> {
        if snapshot.is_none() && previous.is_some() {
            let note = format!("{SNAPSHOT} is missing; {PREVIOUS_SNAPSHOT} and the logs are used");
            self.damage(SNAPSHOT, note);
        }
        let newest = self.read_snapshot(SNAPSHOT, snapshot, true)?;
        let previous = self.read_snapshot(PREVIOUS_SNAPSHOT, previous, newest.is_none())?;
        self.fallback_sequence = previous.as_ref().map_or(0, |(sequence, _)| *sequence);
        if let Some((sequence, map)) = newest.or(previous) {
            (self.sequence, self.map) = (sequence, map);
        }
        Ok(())
    }

    /// Reads a snapshot. Returns its sequence number and content, which is empty unless `is_used`.
    fn read_snapshot(
        &mut self,
        name: &'static str,
        file: Option<Frames>,
        is_used: bool,
    ) -> Result<Option<(u64, Map)>, ReadError> {
        let Some(mut file) = file else { return Ok(None) };
        let mut map = Map::new();
        let mut sequence = None;
        let (mut parts, mut is_complete) = (0, false);
        while let Some(frame) = file.next().map_err(|error| ReadError::Io { name, error })? {
            // Checksums protect the order of frames. Frames of a second batch are damage.
            if frame.part != parts || is_complete {
                is_complete = false;
                break;
            }
            (sequence, is_complete) = (Some(frame.sequence), frame.is_last);
            parts += 1;
            if is_used {
                frame.records().for_each(|record| apply(&mut map, record));
            }
        }
        if !is_complete || !file.is_whole() {
            self.damage(name, format!("{name} is damaged and ignored"));
            return Ok(None);
        }
        Ok(sequence.map(|sequence| (sequence, map)))
    }

    /// Applies the batches of a log that follow the current state. Returns the position at which
    /// the log can be continued.
    fn replay(&mut self, name: &'static str, file: Option<Frames>) -> Result<Option<(u64, u32)>, ReadError> {
        let Some(file) = file else { return Ok(None) };
        if file.header() == HeaderStatus::Damaged {
            self.damage(name, format!("the header of {name} is damaged; the rest of the file is used"));
        }
        let mut log = LogReader::new(file);
        while let Some((sequence, batch)) = log.next().map_err(|error| ReadError::Io { name, error })? {
            if sequence == self.fallback_sequence + 1 {
                self.fallback_sequence = sequence;
            }
            if sequence == self.sequence + 1 {
                batch.iter().for_each(|record| apply(&mut self.map, record.into()));
                self.sequence = sequence;
            } else if sequence > self.sequence {
                let note = format!(
                    "{name}: expected change batch {}, found change batch {sequence}; the rest of the file is ignored",
                    self.sequence + 1,
                );
                self.damage(name, note);
                return Ok(None);
            }
        }
        let (good, length) = (log.position().0, log.frames().len());
        if good < length {
            let (rest, batch) = (length - good, self.sequence);
            let note = format!(
                "{name} is valid up to offset {good} (change batch {batch}); the remaining {rest} bytes are unfinished or damaged, and ignored"
            );
            self.damage(name, note);
        }
        Ok(Some(log.position()))
    }

    fn damage(&mut self, name: &'static str, note: String) {
        if !self.damaged.contains(&name) {
            self.damaged.push(name);
        }
        self.recovery.notes.push(note);
    }
}

/// Applies one record to the map.
pub(crate) fn apply(map: &mut Map, record: RecordRef<'_>) {
    match record {
        RecordRef::Set { key, value } => drop(map.insert(key.to_vec(), Content::new(value.to_vec()))),
        RecordRef::Remove { key } => drop(map.remove(key)),
        RecordRef::RemovePrefix { prefix } => drop(remove_prefix(map, prefix)),
    }
}

/// Removes the entries whose keys begin with `prefix` and returns them.
pub(crate) fn remove_prefix(map: &mut Map, prefix: &[u8]) -> Map {
    let from = (Bound::Included(prefix), Bound::Unbounded);
    let entries = map.range::<[u8], _>(from).take_while(|(key, _)| key.starts_with(prefix));
    let keys: Vec<_> = entries.map(|(key, _)| key.clone()).collect();
    keys.into_iter().filter_map(|key| map.remove_entry(&key)).collect()
}

pub(crate) const LOG: &str = "state.log";
/// A log that is no longer written, while the snapshot that includes it is being written.
pub(crate) const SEALED_LOG: &str = "state.log.sealed";
pub(crate) const PREVIOUS_LOG: &str = "state.log.previous";
pub(crate) const SNAPSHOT: &str = "state.snapshot";
pub(crate) const PREVIOUS_SNAPSHOT: &str = "state.snapshot.previous";
