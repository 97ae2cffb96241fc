//! One change of the map of keys and values.

use std::sync::Arc;
use std::{fmt, io};

use zeroize::Zeroizing;

use crate::format::RecordRef;

/// One change of the map. A [`Batch`] is a list of records, applied in order.
#[derive(Clone, Eq, PartialEq)]
pub enum Record {
    /// Sets `key` to `value`.
    Set {
        /// The key. By convention it is text, with `/` between its parts.
        key: Vec<u8>,
        /// The value; arbitrary octets, wiped when dropped.
        value: Zeroizing<Vec<u8>>,
    },
    /// Removes `key`.
    Remove {
        /// The key to remove.
        key: Vec<u8>,
    },
    /// Removes all keys that begin with `prefix`.
    RemovePrefix {
        /// The prefix. It is empty to remove all keys.
        prefix: Vec<u8>,
    },
}

impl Record {
    /// Creates a record that sets `key` to `value`.
    pub fn set(key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        Self::Set { key: key.into(), value: Zeroizing::new(value.into()) }
    }

    /// Creates a record that removes `key`.
    pub fn remove(key: impl Into<Vec<u8>>) -> Self {
        Self::Remove { key: key.into() }
    }

    /// Creates a record that removes all keys that begin with `prefix`.
    pub fn remove_prefix(prefix: impl Into<Vec<u8>>) -> Self {
        Self::RemovePrefix { prefix: prefix.into() }
    }
}

/// Changes that become durable together or not at all.
#[derive(Clone, Default)]
pub struct Batch {
    pub(crate) records: Vec<Record>,
    pub(crate) source: Option<Arc<dyn RecordSource>>,
    pub(crate) image: Option<Arc<dyn Image>>,
}

impl Batch {
    /// Creates a batch of records, which are applied in order.
    #[must_use]
    pub fn new(records: Vec<Record>) -> Self {
        Self { records, source: None, image: None }
    }

    /// Adds records that follow the others and are produced while the batch is written, so that
    /// they are not all in memory. They can change key spaces that their owner holds, and no
    /// others.
    #[must_use]
    pub fn with_source(self, source: Arc<dyn RecordSource>) -> Self {
        Self { source: Some(source), ..self }
    }

    /// Adds the image that is true after the batch. A batch that changes a key space that its owner
    /// holds needs one ([`Store::hand_over`](crate::Store::hand_over)).
    #[must_use]
    pub fn with_image(self, image: Arc<dyn Image>) -> Self {
        Self { image: Some(image), ..self }
    }
}

/// Records of key spaces that their owner holds.
pub trait RecordSource: Send + Sync {
    /// Calls `visit` with each record, in the order in which they are applied. Stops at the first
    /// error of `visit` and returns it. If the batch cannot be written, this function is called
    /// again, and has to produce the same records.
    ///
    /// # Errors
    /// Returns the error of `visit`, or an error if the records cannot be produced.
    fn visit_records(&self, visit: &mut VisitRecord<'_>) -> io::Result<()>;
}

/// A function that receives a record.
pub type VisitRecord<'a> = dyn FnMut(RecordRef<'_>) -> io::Result<()> + 'a;

/// The entries of all key spaces that their owner holds, at one point in time. It is read on
/// another thread, while the owner continues.
pub trait Image: Send + Sync {
    /// Calls `visit` with the key and the value of each entry, in any order. Stops at the first
    /// error of `visit` and returns it.
    ///
    /// # Errors
    /// Returns the error of `visit`, or an error if the entries cannot be read.
    fn visit_entries(&self, visit: &mut VisitEntry<'_>) -> io::Result<()>;
}

/// A function that receives the key and the value of an entry.
pub type VisitEntry<'a> = dyn FnMut(&[u8], &[u8]) -> io::Result<()> + 'a;

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, source, image } = self;
        let mut shown = f.debug_struct("Batch");
        shown.field("records", records);
        shown.field("has_source", &source.is_some()).field("has_image", &image.is_some()).finish()
    }
}

impl From<Vec<Record>> for Batch {
    fn from(records: Vec<Record>) -> Self {
        Self::new(records)
    }
}

impl<const COUNT: usize> From<[Record; COUNT]> for Batch {
    fn from(records: [Record; COUNT]) -> Self {
        Self::new(records.into())
    }
}

/// Omits the value, which may be a cryptographic key.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, key) = match self {
            Self::Set { key, .. } => ("Set", key),
            Self::Remove { key } => ("Remove", key),
            Self::RemovePrefix { prefix } => ("RemovePrefix", prefix),
        };
        f.debug_struct(name).field("key", &String::from_utf8_lossy(key)).finish_non_exhaustive()
    }
}
