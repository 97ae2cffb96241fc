//! The map, and the snapshots that are written from it.
//!
//! While the state is opened, the map is used directly. Afterwards a thread owns it: it applies the
//! durable batches in their order, and writes snapshots between them. Appending to the log
//! therefore never waits for a snapshot.

mod keeper;
mod thread;

use std::io;
use std::sync::Arc;

use crate::record::{Batch, Image};
use crate::recovery::Map;

pub(crate) use keeper::SnapshotKeeper;
use thread::KeeperThread;

/// The owner of the map.
pub(crate) enum Snapshots {
    /// The map is used on the thread of the caller.
    Direct(SnapshotKeeper),
    /// A thread owns the map.
    Thread(KeeperThread),
}

/// The state of the files that a snapshot includes.
pub(crate) struct SnapshotRequest {
    /// The sequence number of the last durable batch.
    pub(crate) sequence: u64,
    /// The entries of the key spaces that their owner holds.
    pub(crate) image: Option<Arc<dyn Image>>,
}

impl Snapshots {
    /// Starts the thread.
    pub(crate) fn into_thread(self) -> io::Result<Self> {
        match self {
            Self::Direct(keeper) => Ok(Self::Thread(KeeperThread::start(keeper, MAX_BACKLOG)?)),
            Self::Thread(_) => Ok(self),
        }
    }

    /// Returns the map, as long as no thread owns it.
    pub(crate) fn map(&self) -> Option<&Map> {
        match self {
            Self::Direct(keeper) => Some(keeper.map()),
            Self::Thread(_) => None,
        }
    }

    /// Removes a key space from the map, as long as no thread owns it.
    pub(crate) fn hand_over(&mut self, prefix: &[u8]) -> Map {
        match self {
            Self::Direct(keeper) => keeper.hand_over(prefix),
            Self::Thread(_) => Map::new(),
        }
    }

    /// Applies durable batches to the map.
    pub(crate) fn apply(&mut self, batches: Vec<Batch>) {
        match self {
            Self::Direct(keeper) => keeper.apply(&batches),
            Self::Thread(thread) => thread.apply(batches),
        }
    }

    /// Writes a snapshot; the sealed log becomes the previous log.
    pub(crate) fn write(&mut self, request: SnapshotRequest) {
        match self {
            Self::Direct(keeper) => keeper.write(&request),
            Self::Thread(thread) => thread.write(request),
        }
    }

    /// Writes both snapshots, independently of the other files, and waits until they are durable.
    pub(crate) fn rewrite(&mut self, request: SnapshotRequest) -> io::Result<()> {
        match self {
            Self::Direct(keeper) => keeper.rewrite(&request),
            Self::Thread(thread) => thread.rewrite(request),
        }
    }

    /// Writes the previous snapshot from the current state, before the thread is started.
    pub(crate) fn write_fallback(&mut self, request: &SnapshotRequest) -> io::Result<()> {
        match self {
            Self::Direct(keeper) => keeper.write_fallback(request),
            Self::Thread(_) => Err(io::ErrorKind::Other.into()),
        }
    }

    /// Returns the state of the snapshot; `None` while one is being written.
    pub(crate) fn status(&self) -> Option<SnapshotStatus> {
        match self {
            Self::Direct(keeper) => Some(keeper.status()),
            Self::Thread(thread) => thread.status(),
        }
    }
}

/// The state of the snapshot when none is being written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SnapshotStatus {
    /// The size of the snapshot; 0 if there is none.
    pub(crate) size: u64,
    /// True if the sealed log exists: the last snapshot could not be written.
    pub(crate) has_sealed_log: bool,
}

/// The maximum size of the batches that wait to be applied while a snapshot is being written.
const MAX_BACKLOG: usize = 64 << 20;
