//! The machine's network interfaces, as IF-MIB sees them (RFC 2863).
//!
//! [`IfCollect`] asks the kernel and fills an [`IfSnapshot`]: the [`Interface`]s in order of ifIndex and how they are
//! stacked. What stays from one snapshot to the next (when something last changed) is worked out here too; who may
//! wait for whom is [`Collector`](crate::Collector)'s business.
//!
//! # What ifIndex promises
//! ifIndex is the kernel's interface index. It belongs to one interface as long as that exists, whatever its name,
//! and across restarts of this program. The kernel counts up: unless told to, it does not give a removed interface's
//! index to a new one before it has been through all 2³¹. A reboot numbers anew; software that must recognise an
//! interface across reboots goes by ifName or ifAlias.

mod collect;
mod if_type;
mod interface;
mod kernel;
mod link;
#[cfg(test)]
pub(crate) mod scripted;
mod snapshot;
mod speed;
mod stack;

pub use collect::{IfCollect, LinkSource};
pub use interface::Interface;
pub use kernel::KernelLinkSource;
pub use link::{Counters, Link, LinkKind, OperStatus};
pub use snapshot::{IfSnapshot, Links};
pub use stack::StackEntry;
