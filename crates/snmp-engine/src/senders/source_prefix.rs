//! Prefixes of source addresses.

use std::net::IpAddr;

use portreeve_smi::TransportAddress;

/// A range of IP addresses with a common prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePrefix {
    address: IpAddr,
    length: u8,
}

impl SourcePrefix {
    /// Creates the range of the addresses that are equal to `address` in the first `length` bits;
    /// `None` if the address has fewer bits.
    pub fn new(address: IpAddr, length: u8) -> Option<Self> {
        let bits = if address.is_ipv4() { 32 } else { 128 };
        (length <= bits).then_some(Self { address, length })
    }

    /// Returns whether the range contains `address`. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(range), IpAddr::V4(address)) => {
                let differing = u32::from(range) ^ u32::from(address);
                differing.checked_shr(32 - u32::from(self.length)).unwrap_or(0) == 0
            }
            (IpAddr::V6(range), IpAddr::V6(address)) => {
                let differing = u128::from(range) ^ u128::from(address);
                differing.checked_shr(128 - u32::from(self.length)).unwrap_or(0) == 0
            }
            _ => false,
        }
    }

    /// Returns whether one of `prefixes` contains the source of a message. An empty list contains
    /// every source, including local peers without an IP address.
    pub fn any_contains(prefixes: &[Self], source: TransportAddress) -> bool {
        let contains = |address: IpAddr| prefixes.iter().any(|prefix| prefix.contains(address));
        match source {
            _ if prefixes.is_empty() => true,
            TransportAddress::Ip(address) => contains(address.ip()),
            TransportAddress::Local { .. } => false,
        }
    }
}
