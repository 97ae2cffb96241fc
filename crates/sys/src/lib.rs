//! All unsafe code of the project: system and library calls that std and `socket2` do not cover.
//!
//! - [`DatagramBatch`] receives and answers up to [`BATCH_SIZE`] datagrams with two system calls.
//!   It reports the local address and interface of each datagram, so that the reply can be sent
//!   from there.
//! - [`SendBatch`] sends up to [`BATCH_SIZE`] datagrams to different peers with one system call.
//! - [`enable_local_address`] makes the kernel report local addresses.
//! - [`raise_descriptor_limit`] allows more open sessions, and [`release_free_memory`] returns
//!   freed memory to the system.
//! - [`close_inherited_descriptors`] closes what a parent process has left open.
//! - [`find_own_file`] finds the programs and files of the same build or installation.
//! - [`open_file`] opens regular files only, so that it never waits.
//! - [`pin_to_core`], [`set_realtime_priority`] and [`clear_realtime_priority`] reduce scheduling
//!   noise in measurements.
//! - [`create_network_namespace`], [`create_tap`], [`disable_offloads`], [`PacketSocket`] and
//!   [`kill_with_parent`] are for measurements in networks that a program creates for itself.
//! - [`LocalTime`] is the local time of day, and [`process_cpu_time`] the CPU time of a process.
//! - `openssl` (a feature) contains the DTLS calls that the `openssl` crate lacks.
//! - `pam` (a feature) is the application side of the PAM library.
//! - [`host_name`] and [`service_name`] look up names of addresses and ports; [`account_id`],
//!   [`account_name`], [`group_id`] and [`effective_uid`] look up accounts and groups.
//!
//! All public functions are safe to call. This crate contains no SNMP code.

mod accounts;
mod address;
#[cfg(feature = "count-allocations")]
mod allocations;
mod batch;
mod children;
mod control;
mod cpu_time;
mod descriptors;
mod files;
mod freed_memory;
mod installation;
mod interface_request;
mod local_time;
mod memory;
mod names;
mod network_namespace;
mod offloads;
#[cfg(feature = "openssl")]
pub mod openssl;
mod packet_socket;
#[cfg(feature = "pam")]
pub mod pam;
mod scheduling;
mod send_batch;
mod socket;
mod tap;

pub use accounts::{account_id, account_name, effective_uid, group_id};
#[cfg(feature = "count-allocations")]
pub use allocations::CountingAllocator;
pub use batch::{BATCH_SIZE, DatagramBatch, FlushResult, ReceivedDatagram, SMALL_BATCH};
pub use children::kill_with_parent;
pub use control::LocalAddress;
pub use cpu_time::process_cpu_time;
pub use descriptors::{close_inherited_descriptors, raise_descriptor_limit};
pub use files::open_file;
pub use freed_memory::SearchingAllocator;
pub use installation::find_own_file;
pub use local_time::LocalTime;
pub use memory::release_free_memory;
pub use names::{host_name, service_name};
pub use network_namespace::create_network_namespace;
pub use offloads::{disable_offloads, enabled_offloads};
pub use packet_socket::{PacketSocket, PacketStatistics, ReceivedFrame};
pub use scheduling::{clear_realtime_priority, pin_to_core, set_realtime_priority};
pub use send_batch::SendBatch;
pub use socket::{Endpoint, enable_local_address, send_to};
pub use tap::create_tap;
