//! What every row of every table has: its index, its columns, and its state.

use std::{
    ops::{BitOr, Deref},
    sync::Arc,
};

use crate::{
    RowStatus, StorageType, Table, Tables,
    durable::{FieldWriter, Fields, RecordError, RowKey},
};

/// Octets of a name, a tag or another short text; cloning shares them.
pub type Name = Arc<[u8]>;

/// One conceptual row. Its columns can be read through it.
#[derive(Clone)]
pub struct Row<C: Columns> {
    /// The index.
    pub key: C::Key,
    /// The accessible columns but status and storage type.
    pub columns: C,
    /// Where the row is kept.
    pub storage: StorageType,
    /// Whether the row is in use.
    pub status: RowStatus,
    /// Columns that have no default and have not been set yet; what `columns` holds in their place means nothing.
    /// Empty in every active row.
    pub missing: ColumnSet,
}

impl<C: Columns> Row<C> {
    /// A row as createAndWait makes it: defaults, the columns without one missing, nonVolatile.
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

    /// The row complete and in use. The caller vouches that every column has been given.
    pub fn into_active(mut self, storage: StorageType) -> Self {
        self.storage = storage;
        self.status = RowStatus::Active;
        self.missing = ColumnSet::NONE;
        self
    }

    /// Whether a SET may change the row at all.
    pub fn is_writable(&self) -> bool {
        self.storage != StorageType::ReadOnly
    }

    /// Whether the row is in use.
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
    /// The table's index.
    type Key: RowKey;

    /// What durable keys of this table begin with, such as `vacm/group`.
    const KIND: &'static str;

    /// The columns without a default.
    const REQUIRED: ColumnSet;

    /// The columns of a new row: the MIB's DEFVALs, and placeholders in [`Columns::REQUIRED`].
    fn defaults(key: &Self::Key) -> Self;

    /// This kind's table.
    fn table(tables: &Tables) -> &Table<Self>;

    /// This kind's table, to be changed.
    fn table_mut(tables: &mut Tables) -> &mut Table<Self>;

    /// Writes the columns for the state directory.
    fn write(&self, fields: &mut FieldWriter);

    /// Reads what [`Columns::write`] has written.
    fn read(fields: &Fields<'_>) -> Result<Self, RecordError>;
}

/// Some columns of one table. Which bit means which column is said beside each table's columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnSet(u32);

impl ColumnSet {
    /// No column.
    pub const NONE: Self = Self(0);

    /// The set of just the column with this bit, 0 to 31.
    pub const fn of(bit: u32) -> Self {
        Self(1 << bit)
    }

    /// Both sets.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set but for the columns of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether no column is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets have a column in common.
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
