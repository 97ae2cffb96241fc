//! Netlink: requests tables from the kernel and parses the responses.
//!
//! Requests and responses consist of native-endian headers and nested type-length-value attributes.
//! Unknown messages and attributes are skipped, so newer kernels cause no problem. An invalid
//! length ends the parsing of that message only.

mod message;
mod request;
mod socket;

pub(crate) use message::{Attributes, NetlinkMessage, u16_at, u32_at, u64_at};
pub(crate) use request::NetlinkRequest;
pub(crate) use socket::{Consistency, NetlinkFamily, NetlinkSocket, Received};
