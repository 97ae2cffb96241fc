//! An open state directory, before its writer starts.

use std::ops::Bound;
use std::path::{Path, PathBuf};

use portreeve_smi::EngineId;

use crate::disk::{Directory, Disk, Observer};
use crate::engine::{self, ENGINE_FILE, EngineCopy, EngineStart};
use crate::error::{OpenError, StoreError};
use crate::format::FileKind;
use crate::journal::{self, Journal, MIN_COMPACT_SIZE, ReadError};
use crate::record::Record;
use crate::recovery::Recovery;
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
        let (store, mut recovery) = Self::from_disk(Box::new(disk), MIN_COMPACT_SIZE)
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
        let opened = Self::from_disk(Box::new(Observer::at(directory)), MIN_COMPACT_SIZE);
        opened.map(|(store, _)| store).map_err(|failed| unreadable(directory, failed))
    }

    /// Returns the snmpEngineID of the last start.
    #[must_use]
    pub fn engine_id(&self) -> Option<EngineId> {
        self.engine_file.engine_id.or_else(|| EngineCopy::from_map(self.journal.map()).engine_id)
    }

    pub(crate) fn from_disk(
        disk: Box<dyn Disk>,
        min_compact_size: usize,
    ) -> Result<(Self, Recovery), ReadError> {
        let engine_file = journal::read(&*disk, ENGINE_FILE, FileKind::Engine)?;
        let (journal, mut recovery) = Journal::open(disk, min_compact_size)?;
        let file = engine_file.as_ref().map(|file| EngineCopy::from_file(file));
        recovery.notes.extend(engine::compare(&journal, file));
        let engine_file = file.flatten().unwrap_or_default();
        Ok((Self { journal, engine_file }, recovery))
    }

    /// Returns the value of `key`.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        self.journal.map().get(key).map(|value| value.as_slice())
    }

    /// Returns all entries whose key begins with `prefix`, sorted by key.
    pub fn iter<'a>(&'a self, prefix: &'a [u8]) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let entries = self.journal.map().range::<[u8], _>(from);
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

    /// Makes one batch durable and waits for it. Use this function only during startup, and the
    /// [`Writer`] afterwards.
    ///
    /// # Errors
    /// Returns an error if the batch is not durable. It then has no effect.
    pub fn commit(&mut self, batch: &[Record]) -> Result<(), StoreError> {
        self.journal.commit(&[batch])?;
        self.journal.compact_if_due();
        Ok(())
    }

    /// Starts the writer thread.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn into_writer(self) -> std::io::Result<Writer> {
        Writer::start(self.journal)
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
