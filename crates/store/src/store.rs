//! An open state directory, before its writer starts.

use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portreeve_smi::EngineId;
use zeroize::Zeroizing;

use crate::disk::{Directory, Disk, Observer};
use crate::engine::{self, ENGINE_FILE, EngineCopy, EngineStart};
use crate::error::{OpenError, StoreError};
use crate::format::FileKind;
use crate::journal::{Journal, MIN_COMPACT_SIZE};
use crate::record::{Batch, Image};
use crate::recovery::{self, Map, ReadError, Recovery};
use crate::writer::Writer;

/// The durable map, open for reading. [`into_writer`](Self::into_writer) then hands it over to a
/// [`Writer`].
pub struct Store {
    journal: Journal,
    engine_file: EngineCopy,
}

impl Store {
    /// Opens the state in `directory`, and creates the directory if necessary (mode 0700, files
    /// 0600). The directory remains locked until this process ends or the writer is dropped.
    ///
    /// Repairs damaged files. The returned [`Recovery`] lists all problems found, which are also
    /// logged.
    ///
    /// # Errors
    /// Returns an error if the directory or a file in it cannot be read, if other users can change
    /// the directory, if another process has it open, or if a newer version of this program wrote a
    /// file in it. A directory that is readable but not writable can be opened, but writes to it
    /// will fail.
    pub fn open(directory: &Path) -> Result<(Self, Recovery), OpenError> {
        let disk = Directory::open(directory)?;
        let is_accessible_by_others = disk.is_accessible_by_others();
        let (store, mut recovery) = Self::from_disk(Arc::new(disk), MIN_COMPACT_SIZE)
            .map_err(|failed| unreadable(directory, failed))?;
        if is_accessible_by_others {
            recovery.notes.push(
                "the state directory is accessible to other users; run chmod 700 on the directory".into(),
            );
        }
        for note in &recovery.notes {
            tracing::warn!(directory = %directory.display(), "{note}");
        }
        Ok((store, recovery))
    }

    /// Opens the state in `directory` for reading, even if another process has it open. Does not
    /// lock the directory or repair files. A batch that is currently being written may be missing.
    /// An empty or missing directory yields an empty state.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if a newer version of this program wrote it.
    pub fn open_read_only(directory: &Path) -> Result<Self, OpenError> {
        let observer = Observer::open(directory)
            .map_err(|source| OpenError::Directory { path: directory.to_owned(), source })?;
        let opened = Self::from_disk(Arc::new(observer), MIN_COMPACT_SIZE);
        opened.map(|(store, _)| store).map_err(|failed| unreadable(directory, failed))
    }

    /// Returns the snmpEngineID of the last start.
    #[must_use]
    pub fn engine_id(&self) -> Option<EngineId> {
        self.engine_file.engine_id.or_else(|| EngineCopy::from_map(self.map()).engine_id)
    }

    pub(crate) fn from_disk(
        disk: Arc<dyn Disk>,
        min_compact_size: u64,
    ) -> Result<(Self, Recovery), ReadError> {
        let mut file = recovery::open(&*disk, ENGINE_FILE, FileKind::Engine)?;
        let is_old = file.as_ref().is_some_and(|file| !file.is_current());
        let copy = file.as_mut().map(EngineCopy::from_file).transpose();
        let copy = copy.map_err(|error| ReadError::Io { name: ENGINE_FILE, error })?;
        let (journal, mut recovery) = Journal::open(disk, min_compact_size, is_old)?;
        recovery.notes.extend(engine::compare(&journal, copy));
        Ok((Self { journal, engine_file: copy.flatten().unwrap_or_default() }, recovery))
    }

    /// Returns the value of `key`.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        self.map().get(key).map(|value| value.as_slice())
    }

    /// Returns all entries whose key begins with `prefix`, sorted by key.
    pub fn iter<'a>(&'a self, prefix: &'a [u8]) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let entries = self.map().range::<[u8], _>(from);
        entries
            .take_while(move |(key, _)| key.starts_with(prefix))
            .map(|(key, value)| (key.as_slice(), value.as_slice()))
    }

    /// Starts the engine. On return, engineBoots is durable in two copies. It is greater than in
    /// every earlier run, or latched at 2³¹−1. `choose` receives the engineID of the last run, if
    /// any, and returns the engineID to use from now on.
    ///
    /// # Errors
    /// Returns an error if either copy cannot be written. In this case the engine must not
    /// authenticate messages (RFC 3414 §2.2.2).
    pub fn start_engine(
        &mut self,
        choose: impl FnOnce(Option<EngineId>) -> EngineId,
    ) -> Result<EngineStart, StoreError> {
        let start = engine::start(&mut self.journal, self.engine_file, choose)?;
        self.engine_file = EngineCopy { engine_id: Some(start.engine_id), boots: Some(start.boots) };
        Ok(start)
    }

    /// Hands a key space over to its owner: removes the entries whose keys begin with `prefix` from
    /// the map, which does not hold such keys from now on, and returns them.
    ///
    /// The owner then calls [`set_image`](Self::set_image), and gives every batch that changes the
    /// key space the [`Image`] that is true after the batch.
    pub fn hand_over(
        &mut self,
        prefix: &[u8],
    ) -> impl Iterator<Item = (Vec<u8>, Zeroizing<Vec<u8>>)> + use<> {
        self.journal.hand_over(prefix).into_iter()
    }

    /// Sets the image of all key spaces that were handed over, as they are now.
    pub fn set_image(&mut self, image: Arc<dyn Image>) {
        self.journal.set_image(image);
    }

    /// Makes one batch durable and waits for it. Use this function only during startup, and the
    /// [`Writer`] afterwards.
    ///
    /// # Errors
    /// Returns an error if the batch is not durable. It then has no effect, unless it
    /// [may reappear](StoreError::may_reappear).
    pub fn commit(&mut self, batch: impl Into<Batch>) -> Result<(), StoreError> {
        self.journal.commit(batch.into())?;
        self.journal.compact_if_due();
        Ok(())
    }

    /// Starts the thread that writes snapshots.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn into_writer(self) -> std::io::Result<Writer> {
        Writer::start(self.journal)
    }

    /// Returns the map, which belongs to this thread until [`into_writer`](Self::into_writer).
    fn map(&self) -> &Map {
        static EMPTY: Map = Map::new();
        self.journal.map().unwrap_or(&EMPTY)
    }
}

fn unreadable(directory: &Path, failed: ReadError) -> OpenError {
    let path = |name: &str| -> PathBuf { directory.join(name) };
    match failed {
        ReadError::Io { name, error } => OpenError::Unreadable { path: path(name), source: error },
        ReadError::Newer { name, version } => OpenError::NewerFormat { path: path(name), version },
    }
}

#[cfg(test)]
mod tests;
