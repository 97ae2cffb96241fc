//! The network interfaces of this machine, for IF-MIB (RFC 2863).
//!
//! [`IfCollect`] queries the kernel and fills an [`IfSnapshot`]: the [`Interface`]s sorted by
//! ifIndex, and the interface stack. [`IfCollect`] also computes values that depend on the previous
//! snapshot, such as the times of changes. [`Collector`](crate::Collector) controls when the kernel
//! is queried.
//!
//! [`LinkEvents`] reports changes of ifOperStatus when the kernel announces them, for the linkUp
//! and linkDown notifications.
//!
//! # Stability of ifIndex
//! ifIndex is the kernel's interface index. It identifies an interface as long as the interface
//! exists, even if its name changes or this program restarts. The kernel assigns increasing
//! indexes: unless configured otherwise, it does not reuse the index of a removed interface before
//! all 2³¹ have been used. A reboot assigns new indexes; software that must recognize an interface
//! across reboots should use ifName or ifAlias.

mod changes;
mod collect;
mod events;
mod if_type;
mod interface;
mod kernel;
mod link;
#[cfg(test)]
pub(crate) mod scripted;
mod snapshot;
mod speed;
mod stack;

pub use changes::{LinkChange, LinkChanges};
pub use collect::{IfCollect, LinkSource};
pub use events::LinkEvents;
pub use interface::Interface;
pub use kernel::KernelLinkSource;
pub use link::{Counters, Link, LinkKind, OperStatus};
pub use snapshot::{IfSnapshot, Links};
pub use stack::StackEntry;
