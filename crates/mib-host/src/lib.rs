//! Collectors that read this machine, and the MIB objects that expose the data.
//!
//! A [`Collector`] reads one part of the machine on its own thread, when requests need it, and
//! publishes the data as an immutable snapshot. A [`SnapshotView`] gives one worker access to the
//! newest snapshot: in steady state it compares a counter, without locks or allocations. The
//! instrumentations read values from this snapshot. If the snapshot is too old, they return
//! [`portreeve_mib::Lookup::Later`], and the worker continues with other requests.
//!
//! [`interfaces`] is read from netlink and exposed as IF-MIB by [`IfMib`]. [`machine`] is read from
//! `/proc` and exposed as HOST-RESOURCES-MIB and UCD-SNMP-MIB. [`network`] is read from netlink and
//! `/proc`, and exposed as IP-MIB, IP-FORWARD-MIB and the scalars of TCP-MIB and UDP-MIB.
//! [`sockets`] is read from `/proc` and exposed as the tables of TCP-MIB and UDP-MIB.

mod collector;
mod if_mib;
pub mod interfaces;
pub mod machine;
mod netlink;
pub mod network;
mod proc_file;
mod snapshot_objects;
pub mod sockets;
mod system;
mod view;

pub use collector::{Collect, Collector, RefreshPolicy};
pub use if_mib::IfMib;
pub use system::{sys_descr, sys_name};
pub use view::{SnapshotError, SnapshotView};

/// The maximum number of rows of a table that is read from the kernel.
pub const MAX_ROWS: usize = 65_536;
