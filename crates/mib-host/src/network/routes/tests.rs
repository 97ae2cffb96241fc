use std::net::IpAddr;

use super::*;

/// Encodes a netlink attribute with its padding.
fn attribute(kind: u16, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(4 + content.len()).unwrap();
    let mut octets = [length.to_ne_bytes(), kind.to_ne_bytes()].concat();
    octets.extend(content);
    octets.resize(octets.len().next_multiple_of(4), 0);
    octets
}

fn message(header: [u8; HEADER], attributes: &[Vec<u8>]) -> Vec<KernelRoute> {
    let payload = [&header[..], &attributes.concat()].concat();
    let mut hops = Vec::new();
    read(&payload, &mut |hop| hops.push(hop));
    // Truncated payloads must not cause a panic.
    for length in 0..payload.len() {
        read(&payload[..length], &mut |_| {});
    }
    hops
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn route_via_gateway_is_remote() {
    let interface = attribute(RTA_OIF, &4_u32.to_ne_bytes());
    let header = [AF_INET, 0, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0];
    let hops = message(header, &[attribute(RTA_GATEWAY, &[192, 0, 2, 1]), interface]);
    let hop = KernelRoute {
        destination: ip("0.0.0.0"),
        prefix: 0,
        next: ip("192.0.2.1"),
        interface: 4,
        kind: REMOTE,
        protocol: 3,
        metric: 0,
    };
    assert_eq!(hops, [hop]);
}

#[test]
fn multipath_route_has_one_row_per_next_hop() {
    let hop = |gateway: u8, interface: u32| {
        let gateway = attribute(RTA_GATEWAY, &[192, 0, 2, gateway]);
        let length = u16::try_from(8 + gateway.len()).unwrap();
        [&length.to_ne_bytes()[..], &[0, 0], &interface.to_ne_bytes(), &gateway].concat()
    };
    let header = [AF_INET, 8, 0, 0, 254, 186, 0, 1, 0, 0, 0, 0];
    let attributes = [
        attribute(RTA_DST, &[10, 0, 0, 0]),
        attribute(RTA_PRIORITY, &20_u32.to_ne_bytes()),
        attribute(RTA_MULTIPATH, &[hop(1, 4), hop(9, 5)].concat()),
    ];
    let hops = message(header, &attributes);
    let fields: Vec<_> = hops.iter().map(|hop| (hop.next, hop.interface, hop.metric, hop.protocol)).collect();
    assert_eq!(fields, [(ip("192.0.2.1"), 4, 20, 14), (ip("192.0.2.9"), 5, 20, 14)]);
}

#[test]
fn main_table_routes_including_prohibit_but_not_local_are_listed() {
    let destination = || attribute(RTA_DST, &[0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let header = |table, kind| [AF_INET6, 64, 0, 0, table, 2, 0, kind, 0, 0, 0, 0];
    assert_eq!(message(header(254, 1), &[destination()]).len(), 1);
    assert_eq!(message(header(255, 1), &[destination()]), []);
    assert_eq!(message(header(254, 2), &[destination()]), []);
    // A table number above 255 is in an attribute.
    let table = attribute(RTA_TABLE, &1000_u32.to_ne_bytes());
    assert_eq!(message(header(252, 1), &[destination(), table]), []);
    assert_eq!(message(header(254, 8), &[destination()])[0].kind, REJECT);
}
