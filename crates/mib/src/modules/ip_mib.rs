//! Datagrams of the Internet Protocol (IP-MIB, RFC 4293): of its scalars, those that the command asks for.

use super::snmpv2_smi::MIB_2;
use crate::{Module, define::*};

/// Definitions of IP-MIB.
pub static MODULE: Module = Module {
    name: "IP-MIB",
    last_updated: "200602020000Z",
    reference: "RFC 4293",
    description: "The Internet Protocol.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// The Internet Protocol.
    IP_MIB = module_identity("ipMIB", &MIB_2, 48);
    /// Objects of this module.
    IP = node("ip", &MIB_2, 4);
    /// IPv4 datagrams received, those with errors included.
    IP_IN_RECEIVES = scalar("ipInReceives", &IP, 3, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams that this system's own protocols handed over to be sent.
    IP_OUT_REQUESTS = scalar("ipOutRequests", &IP, 10, COUNTER32, ReadOnly).deprecated();

    /// Conformance to this module.
    IP_MIB_CONFORMANCE = node("ipMIBConformance", &IP_MIB, 2);
    /// Units of conformance.
    IP_MIB_GROUPS = node("ipMIBGroups", &IP_MIB_CONFORMANCE, 2);
    /// Counters of IPv4.
    IP_GROUP = group("ipGroup", &IP_MIB_GROUPS, 1, &[&IP_IN_RECEIVES, &IP_OUT_REQUESTS]).deprecated();
}
