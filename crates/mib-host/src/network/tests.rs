use std::time::Duration;

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
    let mut served = served(RecordedNetwork { without_ipv6: true });
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
