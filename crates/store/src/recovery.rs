//! Recovers the state from the content of the files. This module does not write to the disk.
//!
//! ```text
//! snapshot valid? ──yes──▶ snapshot ──────────┐    batches of the previous log and
//!        │no                                  ├──▶ the log that follow without a gap ──▶ map
//!        └──────────▶ previous snapshot ──────┘
//! ```
//! A batch is applied only if it has the next sequence number. Recovery therefore succeeds no
//! matter at which point a crash interrupted the switch between generations.

use std::collections::BTreeMap;
use std::fmt;

use crate::disk::Content;
use crate::format::{FileKind, Frames, HeaderStatus, RecordRef, check_header};

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

/// The content of the files; `None` for files that do not exist.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) log: Option<Content>,
    pub(crate) previous_log: Option<Content>,
    pub(crate) snapshot: Option<Content>,
    pub(crate) previous_snapshot: Option<Content>,
}

/// The state recovered from the files.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) map: Map,
    /// The sequence number of the last batch in the map; 0 before the first batch.
    pub(crate) sequence: u64,
    /// The offset at which the log can be continued; `None` if there is no usable log.
    pub(crate) log_end: Option<u64>,
    /// The size of the snapshot, which determines when the next snapshot is written.
    pub(crate) snapshot_size: usize,
    /// The damaged files. If there are damaged files, all files are rewritten from the map.
    pub(crate) damaged: Vec<&'static str>,
    pub(crate) recovery: Recovery,
}

impl Files {
    /// Combines the files into the state.
    pub(crate) fn recover(&self) -> Recovered {
        let mut state = Recovered {
            map: Map::new(),
            sequence: 0,
            log_end: None,
            snapshot_size: 0,
            damaged: Vec::new(),
            recovery: Recovery::default(),
        };
        let snapshot = state.read_snapshot(SNAPSHOT, octets(&self.snapshot));
        let previous = state.read_snapshot(PREVIOUS_SNAPSHOT, octets(&self.previous_snapshot));
        if self.snapshot.is_none() && previous.is_some() {
            state.damage(
                SNAPSHOT,
                format!("{SNAPSHOT} is missing; {PREVIOUS_SNAPSHOT} and the logs are used"),
            );
        }
        if let Some((sequence, records)) = snapshot.or(previous) {
            state.sequence = sequence;
            apply(&mut state.map, &records);
            state.snapshot_size = octets(&self.snapshot).map_or(0, <[u8]>::len);
        }
        state.replay(PREVIOUS_LOG, octets(&self.previous_log));
        state.log_end = state.replay(LOG, octets(&self.log));
        state
    }
}

impl Recovered {
    fn read_snapshot<'a>(&mut self, name: &'static str, file: Option<&'a [u8]>) -> Option<Snapshot<'a>> {
        let file = file?;
        let mut frames = Frames::new(file);
        match frames.next() {
            Some(frame)
                if frames.is_at_end() && check_header(FileKind::Snapshot, file) == HeaderStatus::Good =>
            {
                Some((frame.sequence, frame.records))
            }
            _ => {
                self.damage(name, format!("{name} is damaged and ignored"));
                None
            }
        }
    }

    /// Applies the batches of a log that follow the current state. Returns the offset at which the
    /// log can be continued.
    fn replay(&mut self, name: &'static str, file: Option<&[u8]>) -> Option<u64> {
        let file = file?;
        if check_header(FileKind::Log, file) != HeaderStatus::Good {
            self.damage(name, format!("the header of {name} is damaged; the rest of the file is used"));
        }
        let mut frames = Frames::new(file);
        for frame in &mut frames {
            if frame.sequence == self.sequence + 1 {
                apply(&mut self.map, &frame.records);
                self.sequence = frame.sequence;
            } else if frame.sequence > self.sequence {
                let note = format!(
                    "{name}: expected change batch {}, found change batch {}; the rest of the file is ignored",
                    self.sequence + 1,
                    frame.sequence,
                );
                self.damage(name, note);
                return None;
            }
        }
        let good = frames.good_octets();
        if !frames.is_at_end() && file.len() > good {
            let (rest, batch) = (file.len() - good, self.sequence);
            let note = format!(
                "{name} is valid up to offset {good} (change batch {batch}); the remaining {rest} bytes are damaged and ignored"
            );
            self.damage(name, note);
        }
        u64::try_from(good).ok()
    }

    fn damage(&mut self, name: &'static str, note: String) {
        if !self.damaged.contains(&name) {
            self.damaged.push(name);
        }
        self.recovery.notes.push(note);
    }
}

fn octets(file: &Option<Content>) -> Option<&[u8]> {
    file.as_ref().map(|content| content.as_slice())
}

/// The sequence number and content of a snapshot.
type Snapshot<'a> = (u64, Vec<RecordRef<'a>>);

/// Applies the records of one batch to the map.
pub(crate) fn apply(map: &mut Map, records: &[RecordRef<'_>]) {
    for &(key, value) in records {
        match value {
            Some(value) => drop(map.insert(key.to_vec(), Content::new(value.to_vec()))),
            None => drop(map.remove(key)),
        }
    }
}

pub(crate) const LOG: &str = "state.log";
pub(crate) const PREVIOUS_LOG: &str = "state.log.previous";
pub(crate) const SNAPSHOT: &str = "state.snapshot";
pub(crate) const PREVIOUS_SNAPSHOT: &str = "state.snapshot.previous";
