//! Collectors that read this machine, and the objects that show what they found.
//!
//! A [`Collector`] reads one part of the machine on a thread of its own, when somebody wants to know, and publishes
//! what it read as a snapshot nobody changes any more. A [`SnapshotView`] is one worker's way to the newest snapshot: a
//! counter to compare in steady state, no lock, no allocation. The instrumentations answer from there; where the
//! snapshot is too old they say [`portreeve_mib::Lookup::Later`], and nobody else waits meanwhile.
//!
//! [`interfaces`] is read from netlink and shown as IF-MIB by [`IfMib`]; [`machine`] is read from `/proc` and shown
//! as HOST-RESOURCES-MIB and UCD-SNMP-MIB; [`network`] is read from both and shown as TCP-MIB, UDP-MIB, IP-MIB and
//! IP-FORWARD-MIB.

mod collector;
mod if_mib;
pub mod interfaces;
pub mod machine;
mod netlink;
pub mod network;
mod snapshot_objects;
mod system;
mod view;

pub use collector::{Collect, Collector, RefreshPolicy};
pub use if_mib::IfMib;
pub use system::{sys_descr, sys_name};
pub use view::{SnapshotError, SnapshotView};
