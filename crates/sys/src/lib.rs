//! All unsafe code of the project: the system calls that std and `socket2` do not reach.
//!
//! - [`DatagramBatch`] receives and answers up to [`BATCH_SIZE`] datagrams with two system calls, and knows for each datagram
//!   the address and interface it was sent to, so that the answer leaves from there.
//! - [`SendBatch`] sends up to as many to different peers with one.
//! - [`enable_local_address`] asks the kernel for that knowledge.
//! - [`raise_descriptor_limit`] makes room for many sessions, and [`release_free_memory`] gives back what they needed.
//! - [`pin_to_core`] and [`set_realtime_priority`] hold a thread still for a measurement.
//! - [`LocalTime`] is the time of day.
//! - `openssl` (a feature) has the calls that OpenSSL's bindings lack for DTLS.
//! - `pam` (a feature) is the PAM library's application side.
//! - [`host_name`] and [`service_name`] are what an address and a port are called; [`account_name`], [`group_id`]
//!   and [`effective_uid`] the same of accounts and groups.
//!
//! Everything public is safe to call. Nothing here knows SNMP.

mod accounts;
mod address;
#[cfg(feature = "count-allocations")]
mod allocations;
mod batch;
mod control;
mod descriptors;
mod local_time;
mod memory;
mod names;
#[cfg(feature = "openssl")]
pub mod openssl;
#[cfg(feature = "pam")]
pub mod pam;
mod scheduling;
mod send_batch;
mod socket;

pub use accounts::{account_name, effective_uid, group_id};
#[cfg(feature = "count-allocations")]
pub use allocations::CountingAllocator;
pub use batch::{BATCH_SIZE, DatagramBatch, FlushResult, ReceivedDatagram, SMALL_BATCH};
pub use control::LocalAddress;
pub use descriptors::raise_descriptor_limit;
pub use local_time::LocalTime;
pub use memory::release_free_memory;
pub use names::{host_name, service_name};
pub use scheduling::{pin_to_core, set_realtime_priority};
pub use send_batch::SendBatch;
pub use socket::{Endpoint, enable_local_address, send_to};
