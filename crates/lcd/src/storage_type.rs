//! StorageType: where a row lives, and who may change it (RFC 2579 §2).

/// How a row is kept. The discriminants are the numbers of the MIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StorageType {
    /// Kept by something else; never ours.
    Other = 1,
    /// Lost at a restart.
    Volatile = 2,
    /// Kept in the state directory.
    NonVolatile = 3,
    /// Kept in the state directory; may be changed, but not destroyed.
    Permanent = 4,
    /// From the configuration file; no SET changes or destroys it.
    ReadOnly = 5,
}

impl StorageType {
    /// The type with this number in a MIB.
    pub fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            1 => Self::Other,
            2 => Self::Volatile,
            3 => Self::NonVolatile,
            4 => Self::Permanent,
            5 => Self::ReadOnly,
            _ => return None,
        })
    }

    /// Whether a row of this type goes into the state directory.
    pub fn is_durable(self) -> bool {
        matches!(self, Self::NonVolatile | Self::Permanent)
    }
}
