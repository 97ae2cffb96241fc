//! Durable state: an ordered map of keys to values that survives any crash, and the boot counter of
//! the engine.
//!
//! ```text
//! Store::open ──▶ read the map (get, iter) ──▶ start_engine ──▶ into_writer
//!                                                                     │
//!                                                                     ▼
//!                                        commit_group(batches): durable with one fdatasync
//! ```
//! A batch is atomic, and is acknowledged only after it is durable. The batches of a group are
//! drafted on one another: after a failure, [`GroupError`] contains the number of the first ones
//! that are durable.
//!
//! The directory contains a log of checksummed batches and a snapshot, the previous generation of
//! both, and a second copy of engineID and engineBoots:
//!
//! | file | content |
//! |---|---|
//! | `state.log` | batches since the snapshot |
//! | `state.snapshot` | the complete map at one point in time |
//! | `state.log.previous`, `state.snapshot.previous` | the files from which the snapshot was made |
//! | `state.log.sealed`, `state.snapshot.new` | the log and the snapshot that is being made from it |
//! | `engine` | a second copy of engineID and engineBoots |
//! | `new` | a file that is being written and gets its name later |
//! | `*.damaged` | a copy of a damaged file, saved before the repair |
//! | `*.format1` | a copy of a file of format 1, saved before the conversion |
//! | `lock` | the process ID of the process that has the directory open |
//!
//! If a single file is truncated or altered, at any offset, the last valid state is recovered. The
//! recovered state is complete unless the log is damaged; batches after the damage are then lost.
//! A power cut loses no acknowledged batch, whatever part of the unsynced changes reaches the disk.
//!
//! The map is in memory. A large key space can instead be held by its owner ([`Store::hand_over`]),
//! who gives each batch an [`Image`] from which the snapshot is written, and a [`RecordSource`]
//! that produces the records while they are written.

mod disk;
mod engine;
mod error;
mod failures;
mod format;
mod journal;
mod record;
mod recovery;
mod snapshots;
mod store;
mod writer;

pub use engine::EngineStart;
pub use error::{GroupError, OpenError, StoreError, UnsafeDirectoryReason};
pub use failures::{WriteFailure, WriteFailures};
pub use format::{LogContents, RecordRef, read_log};
pub use record::{Batch, Image, Record, RecordSource, VisitEntry, VisitRecord};
pub use recovery::Recovery;
pub use store::Store;
pub use writer::Writer;
