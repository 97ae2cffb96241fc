//! Applies batches to the map and writes it as a snapshot.

use std::io;
use std::sync::Arc;

use super::{SnapshotRequest, SnapshotStatus};
use crate::disk::{Disk, TEMPORARY_SNAPSHOT};
use crate::format::{FileKind, FrameWriter, RecordRef, create_file, encoded_len};
use crate::record::{Batch, Image, Record};
use crate::recovery::{Map, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, SEALED_LOG, SNAPSHOT, apply, remove_prefix};

/// The map and its snapshots.
pub(crate) struct SnapshotKeeper {
    disk: Arc<dyn Disk>,
    map: Map,
    /// The prefixes of the keys that the map does not hold.
    handed_over: Vec<Vec<u8>>,
    /// The size of the snapshot; `None` if it does not exist.
    size: Option<u64>,
    has_sealed_log: bool,
}

impl SnapshotKeeper {
    pub(crate) fn new(disk: Arc<dyn Disk>, map: Map, size: Option<u64>, has_sealed_log: bool) -> Self {
        Self { disk, map, handed_over: Vec::new(), size, has_sealed_log }
    }

    pub(crate) fn map(&self) -> &Map {
        &self.map
    }

    /// Removes the keys with a prefix from the map, which does not hold them from now on.
    pub(crate) fn hand_over(&mut self, prefix: &[u8]) -> Map {
        self.handed_over.push(prefix.to_vec());
        remove_prefix(&mut self.map, prefix)
    }

    pub(crate) fn apply(&mut self, batches: &[Batch]) {
        for record in batches.iter().flat_map(|batch| &batch.records) {
            let is_handed_over =
                |key: &Vec<u8>| self.handed_over.iter().any(|prefix| key.starts_with(prefix));
            match record {
                Record::Set { key, .. } if is_handed_over(key) => {}
                record => apply(&mut self.map, record.into()),
            }
        }
    }

    pub(crate) fn status(&self) -> SnapshotStatus {
        SnapshotStatus { size: self.size.unwrap_or_default(), has_sealed_log: self.has_sealed_log }
    }

    /// Writes a snapshot after the log has been sealed. On failure the sealed log remains.
    pub(crate) fn write(&mut self, request: &SnapshotRequest) {
        self.has_sealed_log = true;
        match self.begin_generation(request) {
            Ok(()) => self.has_sealed_log = false,
            Err(error) => {
                tracing::warn!(%error, "cannot write state.snapshot; state.log continues to grow");
            }
        }
    }

    /// Replaces the snapshot; the current one and the sealed log become the previous ones.
    fn begin_generation(&mut self, request: &SnapshotRequest) -> io::Result<()> {
        let size = self.write_temporary(request)?;
        if self.size.is_some() {
            // Until the new snapshot has its name, it is found under the temporary one.
            self.disk.sync_names()?;
            self.disk.rename(SNAPSHOT, PREVIOUS_SNAPSHOT)?;
            self.size = None;
        }
        self.disk.rename(TEMPORARY_SNAPSHOT, SNAPSHOT)?;
        self.size = Some(size);
        // Only after this sync may the previous log be replaced: the previous snapshot that was
        // there before needs it.
        self.disk.sync_names()?;
        // An earlier attempt has renamed it if only the last sync failed.
        if self.disk.read(SEALED_LOG)?.is_some() {
            self.disk.rename(SEALED_LOG, PREVIOUS_LOG)?;
        }
        // The log is sealed again only after this sync: otherwise the sealed log could be replaced
        // before it is the previous log.
        self.disk.sync_names()
    }

    /// Writes both snapshots.
    pub(crate) fn rewrite(&mut self, request: &SnapshotRequest) -> io::Result<()> {
        let size = self.write_temporary(request)?;
        self.disk.rename(TEMPORARY_SNAPSHOT, SNAPSHOT)?;
        self.size = Some(size);
        // The previous snapshot is replaced as well, because batches may be missing between it and
        // the new log.
        self.write_fallback(request)?;
        self.has_sealed_log = false;
        Ok(())
    }

    /// Writes the previous snapshot.
    pub(crate) fn write_fallback(&self, request: &SnapshotRequest) -> io::Result<()> {
        self.write_temporary(request)?;
        self.disk.rename(TEMPORARY_SNAPSHOT, PREVIOUS_SNAPSHOT)?;
        self.disk.sync_names()
    }

    /// Writes the temporary snapshot. Its content is durable then, its name is not. A partial file
    /// is removed to free its space.
    fn write_temporary(&self, request: &SnapshotRequest) -> io::Result<u64> {
        self.write_snapshot(request).inspect_err(|_| {
            // If the removal fails as well, the next snapshot overwrites the file.
            let _ = self.disk.remove(TEMPORARY_SNAPSHOT);
        })
    }

    fn write_snapshot(&self, request: &SnapshotRequest) -> io::Result<u64> {
        let image: Option<&dyn Image> = request.image.as_deref();
        if !self.handed_over.is_empty() && image.is_none() {
            return Err(io::Error::other("the image of a key space is missing"));
        }
        let mut file = create_file(&*self.disk, TEMPORARY_SNAPSHOT, FileKind::Snapshot)?;
        let entries = self.map.iter().map(|(key, value)| RecordRef::Set { key, value });
        // The length of an image is not known.
        let length = image.is_none().then(|| encoded_len(entries.clone()));
        let mut frames = FrameWriter::first(&mut *file, length);
        frames.begin(request.sequence)?;
        entries.into_iter().try_for_each(|entry| frames.record(entry))?;
        if let Some(image) = image {
            image.visit_entries(&mut |key, value| frames.record(RecordRef::Set { key, value }))?;
        }
        frames.end()?;
        let (size, _) = frames.finish()?;
        file.sync()?;
        Ok(size)
    }
}
