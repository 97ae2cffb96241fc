//! What the files say when the state is opened: pure reading of octets, nothing is written here.
//!
//! ```text
//! snapshot good? ──yes──▶ it ─┐
//!        │no                  ├──▶ + batches of previous log and log that follow without a gap ──▶ the map
//!        └─▶ previous one ────┘
//! ```
//! A batch is taken only if its number is the next one, so it makes no difference where a crash interrupted the
//! change from one generation to the next.

use std::collections::BTreeMap;
use std::fmt;

use crate::format::{FileKind, Frames, HeaderStatus, RecordRef, check_header};

/// What was found amiss when the state was opened, one line each; empty in the ordinary case.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Recovery {
    /// What was damaged, lost or cut off, in words for the operator.
    pub notes: Vec<String>,
}

impl Recovery {
    /// Whether everything was as it was written.
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

/// The content of the map.
pub(crate) type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// The files as they were found; `None` for one that is not there.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) log: Option<Vec<u8>>,
    pub(crate) previous_log: Option<Vec<u8>>,
    pub(crate) snapshot: Option<Vec<u8>>,
    pub(crate) previous_snapshot: Option<Vec<u8>>,
}

/// The state the files add up to.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) map: Map,
    /// The number of the last batch in the map; 0 before the first.
    pub(crate) sequence: u64,
    /// Where the log can be continued; `None` if there is none.
    pub(crate) log_end: Option<u64>,
    /// Octets of the snapshot, to judge when the next is due.
    pub(crate) snapshot_size: usize,
    /// Files that are not as they were written. If there are any, all are to be written anew from the map.
    pub(crate) damaged: Vec<&'static str>,
    pub(crate) recovery: Recovery,
}

impl Files {
    /// Adds the files up.
    pub(crate) fn recover(&self) -> Recovered {
        let mut state = Recovered {
            map: Map::new(),
            sequence: 0,
            log_end: None,
            snapshot_size: 0,
            damaged: Vec::new(),
            recovery: Recovery::default(),
        };
        let snapshot = state.read_snapshot(SNAPSHOT, self.snapshot.as_deref());
        let previous = state.read_snapshot(PREVIOUS_SNAPSHOT, self.previous_snapshot.as_deref());
        if self.snapshot.is_none() && previous.is_some() {
            state.damage(SNAPSHOT, format!("{SNAPSHOT} is missing; the previous one and the logs serve"));
        }
        if let Some((sequence, records)) = snapshot.or(previous) {
            state.sequence = sequence;
            apply(&mut state.map, &records);
            state.snapshot_size = self.snapshot.as_ref().map_or(0, Vec::len);
        }
        state.replay(PREVIOUS_LOG, self.previous_log.as_deref());
        state.log_end = state.replay(LOG, self.log.as_deref());
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
                self.damage(name, format!("{name} is damaged and not used"));
                None
            }
        }
    }

    /// Applies what follows in a log; returns where it can be continued.
    fn replay(&mut self, name: &'static str, file: Option<&[u8]>) -> Option<u64> {
        let file = file?;
        if check_header(FileKind::Log, file) != HeaderStatus::Good {
            self.damage(name, format!("the header of {name} is damaged"));
        }
        let mut frames = Frames::new(file);
        for frame in &mut frames {
            if frame.sequence == self.sequence + 1 {
                apply(&mut self.map, &frame.records);
                self.sequence = frame.sequence;
            } else if frame.sequence > self.sequence {
                let note = format!(
                    "{name} continues with batch {} where {} is the last that is known; the rest is not used",
                    frame.sequence, self.sequence,
                );
                self.damage(name, note);
                return None;
            }
        }
        let good = frames.good_octets();
        if !frames.is_at_end() && file.len() > good {
            let (rest, batch) = (file.len() - good, self.sequence);
            let note =
                format!("{name} is good up to octet {good}, batch {batch}; the {rest} octets behind are not");
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

/// A snapshot's sequence and content.
type Snapshot<'a> = (u64, Vec<RecordRef<'a>>);

/// Applies one batch.
pub(crate) fn apply(map: &mut Map, records: &[RecordRef<'_>]) {
    for &(key, value) in records {
        match value {
            Some(value) => drop(map.insert(key.to_vec(), value.to_vec())),
            None => drop(map.remove(key)),
        }
    }
}

pub(crate) const LOG: &str = "state.log";
pub(crate) const PREVIOUS_LOG: &str = "state.log.previous";
pub(crate) const SNAPSHOT: &str = "state.snapshot";
pub(crate) const PREVIOUS_SNAPSHOT: &str = "state.snapshot.previous";
