//! What a table of the configuration datastore is made of, said once for all tables.
//!
//! [`column`] says what a column shows and takes, [`index`] how a row's key becomes an instance's index arcs,
//! [`view`] finds rows, [`edit`] creates, changes and destroys them.

pub(crate) mod column;
pub(crate) mod edit;
pub(crate) mod index;
pub(crate) mod value;
pub(crate) mod view;

use portreeve_lcd::{Columns, Row};
use portreeve_mib::Object;
use portreeve_smi::{EngineId, Oid};

pub(crate) use column::Column;
pub(crate) use edit::{Assignment, Editable, SetContext};
pub(crate) use view::TableView;

/// A table: columns over rows of one kind.
pub(crate) struct Table<C: Columns> {
    /// The row whose INDEX clause names the instances.
    pub(crate) row: &'static Object,
    /// The columns. Where one request sets several of a row, they take effect in this order.
    pub(crate) columns: &'static [Column<C>],
    /// Whether the columns of a complete row go together.
    pub(crate) is_consistent: fn(&Row<C>) -> bool,
}

/// What columns show beside their row.
pub(crate) struct LocalEngineInfo {
    /// snmpEngineID.
    pub(crate) engine_id: EngineId,
    /// usmNoAuthProtocol.
    pub(crate) no_auth: Oid,
    /// usmNoPrivProtocol.
    pub(crate) no_priv: Oid,
}
