use std::{fmt::Write as _, time::Duration};

use portreeve_mib::{
    LookupResult, LookupToken, Object, ServedObjects,
    modules::{ip_forward_mib::*, ip_mib::*, tcp_mib::*, udp_mib::*},
};
use portreeve_smi::{OwnedValue, Timestamp};

use super::{recorded::RecordedNetwork, *};
use crate::{Collect, RefreshPolicy};

fn read(source: RecordedNetwork) -> Network {
    let mut next = Network::default();
    NetworkCollect::new(source).collect(Timestamp::ZERO, &Network::default(), &mut next).unwrap();
    next
}

fn served(source: RecordedNetwork) -> ServedObjects {
    let refresh = RefreshPolicy { max_age: Duration::from_secs(1), token: LookupToken(1) };
    let collect = NetworkCollect::new(source);
    let collector = Collector::start(collect, refresh, || Timestamp::ZERO, |_, _| {}).unwrap();
    ServedObjects::new(instrumentations(&collector)).unwrap()
}

fn value(object: &Object, index: &[u32]) -> Option<OwnedValue> {
    let mut name = object.oid();
    name.extend(index).unwrap();
    match served(RecordedNetwork::default()).get(&name) {
        LookupResult::Value(value) => Some(value.into()),
        LookupResult::NoSuchInstance => None,
        other => panic!("{other:?}"),
    }
}

fn indexes(sockets: &[SocketRow]) -> Vec<&[u32]> {
    sockets.iter().map(|socket| &*socket.index).collect()
}

#[test]
fn tcp_sockets_are_sorted_without_duplicate_listeners() {
    let network = read(RecordedNetwork::default());
    let own = [1, 4, 192, 0, 2, 2];
    let remote = [1, 4, 203, 0, 113, 80, 443];
    let connection = |port: u32| [&own[..], &[port], &remote].concat();
    let (first, second) = (connection(36_766), connection(36_767));
    let over_ipv4 = [1, 4, 127, 0, 0, 1, 22, 1, 4, 127, 0, 0, 1, 54_321];
    assert_eq!(indexes(&network.tcp_connections), [&over_ipv4[..], &first, &second]);
    let states: Vec<_> = network.tcp_connections.iter().map(|socket| socket.state).collect();
    assert_eq!(states, [5, 5, 11]);
    // Two sockets that listen on the same address are one row.
    let any_ipv6 = [2, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 22];
    assert_eq!(indexes(&network.tcp_listeners), [&[1, 4, 127, 0, 0, 1, 2024][..], &any_ipv6]);
    assert_eq!(network.tcp_ipv4.len(), 4);
    assert_eq!(&*network.tcp_ipv4[1].index, [127, 0, 0, 1, 2024, 0, 0, 0, 0, 0]);
}

#[test]
fn udp_sockets_on_same_address_are_two_endpoints_but_one_udp_table_row() {
    let network = read(RecordedNetwork::default());
    let any = [1, 4, 0, 0, 0, 0, 161, 1, 4, 0, 0, 0, 0, 0];
    let (first, second) = ([&any[..], &[501]].concat(), [&any[..], &[502]].concat());
    let connected = [1, 4, 127, 0, 0, 1, 55_540, 1, 4, 127, 0, 0, 1, 161, 503];
    assert_eq!(indexes(&network.udp_endpoints), [&first[..], &second, &connected]);
    assert_eq!(indexes(&network.udp_ipv4), [&[0, 0, 0, 0, 161][..], &[127, 0, 0, 1, 55_540]]);
}

#[test]
fn tcp_tables_are_limited_to_max_rows() {
    let mut tcp = recorded::TCP.lines().next().unwrap().to_owned() + "\n";
    for number in 0..MAX_ROWS + 10 {
        let address = 0x0a00_0000 + number;
        writeln!(tcp, " 1: {address:08X}:0001 0100007F:0001 01 0:0 0:0 0 0 0 {number} 1 0").unwrap();
    }
    let network = read(RecordedNetwork { tcp, ..RecordedNetwork::default() });
    assert_eq!((network.tcp_connections.len(), network.tcp_ipv4.len()), (MAX_ROWS, MAX_ROWS));
}

#[test]
fn tcp_udp_ip_and_icmp_values_match_recorded_counters() {
    let counter = |number| Some(OwnedValue::Counter32(number));
    let integer = |number| Some(OwnedValue::Integer(number));
    assert_eq!(value(&TCP_RTO_MAX, &[0]), integer(120_000));
    assert_eq!(value(&TCP_MAX_CONN, &[0]), integer(-1));
    assert_eq!(value(&TCP_IN_SEGS, &[0]), counter(1_828_719_408));
    assert_eq!(value(&TCP_HC_IN_SEGS, &[0]), Some(OwnedValue::Counter64(10_418_654_000)));
    // The recorded kernel does not have this counter.
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
fn ip_out_transmits_is_computed_if_kernel_does_not_count_it() {
    // The count includes two datagrams that were sent as six fragments.
    assert_eq!(value(&IP_SYSTEM_STATS_OUT_TRANSMITS, &[1]), Some(OwnedValue::Counter32(98_543_737)));
    assert_eq!(value(&IP_SYSTEM_STATS_OUT_TRANSMITS, &[2]), Some(OwnedValue::Counter32(112_085)));
}

#[test]
fn kernel_without_ipv6_exposes_ipv4_only() {
    let source = || RecordedNetwork { without_ipv6: true, ..RecordedNetwork::default() };
    assert_eq!(read(source()).tcp_listeners.len(), 1);
    let mut served = served(source());
    let mut name = IP_SYSTEM_STATS_IN_RECEIVES.oid();
    name.push(2).unwrap();
    assert!(matches!(served.get(&name), LookupResult::NoSuchInstance));
}

#[test]
fn address_masks_and_route_rows_match_kernel_data() {
    assert_eq!(value(&IP_AD_ENT_NET_MASK, &[192, 0, 2, 2]), Some(OwnedValue::IpAddress([255, 255, 255, 0])));
    assert_eq!(value(&IP_AD_ENT_IF_INDEX, &[127, 0, 0, 1]), Some(OwnedValue::Integer(1)));
    assert_eq!(InterfaceAddress::new([10, 0, 0, 1], 1, 0, false).mask, [0; 4]);
    assert_eq!(InterfaceAddress::new([10, 0, 0, 1], 1, 32, false).mask, [255; 4]);
    let default = [1, 4, 0, 0, 0, 0, 0, 3, 0, 0, 4, 1, 4, 192, 0, 2, 1];
    let local = [1, 4, 192, 0, 2, 0, 24, 3, 0, 0, 4, 1, 4, 0, 0, 0, 0];
    let network = read(RecordedNetwork::default());
    let routes: Vec<&[u32]> = network.routes.iter().map(|route| &*route.index).collect();
    assert_eq!(routes, [&default[..], &local]);
    assert_eq!(value(&INET_CIDR_ROUTE_TYPE, &default), Some(OwnedValue::Integer(4)));
    // Of two routes to this network, the one with the lower metric is listed.
    assert_eq!(value(&INET_CIDR_ROUTE_METRIC1, &local), Some(OwnedValue::Integer(100)));
    assert_eq!(value(&INET_CIDR_ROUTE_NUMBER, &[0]), Some(OwnedValue::Gauge32(2)));
}

#[test]
fn network_values_of_this_machine_can_be_read_from_kernel() {
    let mut next = Network::default();
    let mut collect = NetworkCollect::new(KernelNetworkSource::open().unwrap());
    collect.collect(Timestamp::ZERO, &Network::default(), &mut next).unwrap();
    assert!(next.counters.get("TcpInSegs").is_some());
    assert!(next.addresses.iter().any(|address| address.octets == [127, 0, 0, 1]), "{:?}", next.addresses);
}
