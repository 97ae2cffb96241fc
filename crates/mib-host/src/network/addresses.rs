//! IPv4 addresses, requested from the kernel.

use std::net::Ipv4Addr;

use crate::netlink::{Attributes, NetlinkRequest, u32_at};

/// An IPv4 address of this machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InterfaceAddress {
    /// The index of the row: the octets of the address.
    pub index: [u32; 4],
    /// The octets of the address.
    pub octets: [u8; 4],
    /// The ifIndex of the interface.
    pub interface: u32,
    /// The network mask of the address.
    pub mask: [u8; 4],
    /// True if the network of the address has a broadcast address. Its host bits are all ones.
    pub broadcasts: bool,
}

impl InterfaceAddress {
    pub(super) fn new(octets: [u8; 4], interface: u32, prefix: u8, broadcasts: bool) -> Self {
        let mask = u32::MAX.checked_shl(32 - u32::from(prefix.min(32))).unwrap_or_default().to_be_bytes();
        Self { index: octets.map(u32::from), octets, interface, mask, broadcasts }
    }
}

/// Returns the request for all addresses.
pub(super) fn request() -> NetlinkRequest {
    NetlinkRequest::dump(RTM_GETADDR, &[AF_INET, 0, 0, 0, 0, 0, 0, 0])
}

/// Parses `struct ifaddrmsg` and its attributes.
pub(super) fn read(payload: &[u8]) -> Option<InterfaceAddress> {
    let (&family, &prefix) = (payload.first()?, payload.get(1)?);
    let interface = u32_at(payload, 4)?;
    if family != AF_INET {
        return None;
    }
    let mut address = None;
    let mut local = None;
    let mut broadcasts = false;
    for (kind, content) in Attributes(payload.get(8..)?) {
        let octets = content.first_chunk::<4>().copied();
        match kind {
            IFA_ADDRESS => address = octets,
            IFA_LOCAL => local = octets,
            IFA_BROADCAST => {
                broadcasts = octets.is_some_and(|octets| !Ipv4Addr::from(octets).is_unspecified())
            }
            _ => {}
        }
    }
    // On a point-to-point link, `IFA_ADDRESS` is the address of the peer, so `IFA_LOCAL` takes
    // precedence.
    Some(InterfaceAddress::new(local.or(address)?, interface, prefix, broadcasts))
}

const RTM_GETADDR: u16 = 22;
const AF_INET: u8 = 2;
const IFA_ADDRESS: u16 = 1;
const IFA_LOCAL: u16 = 2;
const IFA_BROADCAST: u16 = 4;
