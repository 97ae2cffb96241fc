//! One change of the map.

/// One change of the map; a batch is a list of them, applied in order.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Record {
    /// `key` has `value` from now on.
    Set {
        /// Which entry. Text by convention, with `/` between its parts.
        key: Vec<u8>,
        /// Any octets.
        value: Vec<u8>,
    },
    /// `key` has no value from now on.
    Remove {
        /// Which entry.
        key: Vec<u8>,
    },
}

impl Record {
    /// Sets `key` to `value`.
    pub fn set(key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        Self::Set { key: key.into(), value: value.into() }
    }

    /// Removes `key`.
    pub fn remove(key: impl Into<Vec<u8>>) -> Self {
        Self::Remove { key: key.into() }
    }
}
