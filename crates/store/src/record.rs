//! One change of the map of keys and values.

use std::fmt;

use zeroize::Zeroizing;

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
}

/// Changes that become durable together or not at all.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(crate) records: Vec<Record>,
}

impl Batch {
    /// Creates a batch of records, which are applied in order.
    #[must_use]
    pub fn new(records: Vec<Record>) -> Self {
        Self { records }
    }
}

impl From<Vec<Record>> for Batch {
    fn from(records: Vec<Record>) -> Self {
        Self::new(records)
    }
}

/// Omits the value, which may be a cryptographic key.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, key) = match self {
            Self::Set { key, .. } => ("Set", key),
            Self::Remove { key } => ("Remove", key),
        };
        f.debug_struct(name).field("key", &String::from_utf8_lossy(key)).finish_non_exhaustive()
    }
}
