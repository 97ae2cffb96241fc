//! The parts that rows of all tables have in common: index, columns and state.

use std::{
    ops::{BitOr, Deref},
    sync::Arc,
};

use portreeve_smi::Timestamp;

use crate::{
    LastChanged, RowStatus, StorageType, Table, Tables,
    durable::{FieldWriter, Fields, RecordError, RowKey},
};

/// The octets of a name, a tag or another short text. Clones share the octets.
pub type Name = Arc<[u8]>;

/// One conceptual row. Dereferences to its columns.
#[derive(Clone)]
pub struct Row<C: Columns> {
    /// The index of the row.
    pub key: C::Key,
    /// The accessible columns except status and storage type.
    pub columns: C,
    /// The storage type of the row.
    pub storage: StorageType,
    /// The status of the row.
    pub status: RowStatus,
    /// The columns that have no default and have not been set yet; their values in `columns` are
    /// placeholders. Empty in every active row.
    pub missing: ColumnSet,
}

impl<C: Columns> Row<C> {
    /// Creates a row as createAndWait does. Its storage type is nonVolatile, and its columns have
    /// their default values. Columns without a default are missing.
    pub fn new(key: C::Key) -> Self {
        let columns = C::defaults(&key);
        Self {
            key,
            columns,
            storage: StorageType::NonVolatile,
            status: RowStatus::NotReady,
            missing: C::REQUIRED,
        }
    }

    /// Turns the row into a complete and active row. The caller guarantees that every column has
    /// been set.
    pub fn into_active(mut self, storage: StorageType) -> Self {
        self.storage = storage;
        self.status = RowStatus::Active;
        self.missing = ColumnSet::NONE;
        self
    }

    /// Returns true if a SET may change the row.
    pub fn is_writable(&self) -> bool {
        self.storage != StorageType::ReadOnly
    }

    /// Returns true if the row is active.
    pub fn is_active(&self) -> bool {
        self.status == RowStatus::Active
    }
}

impl<C: Columns> Deref for Row<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.columns
    }
}

/// The columns of one table.
pub trait Columns: Clone + Send + Sync + Sized + 'static {
    /// The type of the table's index.
    type Key: RowKey;

    /// The prefix of the record keys of this table, for example `vacm/group`.
    const KIND: &'static str;

    /// The name of the table in its MIB, for example `vacmSecurityToGroupTable`.
    const TABLE_NAME: &'static str;

    /// The columns without a default value.
    const REQUIRED: ColumnSet;

    /// Returns the columns of a new row: the DEFVALs of the MIB, and placeholders in
    /// [`Columns::REQUIRED`].
    fn defaults(key: &Self::Key) -> Self;

    /// Returns the table of this row type.
    fn table(tables: &Tables) -> &Table<Self>;

    /// Returns the table of this row type, for modification.
    fn table_mut(tables: &mut Tables) -> &mut Table<Self>;

    /// Returns the time of last change of this table, if the table has one.
    fn last_changed(times: &mut LastChanged) -> Option<&mut Timestamp> {
        let _ = times;
        None
    }

    /// Writes the columns to a record of the state directory.
    fn write(&self, fields: &mut FieldWriter);

    /// Reads the columns that [`Columns::write`] has written.
    ///
    /// # Errors
    /// Returns [`RecordError`] if a field is missing or malformed.
    fn read(fields: &Fields<'_>) -> Result<Self, RecordError>;
}

/// A set of columns of one table. The constants of each row type assign the bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnSet(u32);

impl ColumnSet {
    /// The set that contains no column.
    pub const NONE: Self = Self(0);

    /// Returns the set that contains only the column with this bit, 0 to 31.
    pub const fn of(bit: u32) -> Self {
        Self(1 << bit)
    }

    /// Returns the union of both sets.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns this set without the columns of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns true if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the two sets have a column in common.
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl BitOr for ColumnSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}
