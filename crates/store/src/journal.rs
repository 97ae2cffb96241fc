//! The map and its files: appending batches, switching generations, and repairing damage.
//!
//! A failed append does not change the log. If that cannot be guaranteed, for example because the
//! content of the disk is unknown after a failed fsync, the log is no longer used: before the next
//! batch, all files are rewritten.

use std::io;

use crate::disk::{AppendFile, Content, Disk, TEMPORARY};
use crate::error::StoreError;
use crate::format::{self, FileKind, HEADER_LEN, push_frame};
use crate::record::Record;
use crate::recovery::{Files, LOG, Map, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, Recovery, SNAPSHOT, apply};

/// The map and its files.
pub(crate) struct Journal {
    disk: Box<dyn Disk>,
    map: Map,
    /// The sequence number of the last durable batch.
    sequence: u64,
    log: Log,
    has_snapshot: bool,
    snapshot_size: usize,
    /// The minimum log size in bytes at which a new generation begins.
    min_compact_size: usize,
}

impl Journal {
    /// Recovers the state from `disk`. Repairs damage at once if possible, otherwise before the
    /// next batch.
    pub(crate) fn open(
        mut disk: Box<dyn Disk>,
        min_compact_size: usize,
    ) -> Result<(Self, Recovery), ReadError> {
        let files = Files {
            log: read(&*disk, LOG, FileKind::Log)?,
            previous_log: read(&*disk, PREVIOUS_LOG, FileKind::Log)?,
            snapshot: read(&*disk, SNAPSHOT, FileKind::Snapshot)?,
            previous_snapshot: read(&*disk, PREVIOUS_SNAPSHOT, FileKind::Snapshot)?,
        };
        let recovered = files.recover();
        // Ignore errors, for example on a read-only disk: an unfinished file from a crash only
        // wastes space.
        let _ = disk.remove(TEMPORARY);
        let mut journal = Self {
            disk,
            map: recovered.map,
            sequence: recovered.sequence,
            log: match recovered.log_end {
                _ if !recovered.damaged.is_empty() => Log::Suspect,
                Some(end) => Log::Closed { end },
                None => Log::Absent,
            },
            has_snapshot: files.snapshot.is_some(),
            snapshot_size: recovered.snapshot_size,
            min_compact_size,
        };
        if matches!(journal.log, Log::Suspect) {
            journal.keep_damaged_copies(&recovered.damaged);
            if let Err(error) = journal.rewrite() {
                tracing::warn!(%error, "cannot repair damaged state files; the agent tries again before its next write");
            }
        }
        Ok((journal, recovered.recovery))
    }

    /// Returns the map as of the last durable batch.
    pub(crate) fn map(&self) -> &Map {
        &self.map
    }

    /// Returns the disk, for files other than the log and the snapshot.
    pub(crate) fn disk(&mut self) -> &mut dyn Disk {
        &mut *self.disk
    }

    /// Makes batches durable with a single sync and applies them to the map.
    ///
    /// # Errors
    /// Returns an error if the batches cannot be written. None of them is durable then, and the map
    /// is unchanged.
    pub(crate) fn commit(&mut self, batches: &[&[Record]]) -> Result<(), StoreError> {
        let frame_len = |batch: &&[Record]| format::frame_len(batch.iter().map(format::as_ref));
        let mut frames = Content::new(Vec::with_capacity(batches.iter().map(frame_len).sum()));
        for (batch, sequence) in batches.iter().zip(self.sequence + 1..) {
            push_frame(&mut frames, sequence, batch.iter().map(format::as_ref))
                .ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
        }
        self.ready_log()?.append(&frames).map_err(|failure| {
            if failure.is_suspect {
                self.log = Log::Suspect;
                // After a crash, the failed batches may still be found on disk, so their sequence
                // numbers are never reused.
                self.sequence += batches.len() as u64;
            }
            failure.error
        })?;
        self.sequence += batches.len() as u64;
        for batch in batches {
            for record in *batch {
                apply(&mut self.map, &[format::as_ref(record)]);
            }
        }
        Ok(())
    }

    /// Begins a new generation if the log is long enough. Call this function when no batch is
    /// waiting. On failure the current log remains in use.
    pub(crate) fn compact_if_due(&mut self) {
        let Log::Open(log) = &self.log else { return };
        let bound = self.min_compact_size.max(self.snapshot_size.saturating_mul(2));
        if usize::try_from(log.end).is_ok_and(|end| end < bound) {
            return;
        }
        if let Err(error) = self.compact() {
            tracing::warn!(%error, "cannot write state.snapshot; state.log continues to grow");
        }
    }

    /// Begins a new generation; the current one becomes the previous one.
    fn compact(&mut self) -> io::Result<()> {
        let snapshot = self.snapshot()?;
        self.disk.prepare(&snapshot)?;
        if self.has_snapshot {
            self.disk.rename(SNAPSHOT, PREVIOUS_SNAPSHOT)?;
            self.has_snapshot = false;
        }
        self.disk.rename(TEMPORARY, SNAPSHOT)?;
        self.has_snapshot = true;
        self.snapshot_size = snapshot.len();
        self.disk.rename(LOG, PREVIOUS_LOG)?;
        self.log = Log::Absent;
        Ok(())
    }

    /// Writes all files from the map, independently of their previous content.
    fn rewrite(&mut self) -> io::Result<()> {
        let snapshot = self.snapshot()?;
        self.log = Log::Suspect;
        self.disk.replace(SNAPSHOT, &snapshot)?;
        self.has_snapshot = true;
        self.snapshot_size = snapshot.len();
        // The previous snapshot is replaced as well, because batches may be missing between it and
        // the new log.
        self.disk.replace(PREVIOUS_SNAPSHOT, &snapshot)?;
        let end = self.new_log()?;
        self.disk.remove(PREVIOUS_LOG)?;
        self.log = Log::Closed { end };
        Ok(())
    }

    fn snapshot(&self) -> io::Result<Content> {
        let entries = self.map.iter().map(|(key, value)| (key.as_slice(), Some(value.as_slice())));
        let mut file = Content::new(Vec::with_capacity(HEADER_LEN + format::frame_len(entries.clone())));
        file.extend_from_slice(&format::header(FileKind::Snapshot));
        push_frame(&mut file, self.sequence, entries).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(file)
    }

    /// Returns the open log, which ends with the last durable batch.
    fn ready_log(&mut self) -> io::Result<&mut OpenLog> {
        if matches!(self.log, Log::Suspect) {
            self.rewrite()?;
        }
        if matches!(self.log, Log::Absent) {
            self.log = Log::Closed { end: self.new_log()? };
        }
        if let Log::Closed { end } = self.log {
            let mut file = self.disk.open(LOG)?;
            file.truncate(end)?;
            self.log = Log::Open(OpenLog { file, end });
        }
        match &mut self.log {
            Log::Open(log) => Ok(log),
            // Each step above leads to `Open` or to the state that the next step handles.
            Log::Absent | Log::Closed { .. } | Log::Suspect => Err(io::ErrorKind::Other.into()),
        }
    }

    fn new_log(&mut self) -> io::Result<u64> {
        self.disk.replace(LOG, &format::header(FileKind::Log))?;
        Ok(HEADER_LEN as u64)
    }

    /// Saves copies of damaged files for later analysis.
    fn keep_damaged_copies(&mut self, damaged: &[&str]) {
        for name in damaged {
            let copied = match self.disk.read(name) {
                Ok(Some(content)) => self.disk.replace(&format!("{name}.damaged"), &content),
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = copied {
                tracing::warn!(%error, file = name, "cannot copy a damaged state file before its repair");
            }
        }
    }
}

/// The state of `state.log`.
enum Log {
    /// The file does not exist.
    Absent,
    /// The file exists, is not open, and is valid up to its end at offset `end`.
    Closed { end: u64 },
    /// The file is open for appending.
    Open(OpenLog),
    /// The file is not trusted: all files must be rewritten before the next batch.
    Suspect,
}

/// The log, open for appending.
struct OpenLog {
    file: Box<dyn AppendFile>,
    /// The end of the last durable batch.
    end: u64,
}

impl OpenLog {
    /// Appends frames and makes them durable. On failure the log is unchanged unless the error is
    /// marked as suspect.
    fn append(&mut self, frames: &[u8]) -> Result<(), AppendError> {
        if let Err(error) = self.file.write_at(self.end, frames) {
            let undone = self.file.truncate(self.end).and_then(|()| self.file.sync());
            return Err(AppendError { error, is_suspect: undone.is_err() });
        }
        if let Err(error) = self.file.sync() {
            return Err(AppendError { error, is_suspect: true });
        }
        self.end += frames.len() as u64;
        Ok(())
    }
}

struct AppendError {
    error: io::Error,
    /// True if the content of the file is unknown after the failure.
    is_suspect: bool,
}

/// The reason why a file could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    Io { name: &'static str, error: io::Error },
    Newer { name: &'static str, version: u32 },
}

/// Reads a file. Returns the content even if it is damaged; rejects newer format versions.
pub(crate) fn read(
    disk: &dyn Disk,
    name: &'static str,
    kind: FileKind,
) -> Result<Option<Content>, ReadError> {
    let content = disk.read(name).map_err(|error| ReadError::Io { name, error })?;
    match content.as_ref().map(|content| format::check_header(kind, content)) {
        Some(format::HeaderStatus::Newer(version)) => Err(ReadError::Newer { name, version }),
        _ => Ok(content),
    }
}

/// The minimum log size in bytes at which a new snapshot is written.
pub(crate) const MIN_COMPACT_SIZE: usize = 4 << 20;

#[cfg(test)]
mod tests;
