//! Routes, requested from the kernel, and exposed as inetCidrRouteTable (RFC 4292).
//!
//! If the destination is directly reachable, the next hop is not empty but an all-zero address of
//! the same type, as in Net-SNMP's agent. Managers expect as many octets as in the destination.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use portreeve_mib::{Object, modules::ip_forward_mib::*};
use portreeve_smi::Value::{Gauge32, Integer};

use super::Network;
use crate::{
    MAX_ROWS,
    netlink::{Attributes, NetlinkRequest, u16_at, u32_at},
    snapshot_objects::{
        TableRows,
        ValueSource::{self, Column, Scalar},
    },
    sockets::push_address,
};

/// A row of inetCidrRouteTable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The index of the row. inetCidrRoutePolicy is zeroDotZero with the interface appended,
    /// because several interfaces may lead to the same network.
    pub index: Box<[u32]>,
    /// The route from which the row was built.
    pub kernel_route: KernelRoute,
}

/// One route of the kernel to one next hop. A multipath route yields several of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelRoute {
    /// The destination network.
    pub destination: IpAddr,
    /// The prefix length of the destination.
    pub prefix: u8,
    /// The address of the next hop; all zeros if the destination is directly reachable.
    pub next: IpAddr,
    /// The ifIndex of the interface; 0 if there is none.
    pub interface: u32,
    /// The value of inetCidrRouteType.
    pub kind: i32,
    /// The value of inetCidrRouteProto.
    pub protocol: i32,
    /// The metric. Of several routes to a destination, the kernel uses the one with the lowest
    /// metric.
    pub metric: u32,
}

impl From<KernelRoute> for Route {
    fn from(hop: KernelRoute) -> Self {
        let mut index = Vec::with_capacity(42);
        push_address(&mut index, hop.destination);
        index.extend([u32::from(hop.prefix), 3, 0, 0, hop.interface]);
        push_address(&mut index, hop.next);
        Self { index: index.into(), kernel_route: hop }
    }
}

/// Sorts the rows. If several routes differ only in their metric, keeps the one with the lowest
/// metric.
pub(super) fn arrange(routes: &mut Vec<Route>) {
    routes.sort_unstable_by(|one, other| {
        (&one.index, one.kernel_route.metric).cmp(&(&other.index, other.kernel_route.metric))
    });
    routes.dedup_by(|later, earlier| later.index == earlier.index);
    routes.truncate(MAX_ROWS);
}

/// Returns the requests for all IPv4 routes and all IPv6 routes.
pub(super) fn requests() -> [NetlinkRequest; 2] {
    [AF_INET, AF_INET6].map(|family| {
        let mut header = [0; HEADER];
        header[0] = family;
        NetlinkRequest::dump(RTM_GETROUTE, &header)
    })
}

/// Parses `struct rtmsg` and its attributes. Calls `each` for each next hop if the route is in the
/// main table.
pub(super) fn read(payload: &[u8], each: &mut dyn FnMut(KernelRoute)) {
    let Some(&[family, prefix, _, _, table, protocol, _, kind, _, _, _, _]) = payload.first_chunk::<HEADER>()
    else {
        return;
    };
    let unspecified = match family {
        AF_INET => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        AF_INET6 => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        _ => return,
    };
    let Some(kind) = route_type(kind) else { return };
    let mut hop = KernelRoute {
        destination: unspecified,
        prefix,
        next: unspecified,
        interface: 0,
        kind,
        protocol: protocol_number(protocol),
        metric: 0,
    };
    let (mut table, mut multipath) = (u32::from(table), None);
    for (attribute, content) in Attributes(payload.get(HEADER..).unwrap_or_default()) {
        match attribute {
            RTA_TABLE => table = u32_at(content, 0).unwrap_or(table),
            RTA_DST => hop.destination = address(content).unwrap_or(unspecified),
            RTA_GATEWAY => hop = hop.with_gateway(content),
            RTA_OIF => hop.interface = u32_at(content, 0).unwrap_or_default(),
            RTA_PRIORITY => hop.metric = u32_at(content, 0).unwrap_or_default(),
            RTA_MULTIPATH => multipath = Some(content),
            _ => {}
        }
    }
    if table != RT_TABLE_MAIN {
        return;
    }
    let Some(mut hops) = multipath else { return each(hop) };
    // `struct rtnexthop` contains the length, flags, a weight and the interface; attributes follow.
    while let (Some(length), Some(interface)) = (u16_at(hops, 0), u32_at(hops, 4)) {
        let length = usize::from(length);
        let Some(attributes) = hops.get(8..length) else { return };
        let gateway = Attributes(attributes).find(|(attribute, _)| *attribute == RTA_GATEWAY);
        let hop = KernelRoute { interface, ..hop };
        each(gateway.map_or(hop, |(_, content)| hop.with_gateway(content)));
        hops = hops.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
}

impl KernelRoute {
    fn with_gateway(self, gateway: &[u8]) -> Self {
        match address(gateway) {
            Some(next) => Self { next, kind: if self.kind == LOCAL { REMOTE } else { self.kind }, ..self },
            None => self,
        }
    }
}

fn address(octets: &[u8]) -> Option<IpAddr> {
    match octets.len() {
        4 => octets.first_chunk::<4>().map(|octets| Ipv4Addr::from(*octets).into()),
        16 => octets.first_chunk::<16>().map(|octets| Ipv6Addr::from(*octets).into()),
        _ => None,
    }
}

/// Returns the inetCidrRouteType of a kernel route before its next hop is known. Returns `None` for
/// routes that the table does not contain, such as those to this machine's own addresses.
fn route_type(number: u8) -> Option<i32> {
    match number {
        1 => Some(LOCAL),
        6 => Some(BLACKHOLE),
        7 | 8 => Some(REJECT),
        _ => None,
    }
}

/// Returns the inetCidrRouteProto of a kernel route.
fn protocol_number(number: u8) -> i32 {
    match number {
        // The route was installed by an ICMP redirect.
        1 => 4,
        // The kernel created the route for an address of this machine.
        2 => 2,
        // The route is static: it was configured at boot or by an administrator.
        3 | 4 => 3,
        186 => 14,
        187 => 9,
        188 => 13,
        189 => 8,
        192 => 16,
        _ => 1,
    }
}

static ROUTES: TableRows<Network> = TableRows {
    count: |network| network.routes.len(),
    index: |network, row| network.routes.get(row).map_or(&[], |route| &route.index),
};

pub(super) static LEAVES: &[(&Object, ValueSource<Network>)] = &[
    (&INET_CIDR_ROUTE_NUMBER, Scalar(|network| Some(Gauge32(network.routes.len().try_into().ok()?)))),
    (
        &INET_CIDR_ROUTE_IF_INDEX,
        Column(&ROUTES, |network, row| Some(Integer(hop(network, row)?.interface.cast_signed()))),
    ),
    (&INET_CIDR_ROUTE_TYPE, Column(&ROUTES, |network, row| Some(Integer(hop(network, row)?.kind)))),
    (&INET_CIDR_ROUTE_PROTO, Column(&ROUTES, |network, row| Some(Integer(hop(network, row)?.protocol)))),
    // The kernel does not report these values.
    (&INET_CIDR_ROUTE_AGE, Column(&ROUTES, |_, _| Some(Gauge32(0)))),
    (&INET_CIDR_ROUTE_NEXT_HOP_AS, Column(&ROUTES, |_, _| Some(Gauge32(0)))),
    (
        &INET_CIDR_ROUTE_METRIC1,
        Column(&ROUTES, |network, row| {
            let metric = hop(network, row)?.metric;
            Some(Integer(i32::try_from(metric).unwrap_or(i32::MAX)))
        }),
    ),
    (&INET_CIDR_ROUTE_METRIC2, Column(&ROUTES, |_, _| Some(Integer(UNUSED)))),
    (&INET_CIDR_ROUTE_METRIC3, Column(&ROUTES, |_, _| Some(Integer(UNUSED)))),
    (&INET_CIDR_ROUTE_METRIC4, Column(&ROUTES, |_, _| Some(Integer(UNUSED)))),
    (&INET_CIDR_ROUTE_METRIC5, Column(&ROUTES, |_, _| Some(Integer(UNUSED)))),
    (&INET_CIDR_ROUTE_STATUS, Column(&ROUTES, |_, _| Some(Integer(ACTIVE)))),
];

fn hop(network: &Network, row: usize) -> Option<&KernelRoute> {
    network.routes.get(row).map(|route| &route.kernel_route)
}

const RTM_GETROUTE: u16 = 26;
/// The size of `struct rtmsg` in bytes.
const HEADER: usize = 12;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const RT_TABLE_MAIN: u32 = 254;
const RTA_DST: u16 = 1;
const RTA_OIF: u16 = 4;
const RTA_GATEWAY: u16 = 5;
const RTA_PRIORITY: u16 = 6;
const RTA_MULTIPATH: u16 = 9;
const RTA_TABLE: u16 = 15;

/// The value reject(2) of inetCidrRouteType.
const REJECT: i32 = 2;
const LOCAL: i32 = 3;
const REMOTE: i32 = 4;
const BLACKHOLE: i32 = 5;
/// The value of a metric that is not used.
const UNUSED: i32 = -1;
/// The value `active` of RowStatus.
const ACTIVE: i32 = 1;

#[cfg(test)]
mod tests;
