//! Durable state: an ordered map of keys to values that survives any crash, and the boot counter of
//! the engine.
//!
//! ```text
//! Store::open ──▶ read the map (get, iter) ──▶ start_engine ──▶ into_writer
//!                                                                    │
//!                                                                    ▼
//!    done(result) ◀── one fdatasync for all queued batches ◀── submit(batch, done)
//! ```
//! A batch is atomic, and is acknowledged only after it is durable. A thread that drafts its batches
//! on one another uses [`Writer::commit_group`] instead of [`Writer::submit`]: it waits until all
//! batches are durable with one sync; after a failure it is told how many of the first batches are
//! durable. The directory contains a log of
//! checksummed batches and a snapshot, the previous generation of both, and a second copy of
//! engineID and engineBoots:
//!
//! | file | content |
//! |---|---|
//! | `state.log` | batches since the snapshot |
//! | `state.snapshot` | the complete map at one point in time |
//! | `state.log.previous`, `state.snapshot.previous` | the files from which the snapshot was made |
//! | `engine` | a second copy of engineID and engineBoots |
//! | `*.damaged` | a copy of a damaged file, saved before the repair |
//! | `lock` | the process ID of the process that has the directory open |
//!
//! If a single file is truncated or altered, at any offset, the last valid state is recovered. The
//! recovered state is complete unless the log is damaged; batches after the damage are then lost.

mod disk;
mod engine;
mod error;
mod failures;
mod format;
mod journal;
mod record;
mod recovery;
mod store;
mod writer;

pub use engine::EngineStart;
pub use error::{GroupError, OpenError, StoreError, UnsafeDirectoryReason};
pub use failures::{WriteFailure, WriteFailures};
pub use format::{LogContents, read_log};
pub use record::{Batch, Record};
pub use recovery::Recovery;
pub use store::Store;
pub use writer::Writer;
