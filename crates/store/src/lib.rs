//! State on disk: an ordered map of keys to values that survives any crash, and the engine's boots counter.
//!
//! ```text
//! Store::open ──▶ read what is there (get, iter) ──▶ start_engine ──▶ into_writer ──▶ submit(batch, done)
//!                                                                                         │ one fdatasync for all
//!                                                                                         ▼ that wait: group commit
//!                                                                                       done(Ok | Failed)
//! ```
//! A batch is all or nothing, and is never acknowledged before the disk has it. On disk stand a log of checksummed
//! batches and a snapshot, each with its previous generation, and a second copy of engineID and engineBoots:
//!
//! | file | holds |
//! |---|---|
//! | `state.log` | batches since the snapshot |
//! | `state.snapshot` | the whole map at one time |
//! | `state.log.previous`, `state.snapshot.previous` | what the snapshot was made from |
//! | `engine` | engineID and engineBoots once more |
//! | `*.damaged` | a file as it was found, when something in it was not what was written |
//! | `lock` | the process id of whoever holds the directory |
//!
//! So whichever one file is truncated or altered, at whichever octet, the last good state comes back: all of it,
//! unless the damage is in the log, which is good up to the damage.

mod disk;
mod engine;
mod error;
mod format;
mod journal;
mod record;
mod recovery;
mod store;
mod writer;

pub use engine::EngineStart;
pub use error::{OpenError, StoreError};
pub use format::{LogContents, read_log};
pub use record::Record;
pub use recovery::Recovery;
pub use store::Store;
pub use writer::Writer;
