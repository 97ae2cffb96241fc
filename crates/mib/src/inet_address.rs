//! Internet addresses in indexes (RFC 4001): an InetAddressType, followed by an InetAddress.
//!
//! The octets of an address are meaningless without its type, so the type is remembered until the
//! address is reached.

use std::net::{IpAddr, Ipv6Addr};

use crate::Object;

/// An IPv4 or IPv6 address, with the zone index of a zoned address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InetAddress {
    /// The address.
    pub ip: IpAddr,
    /// The zone of a non-global address.
    pub zone: Option<u32>,
}

/// A value of InetAddressType, except unknown(0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressType {
    /// ipv4(1), ipv6(2), ipv4z(3) or ipv6z(4).
    Ip { is_v6: bool, is_zoned: bool },
    /// dns(16).
    Dns,
}

impl AddressType {
    /// Returns the address type that a value of `object` denotes; `None` if the object is not an
    /// InetAddressType or the type is unknown.
    pub(crate) fn of(object: &Object, value: u32) -> Option<Self> {
        if !has_convention(object, "InetAddressType") {
            return None;
        }
        Some(match value {
            1 => Self::Ip { is_v6: false, is_zoned: false },
            2 => Self::Ip { is_v6: true, is_zoned: false },
            3 => Self::Ip { is_v6: false, is_zoned: true },
            4 => Self::Ip { is_v6: true, is_zoned: true },
            16 => Self::Dns,
            _ => return None,
        })
    }
}

impl InetAddress {
    /// Returns true if the values of `object` are Internet addresses.
    pub(crate) fn is_type_of(object: &Object) -> bool {
        has_convention(object, "InetAddress")
    }

    /// Decodes an address; `None` if the number of octets does not match the type.
    pub(crate) fn from_octets(kind: AddressType, octets: &[u8]) -> Option<Self> {
        let AddressType::Ip { is_v6, is_zoned } = kind else { return None };
        let (octets, zone) = match is_zoned {
            true => {
                let (octets, zone) = octets.split_last_chunk()?;
                (octets, Some(u32::from_be_bytes(*zone)))
            }
            false => (octets, None),
        };
        let ip = match is_v6 {
            true => IpAddr::from(<[u8; 16]>::try_from(octets).ok()?),
            false => IpAddr::from(<[u8; 4]>::try_from(octets).ok()?),
        };
        Some(Self { ip, zone })
    }

    /// Parses an address in the format of [`Self::net_snmp`] or in the usual one. A `%` and the
    /// number of the zone follow a zoned address.
    pub(crate) fn parse(kind: AddressType, text: &str) -> Option<Self> {
        let AddressType::Ip { is_v6, is_zoned } = kind else { return None };
        let (address, zone) = match text.split_once('%') {
            Some((address, zone)) => (address, Some(zone.parse().ok()?)),
            None => (text, None),
        };
        let ip = match is_v6 {
            true => address.parse().ok().or_else(|| sixteen_octets(address)).map(IpAddr::V6),
            false => address.parse().ok().map(IpAddr::V4),
        };
        Some(Self { ip: ip?, zone }).filter(|_| zone.is_some() == is_zoned)
    }

    /// Returns the octets of an InetAddress.
    pub(crate) fn octets(self) -> Vec<u8> {
        let mut octets = match self.ip {
            IpAddr::V4(ip) => ip.octets().to_vec(),
            IpAddr::V6(ip) => ip.octets().to_vec(),
        };
        octets.extend(self.zone.iter().flat_map(|zone| zone.to_be_bytes()));
        octets
    }

    /// Returns the address in Net-SNMP's format, which prints each octet of an IPv6 address.
    pub(crate) fn net_snmp(self) -> String {
        let octets = |ip: Ipv6Addr| ip.octets().map(|octet| format!("{octet:02x}")).join(":");
        let zone = self.zone.map_or_else(String::new, |zone| format!("%{zone}"));
        match self.ip {
            IpAddr::V4(ip) => format!("{ip}{zone}"),
            IpAddr::V6(ip) => octets(ip) + &zone,
        }
    }
}

/// Parses sixteen octets in hexadecimal, separated by colons.
fn sixteen_octets(text: &str) -> Option<Ipv6Addr> {
    let octet = |digits: &str| match digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        true => u8::from_str_radix(digits, 16).ok(),
        false => None,
    };
    let octets: Option<Vec<u8>> = text.split(':').map(octet).collect();
    Some(<[u8; 16]>::try_from(octets?).ok()?.into())
}

fn has_convention(object: &Object, name: &str) -> bool {
    let convention = object.syntax().and_then(|syntax| syntax.convention);
    convention.is_some_and(|convention| convention.name == name)
}
