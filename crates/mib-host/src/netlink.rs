//! Netlink: asking the kernel for a table and reading the answer.
//!
//! A request and its answer are native-endian headers and nested type-length-value attributes. Only what a collector
//! wants is looked at, everything else is stepped over, so a kernel newer than this program is no problem; a length
//! that does not fit ends the reading of that message, never more.

mod message;
mod request;
mod socket;

pub(crate) use message::{Attributes, NetlinkMessage, u16_at, u32_at, u64_at};
pub(crate) use request::NetlinkRequest;
pub(crate) use socket::{Consistency, NetlinkFamily, NetlinkSocket};
