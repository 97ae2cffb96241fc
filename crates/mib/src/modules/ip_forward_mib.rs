//! Routes of IPv4 and IPv6 (IP-FORWARD-MIB, RFC 4292), without the older tables that
//! inetCidrRouteTable replaces.

use super::{
    iana_rtproto_mib::IANA_IP_ROUTE_PROTOCOL,
    if_mib::INTERFACE_INDEX_OR_ZERO,
    inet_address_mib::{
        INET_ADDRESS, INET_ADDRESS_PREFIX_LENGTH, INET_ADDRESS_TYPE, INET_AUTONOMOUS_SYSTEM_NUMBER,
    },
    ip_mib::IP,
    snmpv2_tc::ROW_STATUS,
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::Number, Index},
};

/// Definitions of IP-FORWARD-MIB.
pub static MODULE: Module = Module {
    name: "IP-FORWARD-MIB",
    last_updated: "200602010000Z",
    reference: "RFC 4292",
    description: "Routes of IPv4 and IPv6.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// Routes of IPv4 and IPv6.
    IP_FORWARD = module_identity("ipForward", &IP, 24);
    /// The number of valid routes.
    INET_CIDR_ROUTE_NUMBER = scalar("inetCidrRouteNumber", &IP_FORWARD, 6, GAUGE32, ReadOnly);

    /// The routes of this system.
    INET_CIDR_ROUTE_TABLE = table("inetCidrRouteTable", &IP_FORWARD, 7);
    /// One route.
    INET_CIDR_ROUTE_ENTRY = row("inetCidrRouteEntry", &INET_CIDR_ROUTE_TABLE, Index::Objects(&[
        &INET_CIDR_ROUTE_DEST_TYPE, &INET_CIDR_ROUTE_DEST, &INET_CIDR_ROUTE_PFX_LEN, &INET_CIDR_ROUTE_POLICY,
        &INET_CIDR_ROUTE_NEXT_HOP_TYPE, &INET_CIDR_ROUTE_NEXT_HOP,
    ]));
    /// The address type of the destination.
    INET_CIDR_ROUTE_DEST_TYPE = column(
        "inetCidrRouteDestType", &INET_CIDR_ROUTE_ENTRY, 1, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The address of the destination network.
    INET_CIDR_ROUTE_DEST = column(
        "inetCidrRouteDest", &INET_CIDR_ROUTE_ENTRY, 2, tc(&INET_ADDRESS), NotAccessible);
    /// The prefix length of the destination network, in bits.
    INET_CIDR_ROUTE_PFX_LEN = column(
        "inetCidrRoutePfxLen", &INET_CIDR_ROUTE_ENTRY, 3, tc(&INET_ADDRESS_PREFIX_LENGTH), NotAccessible);
    /// Distinguishes routes to the same destination; zeroDotZero if there is no policy.
    INET_CIDR_ROUTE_POLICY = column(
        "inetCidrRoutePolicy", &INET_CIDR_ROUTE_ENTRY, 4, OBJECT_ID, NotAccessible);
    /// The address type of the next hop.
    INET_CIDR_ROUTE_NEXT_HOP_TYPE = column(
        "inetCidrRouteNextHopType", &INET_CIDR_ROUTE_ENTRY, 5, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The address of the next hop; all zeros or empty if the destination is directly reachable.
    INET_CIDR_ROUTE_NEXT_HOP = column(
        "inetCidrRouteNextHop", &INET_CIDR_ROUTE_ENTRY, 6, tc(&INET_ADDRESS), NotAccessible);
    /// The ifIndex of the outgoing interface.
    INET_CIDR_ROUTE_IF_INDEX = column(
        "inetCidrRouteIfIndex", &INET_CIDR_ROUTE_ENTRY, 7, tc(&INTERFACE_INDEX_OR_ZERO), ReadCreate);
    /// The type of the route: local if the destination is directly reachable, remote if it is
    /// reached via a next hop. Routes of the types reject and blackhole drop datagrams.
    INET_CIDR_ROUTE_TYPE = column("inetCidrRouteType", &INET_CIDR_ROUTE_ENTRY, 8, enumeration(&[
        ("other", 1), ("reject", 2), ("local", 3), ("remote", 4), ("blackhole", 5),
    ]), ReadCreate);
    /// The source of the route.
    INET_CIDR_ROUTE_PROTO = column(
        "inetCidrRouteProto", &INET_CIDR_ROUTE_ENTRY, 9, tc(&IANA_IP_ROUTE_PROTOCOL), ReadOnly);
    /// The time since the route was last changed or confirmed, in seconds.
    INET_CIDR_ROUTE_AGE = column("inetCidrRouteAge", &INET_CIDR_ROUTE_ENTRY, 10, GAUGE32, ReadOnly);
    /// The number of the next hop's autonomous system.
    INET_CIDR_ROUTE_NEXT_HOP_AS = column(
        "inetCidrRouteNextHopAS", &INET_CIDR_ROUTE_ENTRY, 11, tc(&INET_AUTONOMOUS_SYSTEM_NUMBER), ReadCreate)
        .default(Number(0));
    /// The primary metric of the route; -1 if it is not used.
    INET_CIDR_ROUTE_METRIC1 = column(
        "inetCidrRouteMetric1", &INET_CIDR_ROUTE_ENTRY, 12, INTEGER32, ReadCreate).default(Number(-1));
    /// An alternate metric of the route; -1 if it is not used.
    INET_CIDR_ROUTE_METRIC2 = column(
        "inetCidrRouteMetric2", &INET_CIDR_ROUTE_ENTRY, 13, INTEGER32, ReadCreate).default(Number(-1));
    /// An alternate metric of the route; -1 if it is not used.
    INET_CIDR_ROUTE_METRIC3 = column(
        "inetCidrRouteMetric3", &INET_CIDR_ROUTE_ENTRY, 14, INTEGER32, ReadCreate).default(Number(-1));
    /// An alternate metric of the route; -1 if it is not used.
    INET_CIDR_ROUTE_METRIC4 = column(
        "inetCidrRouteMetric4", &INET_CIDR_ROUTE_ENTRY, 15, INTEGER32, ReadCreate).default(Number(-1));
    /// An alternate metric of the route; -1 if it is not used.
    INET_CIDR_ROUTE_METRIC5 = column(
        "inetCidrRouteMetric5", &INET_CIDR_ROUTE_ENTRY, 16, INTEGER32, ReadCreate).default(Number(-1));
    /// The status of the row.
    INET_CIDR_ROUTE_STATUS = column(
        "inetCidrRouteStatus", &INET_CIDR_ROUTE_ENTRY, 17, tc(&ROW_STATUS), ReadCreate);

    /// Valid routes that were discarded, for example for lack of memory.
    INET_CIDR_ROUTE_DISCARDS = scalar("inetCidrRouteDiscards", &IP_FORWARD, 8, COUNTER32, ReadOnly);

    /// Conformance information of this module.
    IP_FORWARD_CONFORMANCE = node("ipForwardConformance", &IP_FORWARD, 5);
    /// Conformance groups.
    IP_FORWARD_GROUPS = node("ipForwardGroups", &IP_FORWARD_CONFORMANCE, 1);
    /// Objects of the routes.
    INET_FORWARD_CIDR_ROUTE_GROUP = group("inetForwardCidrRouteGroup", &IP_FORWARD_GROUPS, 4, &[
        &INET_CIDR_ROUTE_DISCARDS, &INET_CIDR_ROUTE_IF_INDEX, &INET_CIDR_ROUTE_TYPE, &INET_CIDR_ROUTE_PROTO,
        &INET_CIDR_ROUTE_AGE, &INET_CIDR_ROUTE_NEXT_HOP_AS, &INET_CIDR_ROUTE_METRIC1, &INET_CIDR_ROUTE_METRIC2,
        &INET_CIDR_ROUTE_METRIC3, &INET_CIDR_ROUTE_METRIC4, &INET_CIDR_ROUTE_METRIC5, &INET_CIDR_ROUTE_STATUS,
        &INET_CIDR_ROUTE_NUMBER,
    ]);
}
