//! All unsafe code of the project: the system calls that std and `socket2` do not reach.
//!
//! - [`Batch`] receives and answers up to [`BATCH`] datagrams with two system calls, and knows for each datagram
//!   the address and interface it was sent to, so that the answer leaves from there.
//! - [`Departures`] sends up to as many to different peers with one.
//! - [`enable_local_address`] asks the kernel for that knowledge.
//! - [`raise_descriptor_limit`] makes room for many sessions, and [`release_free_memory`] gives back what they needed.
//! - [`pin_to_core`] and [`try_realtime`] hold a thread still for a measurement.
//! - [`LocalTime`] is the time of day.
//! - `openssl` (a feature) has the calls that OpenSSL's bindings lack for DTLS.
//! - `pam` (a feature) is the PAM library's application side.
//! - [`host_name`] and [`service_name`] are what an address and a port are called; [`account_name`], [`group_number`]
//!   and [`effective_user`] the same of accounts and groups.
//!
//! Everything public is safe to call. Nothing here knows SNMP.

mod accounts;
mod address;
#[cfg(feature = "count-allocations")]
mod allocations;
mod batch;
mod control;
mod departures;
mod descriptors;
mod local_time;
mod memory;
mod names;
#[cfg(feature = "openssl")]
pub mod openssl;
#[cfg(feature = "pam")]
pub mod pam;
mod scheduling;
mod socket;

pub use accounts::{account_name, effective_user, group_number};
#[cfg(feature = "count-allocations")]
pub use allocations::CountingAllocator;
pub use batch::{BATCH, Batch, FEW, Flushed, Received};
pub use control::LocalAddress;
pub use departures::Departures;
pub use descriptors::raise_descriptor_limit;
pub use local_time::LocalTime;
pub use memory::release_free_memory;
pub use names::{host_name, service_name};
pub use scheduling::{pin_to_core, try_realtime};
pub use socket::{Endpoint, enable_local_address, send_to};
