//! StorageType: the persistence and writability of a row (RFC 2579 §2).

/// The storage type of a row. The discriminants are the numbers of the MIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StorageType {
    /// Stored by other means; not used by this program.
    Other = 1,
    /// The row is lost at a restart.
    Volatile = 2,
    /// The row is stored in the state directory.
    NonVolatile = 3,
    /// Stored in the state directory; may be changed but not destroyed.
    Permanent = 4,
    /// Comes from the configuration file; a SET can neither change nor destroy it.
    ReadOnly = 5,
}

impl StorageType {
    /// Returns the type with this number in a MIB.
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

    /// Returns true if rows of this type are stored in the state directory.
    pub fn is_durable(self) -> bool {
        matches!(self, Self::NonVolatile | Self::Permanent)
    }
}
