//! The sources of routes (IANA-RTPROTO-MIB).

use super::snmpv2_smi::MIB_2;
use crate::{Module, define::*};

/// Definitions of IANA-RTPROTO-MIB.
pub static MODULE: Module = Module {
    name: "IANA-RTPROTO-MIB",
    last_updated: "200009260000Z",
    reference: "IANA, per RFC 2932",
    description: "The sources of routes.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// The source of a route.
    IANA_IP_ROUTE_PROTOCOL = convention("IANAipRouteProtocol", enumeration(&[
        ("other", 1), ("local", 2), ("netmgmt", 3), ("icmp", 4), ("egp", 5), ("ggp", 6), ("hello", 7), ("rip", 8),
        ("isIs", 9), ("esIs", 10), ("ciscoIgrp", 11), ("bbnSpfIgp", 12), ("ospf", 13), ("bgp", 14), ("idpr", 15),
        ("ciscoEigrp", 16), ("dvmrp", 17),
    ]));
}

objects! {
    /// The sources of routes.
    IANA_RT_PROTO_MIB = module_identity("ianaRtProtoMIB", &MIB_2, 84);
}
