use std::{fmt::Write as _, time::Duration};

use portreeve_mib::{
    Found, Object, Served, Token,
    modules::{ip_forward_mib::*, ip_mib::*, tcp_mib::*, udp_mib::*},
};
use portreeve_smi::{OwnedValue, Timestamp};

use super::{recorded::Recorded, *};
use crate::{Collect, Refresh};

fn read(source: Recorded) -> Network {
    let mut next = Network::default();
    NetworkCollect::new(source).collect(Timestamp::ZERO, &Network::default(), &mut next).unwrap();
    next
}

fn served(source: Recorded) -> Served {
    let refresh = Refresh { max_age: Duration::from_secs(1), token: Token(1) };
    let collect = NetworkCollect::new(source);
    let collector = Collector::start(collect, refresh, || Timestamp::ZERO, |_, _| {}).unwrap();
    Served::new(instrumentations(&collector)).unwrap()
}

fn value(object: &Object, index: &[u32]) -> Option<OwnedValue> {
    let mut name = object.oid();
    name.extend(index).unwrap();
    match served(Recorded::default()).get(&name) {
        Found::Value(value) => Some(value.into()),
        Found::NoSuchInstance => None,
        other => panic!("{other:?}"),
    }
}

fn indexes(sockets: &[Socket]) -> Vec<&[u32]> {
    sockets.iter().map(|socket| &*socket.index).collect()
}

#[test]
fn sockets_stand_in_order_each_once() {
    let network = read(Recorded::default());
    let own = [1, 4, 192, 0, 2, 2];
    let there = [1, 4, 203, 0, 113, 80, 443];
    let connection = |port: u32| [&own[..], &[port], &there].concat();
    let (first, second) = (connection(36_766), connection(36_767));
    let over_ipv4 = [1, 4, 127, 0, 0, 1, 22, 1, 4, 127, 0, 0, 1, 54_321];
    assert_eq!(indexes(&network.tcp_connections), [&over_ipv4[..], &first, &second]);
    let states: Vec<_> = network.tcp_connections.iter().map(|socket| socket.state).collect();
    assert_eq!(states, [5, 5, 11]);
    // Two sockets at one address are one listener.
    let any_ipv6 = [2, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 22];
    assert_eq!(indexes(&network.tcp_listeners), [&[1, 4, 127, 0, 0, 1, 2024][..], &any_ipv6]);
    assert_eq!(network.tcp_of_ipv4.len(), 4);
    assert_eq!(&*network.tcp_of_ipv4[1].index, [127, 0, 0, 1, 2024, 0, 0, 0, 0, 0]);
}

#[test]
fn endpoints_at_one_address_are_told_apart_by_their_instance() {
    let network = read(Recorded::default());
    let any = [1, 4, 0, 0, 0, 0, 161, 1, 4, 0, 0, 0, 0, 0];
    let (first, second) = ([&any[..], &[501]].concat(), [&any[..], &[502]].concat());
    let connected = [1, 4, 127, 0, 0, 1, 55_540, 1, 4, 127, 0, 0, 1, 161, 503];
    assert_eq!(indexes(&network.udp_endpoints), [&first[..], &second, &connected]);
    assert_eq!(indexes(&network.udp_of_ipv4), [&[0, 0, 0, 0, 161][..], &[127, 0, 0, 1, 55_540]]);
}

#[test]
fn no_number_of_connections_makes_a_table_larger_than_its_bound() {
    let mut tcp = recorded::TCP.lines().next().unwrap().to_owned() + "\n";
    for number in 0..MAX_ROWS + 10 {
        let address = 0x0a00_0000 + number;
        writeln!(tcp, " 1: {address:08X}:0001 0100007F:0001 01 0:0 0:0 0 0 0 {number} 1 0").unwrap();
    }
    let network = read(Recorded { tcp, ..Recorded::default() });
    assert_eq!((network.tcp_connections.len(), network.tcp_of_ipv4.len()), (MAX_ROWS, MAX_ROWS));
}

#[test]
fn counters_are_shown_in_the_size_of_their_objects() {
    let counter = |number| Some(OwnedValue::Counter32(number));
    let integer = |number| Some(OwnedValue::Integer(number));
    assert_eq!(value(&TCP_RTO_MAX, &[0]), integer(120_000));
    assert_eq!(value(&TCP_MAX_CONN, &[0]), integer(-1));
    assert_eq!(value(&TCP_IN_SEGS, &[0]), counter(1_828_719_408));
    assert_eq!(value(&TCP_HC_IN_SEGS, &[0]), Some(OwnedValue::Counter64(10_418_654_000)));
    // This kernel does not count them.
    assert_eq!(value(&TCP_OUT_RSTS, &[0]), None);
    assert_eq!(value(&UDP_NO_PORTS, &[0]), counter(18_700));
    assert_eq!((value(&IP_FORWARDING, &[0]), value(&IP_REASM_TIMEOUT, &[0])), (integer(2), integer(30)));
    assert_eq!(value(&IP_IN_RECEIVES, &[0]), counter(98_564_658));
    assert_eq!(value(&ICMP_IN_MSGS, &[0]), counter(18_716));
    assert_eq!(value(&IP_SYSTEM_STATS_HC_IN_OCTETS, &[1]), Some(OwnedValue::Counter64(11_942_688_081)));
    assert_eq!(value(&IP_SYSTEM_STATS_OUT_FRAG_REQDS, &[1]), counter(3));
    assert_eq!(value(&IP_SYSTEM_STATS_IN_RECEIVES, &[2]), counter(112_067));
    assert_eq!(value(&ICMP_STATS_IN_MSGS, &[2]), counter(401));
    assert_eq!(value(&ICMP_MSG_STATS_OUT_PKTS, &[1, 8]), counter(2));
    assert_eq!(value(&ICMP_MSG_STATS_IN_PKTS, &[2, 135]), counter(0));
}

#[test]
fn what_was_transmitted_is_known_from_older_kernels_too() {
    // Two datagrams of all became six fragments.
    assert_eq!(value(&IP_SYSTEM_STATS_OUT_TRANSMITS, &[1]), Some(OwnedValue::Counter32(98_543_737)));
    assert_eq!(value(&IP_SYSTEM_STATS_OUT_TRANSMITS, &[2]), Some(OwnedValue::Counter32(112_085)));
}

#[test]
fn a_kernel_without_ipv6_shows_ipv4() {
    let source = || Recorded { without_ipv6: true, ..Recorded::default() };
    assert_eq!(read(source()).tcp_listeners.len(), 1);
    let mut served = served(source());
    let mut name = IP_SYSTEM_STATS_IN_RECEIVES.oid();
    name.push(2).unwrap();
    assert!(matches!(served.get(&name), Found::NoSuchInstance));
}

#[test]
fn addresses_have_masks_and_routes_their_next_hops() {
    assert_eq!(value(&IP_AD_ENT_NET_MASK, &[192, 0, 2, 2]), Some(OwnedValue::IpAddress([255, 255, 255, 0])));
    assert_eq!(value(&IP_AD_ENT_IF_INDEX, &[127, 0, 0, 1]), Some(OwnedValue::Integer(1)));
    assert_eq!(Address::new([10, 0, 0, 1], 1, 0, false).mask, [0; 4]);
    assert_eq!(Address::new([10, 0, 0, 1], 1, 32, false).mask, [255; 4]);
    let default = [1, 4, 0, 0, 0, 0, 0, 3, 0, 0, 4, 1, 4, 192, 0, 2, 1];
    let local = [1, 4, 192, 0, 2, 0, 24, 3, 0, 0, 4, 1, 4, 0, 0, 0, 0];
    let network = read(Recorded::default());
    let routes: Vec<&[u32]> = network.routes.iter().map(|route| &*route.index).collect();
    assert_eq!(routes, [&default[..], &local]);
    assert_eq!(value(&INET_CIDR_ROUTE_TYPE, &default), Some(OwnedValue::Integer(4)));
    // Of two ways the cheaper one.
    assert_eq!(value(&INET_CIDR_ROUTE_METRIC1, &local), Some(OwnedValue::Integer(100)));
    assert_eq!(value(&INET_CIDR_ROUTE_NUMBER, &[0]), Some(OwnedValue::Gauge32(2)));
}

#[test]
fn this_machine_can_be_read() {
    let mut next = Network::default();
    let mut collect = NetworkCollect::new(Kernel::open().unwrap());
    collect.collect(Timestamp::ZERO, &Network::default(), &mut next).unwrap();
    assert!(next.counters.get("TcpInSegs").is_some());
    assert!(next.addresses.iter().any(|address| address.octets == [127, 0, 0, 1]), "{:?}", next.addresses);
}
