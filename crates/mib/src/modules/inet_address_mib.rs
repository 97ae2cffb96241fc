//! Conventions for Internet addresses (INET-ADDRESS-MIB, RFC 4001).
//!
//! An address is a pair of objects: its type, and its octets in network byte order. In an index the
//! octets are preceded by their number.

use super::snmpv2_smi::MIB_2;
use crate::{Module, define::*};

/// Definitions of INET-ADDRESS-MIB.
pub static MODULE: Module = Module {
    name: "INET-ADDRESS-MIB",
    last_updated: "200502040000Z",
    reference: "RFC 4001",
    description: "Conventions for Internet addresses.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// The type of an address.
    INET_ADDRESS_TYPE = convention("InetAddressType", enumeration(&[
        ("unknown", 0), ("ipv4", 1), ("ipv6", 2), ("ipv4z", 3), ("ipv6z", 4), ("dns", 16),
    ]));
    /// An address of any type; another object contains the type.
    INET_ADDRESS = convention("InetAddress", OCTETS.limited(&[(0, 255)]));
    /// An IPv4 address.
    INET_ADDRESS_IPV4 = convention("InetAddressIPv4", OCTETS.limited(&[(4, 4)])).hint("1d.1d.1d.1d");
    /// An IPv6 address.
    INET_ADDRESS_IPV6 = convention("InetAddressIPv6", OCTETS.limited(&[(16, 16)]))
        .hint("2x:2x:2x:2x:2x:2x:2x:2x");
    /// The length of the network prefix of an address, in bits.
    INET_ADDRESS_PREFIX_LENGTH = convention("InetAddressPrefixLength", UNSIGNED32.limited(&[(0, 2040)])).hint("d");
    /// A port number of TCP, UDP or another transport.
    INET_PORT_NUMBER = convention("InetPortNumber", UNSIGNED32.limited(&[(0, 65535)])).hint("d");
    /// An autonomous system number; 0 if unknown.
    INET_AUTONOMOUS_SYSTEM_NUMBER = convention("InetAutonomousSystemNumber", UNSIGNED32).hint("d");
    /// A version of the Internet Protocol.
    INET_VERSION = convention("InetVersion", enumeration(&[("unknown", 0), ("ipv4", 1), ("ipv6", 2)]));
}

objects! {
    /// Conventions for Internet addresses.
    INET_ADDRESS_MIB = module_identity("inetAddressMIB", &MIB_2, 76);
}
