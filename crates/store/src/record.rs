//! One change of the map.

/// One change of the map. A batch is a list of records, applied in order.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Record {
    /// Sets `key` to `value`.
    Set {
        /// The key. By convention text, with `/` between its parts.
        key: Vec<u8>,
        /// The value; arbitrary octets.
        value: Vec<u8>,
    },
    /// Removes `key`.
    Remove {
        /// The key.
        key: Vec<u8>,
    },
}

impl Record {
    /// Creates a record that sets `key` to `value`.
    pub fn set(key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        Self::Set { key: key.into(), value: value.into() }
    }

    /// Creates a record that removes `key`.
    pub fn remove(key: impl Into<Vec<u8>>) -> Self {
        Self::Remove { key: key.into() }
    }
}
