//! The definition of a datastore table, and the code shared by all tables.
//!
//! [`column`] defines the value and type of a column, and [`index`] encodes a row's key as the
//! index arcs of its instances. [`lookup`] finds rows, and [`edit`] creates, changes and destroys
//! them.

pub(crate) mod column;
pub(crate) mod edit;
pub(crate) mod index;
pub(crate) mod lookup;
pub(crate) mod value;

use portreeve_lcd::{Columns, Row, Tables};
use portreeve_mib::Object;
use portreeve_smi::{EngineId, Oid};

pub(crate) use column::Column;
pub(crate) use edit::{Assignment, Editable, SetContext};
pub(crate) use lookup::Readable;

/// A table: its columns and the rules for its rows.
pub(crate) struct Table<C: Columns> {
    /// The row object, whose INDEX clause determines the names of the instances.
    pub(crate) row: &'static Object,
    /// The columns. If one request sets several columns of a row, they take effect in this order.
    pub(crate) columns: &'static [Column<C>],
    /// Returns true if the columns of a complete row are consistent with each other.
    pub(crate) is_consistent: fn(&Row<C>) -> bool,
    /// Returns true if the configuration allows the row to be active.
    pub(crate) is_allowed: fn(&Row<C>, &Tables) -> bool,
}

/// Data of the local engine that columns need in addition to their row.
pub(crate) struct LocalEngineInfo {
    /// The value of snmpEngineID.
    pub(crate) engine_id: EngineId,
    /// The value usmNoAuthProtocol, for users without authentication.
    pub(crate) no_auth: Oid,
    /// The value usmNoPrivProtocol, for users without privacy.
    pub(crate) no_priv: Oid,
}
