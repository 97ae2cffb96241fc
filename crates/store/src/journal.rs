//! The log: appending batches, sealing it for the next snapshot, and repairing damage.
//!
//! A failed append does not change the log. If that cannot be guaranteed, for example because the
//! content of the disk is unknown after a failed fsync, the log is no longer used: before the next
//! batch, all files are rewritten. Only if that fails as well, a failed batch can be found later.

mod log;

use std::io;
use std::sync::Arc;

use crate::disk::{AppendFile, Disk, TEMPORARY, TEMPORARY_SNAPSHOT};
use crate::engine::ENGINE_FILE;
use crate::error::{GroupError, StoreError};
use crate::format::{FileKind, create_file};
use crate::record::{Batch, Image, Record};
use crate::recovery::{
    self, LOG, Map, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, ReadError, Recovery, SEALED_LOG, SNAPSHOT,
};
use crate::snapshots::{SnapshotKeeper, SnapshotRequest, Snapshots};
use log::{Log, OpenLog};

/// The log, and the map that its batches change.
pub(crate) struct Journal {
    disk: Arc<dyn Disk>,
    snapshots: Snapshots,
    /// The sequence number of the last durable batch.
    sequence: u64,
    log: Log,
    /// The image that is true after the last durable batch.
    image: Option<Arc<dyn Image>>,
    /// The prefixes of the keys that the map does not hold.
    handed_over: Vec<Vec<u8>>,
    /// True if files of an older format must be copied before they are replaced.
    has_old_format: bool,
    /// The minimum log size in bytes at which a new generation begins.
    min_compact_size: u64,
    /// The log size before which no snapshot is written: larger after a failure.
    next_compact_size: u64,
}

impl Journal {
    /// Recovers the state from `disk`. Repairs damage at once if possible, otherwise before the
    /// next batch.
    pub(crate) fn open(
        disk: Arc<dyn Disk>,
        min_compact_size: u64,
        is_engine_old: bool,
    ) -> Result<(Self, Recovery), ReadError> {
        let recovered = recovery::recover(&*disk)?;
        // If this fails, for example on a read-only disk, all files are rewritten later.
        let is_named = !recovered.has_unnamed_snapshot || name_snapshot(&*disk).is_ok();
        // Ignore errors: an unfinished file from a crash only wastes space.
        let _ = disk.remove(TEMPORARY);
        if is_named {
            let _ = disk.remove(TEMPORARY_SNAPSHOT);
        }
        let has_old_format = recovered.has_old_format || is_engine_old;
        let (has_fallback, is_damaged) = (recovered.has_fallback(), !recovered.damaged.is_empty());
        let (size, has_sealed_log) = (recovered.snapshot_size, recovered.has_sealed_log);
        let mut journal = Self {
            snapshots: Snapshots::Direct(SnapshotKeeper::new(
                Arc::clone(&disk),
                recovered.map,
                size,
                has_sealed_log,
            )),
            disk,
            sequence: recovered.sequence,
            log: match recovered.log_end {
                _ if has_old_format || !is_named || is_damaged => Log::Suspect,
                Some((end, checksum)) => Log::Closed { end, checksum },
                None => Log::Absent,
            },
            image: None,
            handed_over: Vec::new(),
            has_old_format,
            min_compact_size,
            next_compact_size: 0,
        };
        if matches!(journal.log, Log::Suspect) && journal.disk.is_owned() {
            journal.keep_damaged_copies(&recovered.damaged);
            if let Err(error) = journal.rewrite() {
                tracing::warn!(%error, "cannot repair or convert state files; the agent tries again before its next write");
            }
        } else if !has_fallback && journal.disk.is_owned() {
            // The files are complete, so that the agent can do without this on a full disk.
            let request = journal.snapshot_request();
            if let Err(error) = journal.snapshots.write_fallback(&request) {
                tracing::warn!(%error, "cannot write a second snapshot; the state depends on state.snapshot alone until the next one");
            }
        }
        Ok((journal, recovered.recovery))
    }

    /// Returns the map as of the last durable batch, until [`start_thread`](Self::start_thread).
    pub(crate) fn map(&self) -> Option<&Map> {
        self.snapshots.map()
    }

    /// Returns the disk, for files other than the log and the snapshot.
    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// Removes a key space from the map. Batches that change it need an image from now on.
    pub(crate) fn hand_over(&mut self, prefix: &[u8]) -> Map {
        self.handed_over.push(prefix.to_vec());
        self.snapshots.hand_over(prefix)
    }

    /// Sets the image that is true after the last durable batch.
    pub(crate) fn set_image(&mut self, image: Arc<dyn Image>) {
        self.image = Some(image);
    }

    /// Moves the map to a thread of its own, so that batches never wait for a snapshot.
    pub(crate) fn start_thread(self) -> io::Result<Self> {
        Ok(Self { snapshots: self.snapshots.into_thread()?, ..self })
    }

    /// Makes batches durable with one sync. If that fails, makes them durable one after another
    /// until the first failure.
    pub(crate) fn commit_group(&mut self, batches: Vec<Batch>) -> Result<(), GroupError> {
        let together = self.append(&batches);
        match together {
            Ok(()) => self.accept(batches),
            Err(error) if batches.len() <= 1 || error.may_reappear() => {
                return Err(GroupError { durable: 0, error });
            }
            Err(_) => {
                for (durable, batch) in batches.into_iter().enumerate() {
                    self.commit(batch).map_err(|error| GroupError { durable, error })?;
                }
            }
        }
        Ok(())
    }

    /// Makes one batch durable.
    ///
    /// # Errors
    /// Returns an error if the batch cannot be written. It has no effect then, unless it
    /// [may reappear](StoreError::may_reappear).
    pub(crate) fn commit(&mut self, batch: Batch) -> Result<(), StoreError> {
        self.append(std::slice::from_ref(&batch))?;
        self.accept(vec![batch]);
        Ok(())
    }

    /// Makes the log ready for the next batch: converts or repairs the files if that is due.
    pub(crate) fn prepare(&mut self) -> io::Result<()> {
        self.ready_log().map(|_| ())
    }

    fn append(&mut self, batches: &[Batch]) -> Result<(), StoreError> {
        if batches.iter().any(|batch| self.lacks_image(batch)) {
            return Err(io::Error::other("a change of a key space without its image").into());
        }
        let (sequence, count) = (self.sequence, batches.len() as u64);
        let handed_over = self.handed_over.clone();
        let Err(failure) = self.ready_log()?.append(sequence, batches, &handed_over) else {
            self.sequence += count;
            return Ok(());
        };
        if failure.is_suspect {
            self.log = Log::Suspect;
            // After a crash, the failed batches may still be found on disk, so their sequence
            // numbers are never reused. One more number is skipped, so that the number of the
            // snapshot that replaces them differs from the end of the log.
            self.sequence += count + 1;
        }
        let undone = if failure.is_visible { self.rewrite() } else { Ok(()) };
        Err(match undone {
            Ok(()) => failure.error.into(),
            Err(undo_error) => {
                StoreError::NotUndone { error: Arc::new(failure.error), undo_error: Arc::new(undo_error) }
            }
        })
    }

    /// Applies durable batches to the map. Sources and images that are no longer needed are freed
    /// here, on the thread of the caller.
    fn accept(&mut self, mut batches: Vec<Batch>) {
        for batch in &mut batches {
            batch.source = None;
            if let Some(image) = batch.image.take() {
                self.image = Some(image);
            }
        }
        self.snapshots.apply(batches);
    }

    fn lacks_image(&self, batch: &Batch) -> bool {
        let is_handed_over = |key: &[u8]| self.handed_over.iter().any(|prefix| key.starts_with(prefix));
        let overlaps = |range: &[u8]| {
            is_handed_over(range) || self.handed_over.iter().any(|prefix| prefix.starts_with(range))
        };
        let is_changing = |record: &Record| match record {
            Record::Set { key, .. } | Record::Remove { key } => is_handed_over(key),
            Record::RemovePrefix { prefix } => overlaps(prefix),
        };
        batch.image.is_none() && (batch.source.is_some() || batch.records.iter().any(is_changing))
    }

    /// Begins a new generation if the log is long enough: seals the log, continues with a new one,
    /// and has a snapshot written. On failure the current log remains in use.
    pub(crate) fn compact_if_due(&mut self) {
        if self.seal_log_if_due() {
            self.write_snapshot();
        }
    }

    /// Seals the log if it is long enough. Returns true if a snapshot must be written.
    fn seal_log_if_due(&mut self) -> bool {
        let (Log::Open(log), Some(status)) = (&self.log, self.snapshots.status()) else { return false };
        let bound = self.min_compact_size.max(status.size.saturating_mul(2));
        let is_due = log.end() >= bound || status.has_sealed_log;
        if !is_due || log.end() < self.next_compact_size {
            return false;
        }
        self.next_compact_size = log.end() + bound;
        if !status.has_sealed_log {
            if let Err(error) = self.seal_log() {
                tracing::warn!(%error, "cannot begin a new state.log; the old one continues to grow");
                return false;
            }
            self.next_compact_size = bound;
        }
        true
    }

    fn write_snapshot(&mut self) {
        let request = self.snapshot_request();
        self.snapshots.write(request);
    }

    /// Seals the log and continues with a new one.
    fn seal_log(&mut self) -> io::Result<()> {
        let file = self.temporary_log()?;
        self.disk.rename(LOG, SEALED_LOG)?;
        // Until the new log is in place, the files are in an unusual state.
        self.log = Log::Suspect;
        // The new log replaces the old one only after this sync.
        self.disk.sync_names()?;
        self.disk.rename(TEMPORARY, LOG)?;
        self.disk.sync_names()?;
        self.log = Log::Open(OpenLog::new(file));
        Ok(())
    }

    /// Writes all files from the map, independently of their previous content.
    fn rewrite(&mut self) -> io::Result<()> {
        self.copy_old_files()?;
        self.log = Log::Suspect;
        let request = self.snapshot_request();
        self.snapshots.rewrite(request)?;
        let log = self.new_log()?;
        self.disk.remove(PREVIOUS_LOG)?;
        self.disk.remove(SEALED_LOG)?;
        self.next_compact_size = 0;
        self.log = log;
        Ok(())
    }

    fn snapshot_request(&self) -> SnapshotRequest {
        SnapshotRequest { sequence: self.sequence, image: self.image.clone() }
    }

    /// Returns the open log, which ends with the last durable batch.
    fn ready_log(&mut self) -> io::Result<&mut OpenLog> {
        if matches!(self.log, Log::Suspect) {
            self.rewrite()?;
        }
        if matches!(self.log, Log::Absent) {
            self.log = self.new_log()?;
        }
        if let Log::Closed { end, checksum } = self.log {
            self.log = Log::Open(OpenLog::continued(self.disk.open(LOG)?, end, checksum)?);
        }
        match &mut self.log {
            Log::Open(log) => Ok(log),
            // Each step above leads to `Open` or to the state that the next step handles.
            Log::Absent | Log::Closed { .. } | Log::Suspect => Err(io::ErrorKind::Other.into()),
        }
    }

    /// Replaces the log by an empty one.
    fn new_log(&self) -> io::Result<Log> {
        let file = self.temporary_log()?;
        self.disk.rename(TEMPORARY, LOG)?;
        self.disk.sync_names()?;
        Ok(Log::Open(OpenLog::new(file)))
    }

    /// Creates an empty log under a temporary name. Its header is durable.
    fn temporary_log(&self) -> io::Result<Box<dyn AppendFile>> {
        let mut file = create_file(&*self.disk, TEMPORARY, FileKind::Log)?;
        file.sync()?;
        Ok(file)
    }

    /// Copies the files of an older format to `*.format1` before they are replaced.
    fn copy_old_files(&mut self) -> io::Result<()> {
        if !self.has_old_format {
            return Ok(());
        }
        for (name, kind) in FILES {
            let file = recovery::open(&*self.disk, name, kind).map_err(ReadError::into_io)?;
            if file.is_some_and(|file| !file.is_current()) {
                self.disk.copy(name, &format!("{name}{OLD_FORMAT_SUFFIX}"))?;
            }
        }
        self.disk.sync_names()?;
        self.has_old_format = false;
        tracing::info!(
            "the state files are converted to format 2; copies of the old files end in {OLD_FORMAT_SUFFIX}"
        );
        Ok(())
    }

    /// Saves copies of damaged files for later analysis.
    fn keep_damaged_copies(&self, damaged: &[&str]) {
        for name in damaged {
            let copied = self.disk.copy(name, TEMPORARY).and_then(|()| match self.disk.read(TEMPORARY)? {
                Some(_) => self.disk.rename(TEMPORARY, &format!("{name}.damaged")),
                None => Ok(()),
            });
            if let Err(error) = copied {
                tracing::warn!(%error, file = name, "cannot copy a damaged state file before its repair");
            }
        }
    }
}

/// Finishes the switch to a snapshot, which a crash interrupted.
fn name_snapshot(disk: &dyn Disk) -> io::Result<()> {
    disk.rename(TEMPORARY_SNAPSHOT, SNAPSHOT)?;
    disk.sync_names()
}

/// The files that may have an older format.
const FILES: [(&str, FileKind); 5] = [
    (LOG, FileKind::Log),
    (PREVIOUS_LOG, FileKind::Log),
    (SNAPSHOT, FileKind::Snapshot),
    (PREVIOUS_SNAPSHOT, FileKind::Snapshot),
    (ENGINE_FILE, FileKind::Engine),
];

/// The end of the names of the copies of files of format 1.
const OLD_FORMAT_SUFFIX: &str = ".format1";

/// The minimum log size in bytes at which a new snapshot is written.
pub(crate) const MIN_COMPACT_SIZE: u64 = 4 << 20;

#[cfg(test)]
mod tests;
