//! Implements IP-MIB from a snapshot of the network (RFC 4293): the scalars and addresses of IPv4,
//! and the statistics of IPv4, IPv6 and ICMP. All objects are read-only.

use portreeve_mib::{Object, modules::ip_mib::*};
use portreeve_smi::Value::{Counter32, Counter64, Gauge32, Integer, IpAddress, TimeTicks};

use super::{
    Network,
    tcp::{counter, integer},
};
use crate::snapshot_objects::{
    TableRows,
    ValueSource::{self, Column, Scalar},
};

/// The scalars and addresses of IPv4, with the sources of their values.
pub(super) static LEAVES: &[(&Object, ValueSource<Network>)] = &[
    (&IP_FORWARDING, Scalar(|network| integer(network, "IpForwarding"))),
    (&IP_DEFAULT_TTL, Scalar(|network| integer(network, "IpDefaultTTL"))),
    (&IP_IN_RECEIVES, Scalar(|network| counter(network, "IpInReceives"))),
    (&IP_IN_HDR_ERRORS, Scalar(|network| counter(network, "IpInHdrErrors"))),
    (&IP_IN_ADDR_ERRORS, Scalar(|network| counter(network, "IpInAddrErrors"))),
    (&IP_FORW_DATAGRAMS, Scalar(|network| counter(network, "IpForwDatagrams"))),
    (&IP_IN_UNKNOWN_PROTOS, Scalar(|network| counter(network, "IpInUnknownProtos"))),
    (&IP_IN_DISCARDS, Scalar(|network| counter(network, "IpInDiscards"))),
    (&IP_IN_DELIVERS, Scalar(|network| counter(network, "IpInDelivers"))),
    (&IP_OUT_REQUESTS, Scalar(|network| counter(network, "IpOutRequests"))),
    (&IP_OUT_DISCARDS, Scalar(|network| counter(network, "IpOutDiscards"))),
    (&IP_OUT_NO_ROUTES, Scalar(|network| counter(network, "IpOutNoRoutes"))),
    (&IP_REASM_TIMEOUT, Scalar(|network| Some(Integer(network.fragment_time)))),
    (&IP_REASM_REQDS, Scalar(|network| counter(network, "IpReasmReqds"))),
    (&IP_REASM_OKS, Scalar(|network| counter(network, "IpReasmOKs"))),
    (&IP_REASM_FAILS, Scalar(|network| counter(network, "IpReasmFails"))),
    (&IP_FRAG_OKS, Scalar(|network| counter(network, "IpFragOKs"))),
    (&IP_FRAG_FAILS, Scalar(|network| counter(network, "IpFragFails"))),
    (&IP_FRAG_CREATES, Scalar(|network| counter(network, "IpFragCreates"))),
    (&IP_AD_ENT_ADDR, Column(&ADDRESSES, |network, row| Some(IpAddress(network.addresses.get(row)?.octets)))),
    (
        &IP_AD_ENT_IF_INDEX,
        Column(&ADDRESSES, |network, row| Some(Integer(network.addresses.get(row)?.interface.cast_signed()))),
    ),
    (
        &IP_AD_ENT_NET_MASK,
        Column(&ADDRESSES, |network, row| Some(IpAddress(network.addresses.get(row)?.mask))),
    ),
    (
        &IP_AD_ENT_BCAST_ADDR,
        Column(&ADDRESSES, |network, row| Some(Integer(i32::from(network.addresses.get(row)?.broadcasts)))),
    ),
    (&IP_AD_ENT_REASM_MAX_SIZE, Column(&ADDRESSES, |_, _| Some(Integer(MAX_DATAGRAM_SIZE)))),
    (&ICMP_IN_MSGS, Scalar(|network| counter(network, "IcmpInMsgs"))),
    (&ICMP_IN_ERRORS, Scalar(|network| counter(network, "IcmpInErrors"))),
    (&ICMP_IN_DEST_UNREACHS, Scalar(|network| counter(network, "IcmpInDestUnreachs"))),
    (&ICMP_IN_TIME_EXCDS, Scalar(|network| counter(network, "IcmpInTimeExcds"))),
    (&ICMP_IN_PARM_PROBS, Scalar(|network| counter(network, "IcmpInParmProbs"))),
    (&ICMP_IN_SRC_QUENCHS, Scalar(|network| counter(network, "IcmpInSrcQuenchs"))),
    (&ICMP_IN_REDIRECTS, Scalar(|network| counter(network, "IcmpInRedirects"))),
    (&ICMP_IN_ECHOS, Scalar(|network| counter(network, "IcmpInEchos"))),
    (&ICMP_IN_ECHO_REPS, Scalar(|network| counter(network, "IcmpInEchoReps"))),
    (&ICMP_IN_TIMESTAMPS, Scalar(|network| counter(network, "IcmpInTimestamps"))),
    (&ICMP_IN_TIMESTAMP_REPS, Scalar(|network| counter(network, "IcmpInTimestampReps"))),
    (&ICMP_IN_ADDR_MASKS, Scalar(|network| counter(network, "IcmpInAddrMasks"))),
    (&ICMP_IN_ADDR_MASK_REPS, Scalar(|network| counter(network, "IcmpInAddrMaskReps"))),
    (&ICMP_OUT_MSGS, Scalar(|network| counter(network, "IcmpOutMsgs"))),
    (&ICMP_OUT_ERRORS, Scalar(|network| counter(network, "IcmpOutErrors"))),
    (&ICMP_OUT_DEST_UNREACHS, Scalar(|network| counter(network, "IcmpOutDestUnreachs"))),
    (&ICMP_OUT_TIME_EXCDS, Scalar(|network| counter(network, "IcmpOutTimeExcds"))),
    (&ICMP_OUT_PARM_PROBS, Scalar(|network| counter(network, "IcmpOutParmProbs"))),
    (&ICMP_OUT_SRC_QUENCHS, Scalar(|network| counter(network, "IcmpOutSrcQuenchs"))),
    (&ICMP_OUT_REDIRECTS, Scalar(|network| counter(network, "IcmpOutRedirects"))),
    (&ICMP_OUT_ECHOS, Scalar(|network| counter(network, "IcmpOutEchos"))),
    (&ICMP_OUT_ECHO_REPS, Scalar(|network| counter(network, "IcmpOutEchoReps"))),
    (&ICMP_OUT_TIMESTAMPS, Scalar(|network| counter(network, "IcmpOutTimestamps"))),
    (&ICMP_OUT_TIMESTAMP_REPS, Scalar(|network| counter(network, "IcmpOutTimestampReps"))),
    (&ICMP_OUT_ADDR_MASKS, Scalar(|network| counter(network, "IcmpOutAddrMasks"))),
    (&ICMP_OUT_ADDR_MASK_REPS, Scalar(|network| counter(network, "IcmpOutAddrMaskReps"))),
];

/// Lists the leaves of the statistics tables. Each line contains an object, the kernel's counters
/// for IPv4, and those for IPv6. The value for an IP version is the sum of its counters. With
/// `wide`, the object has 64 bits.
macro_rules! statistics {
    ($($object:ident $([$wide:ident])? = $four:expr, $six:expr;)+) => {
        &[$((&$object, Column(&VERSIONS, |network, row| statistics!(@ $($wide)? network, row, $four, $six))),)+
            (&IP_SYSTEM_STATS_DISCONTINUITY_TIME, Column(&VERSIONS, |_, _| Some(TimeTicks(0)))),
            (&IP_SYSTEM_STATS_REFRESH_RATE, Column(&VERSIONS, |_, _| Some(Gauge32(REFRESH_RATE)))),
            (
                &ICMP_MSG_STATS_IN_PKTS,
                Column(&MESSAGES, |network, row| Some(Counter32(low(network.messages.get(row)?.received)))),
            ),
            (
                &ICMP_MSG_STATS_OUT_PKTS,
                Column(&MESSAGES, |network, row| Some(Counter32(low(network.messages.get(row)?.sent)))),
            ),
        ]
    };
    (@ $network:ident, $row:ident, $four:expr, $six:expr) => {
        sum($network, $row, &$four, &$six).map(|sum| Counter32(low(sum)))
    };
    (@ wide $network:ident, $row:ident, $four:expr, $six:expr) => {
        sum($network, $row, &$four, &$six).map(Counter64)
    };
}

pub(super) static STATISTICS: &[(&Object, ValueSource<Network>)] = statistics! {
    IP_SYSTEM_STATS_IN_RECEIVES = ["IpInReceives"], ["Ip6InReceives"];
    IP_SYSTEM_STATS_HC_IN_RECEIVES [wide] = ["IpInReceives"], ["Ip6InReceives"];
    IP_SYSTEM_STATS_IN_OCTETS = ["IpExtInOctets"], ["Ip6InOctets"];
    IP_SYSTEM_STATS_HC_IN_OCTETS [wide] = ["IpExtInOctets"], ["Ip6InOctets"];
    IP_SYSTEM_STATS_IN_HDR_ERRORS = ["IpInHdrErrors"], ["Ip6InHdrErrors"];
    IP_SYSTEM_STATS_IN_NO_ROUTES = ["IpExtInNoRoutes"], ["Ip6InNoRoutes"];
    IP_SYSTEM_STATS_IN_ADDR_ERRORS = ["IpInAddrErrors"], ["Ip6InAddrErrors"];
    IP_SYSTEM_STATS_IN_UNKNOWN_PROTOS = ["IpInUnknownProtos"], ["Ip6InUnknownProtos"];
    IP_SYSTEM_STATS_IN_TRUNCATED_PKTS = ["IpExtInTruncatedPkts"], ["Ip6InTruncatedPkts"];
    IP_SYSTEM_STATS_IN_FORW_DATAGRAMS = ["IpForwDatagrams"], ["Ip6OutForwDatagrams"];
    IP_SYSTEM_STATS_HC_IN_FORW_DATAGRAMS [wide] = ["IpForwDatagrams"], ["Ip6OutForwDatagrams"];
    IP_SYSTEM_STATS_REASM_REQDS = ["IpReasmReqds"], ["Ip6ReasmReqds"];
    IP_SYSTEM_STATS_REASM_OKS = ["IpReasmOKs"], ["Ip6ReasmOKs"];
    IP_SYSTEM_STATS_REASM_FAILS = ["IpReasmFails"], ["Ip6ReasmFails"];
    IP_SYSTEM_STATS_IN_DISCARDS = ["IpInDiscards"], ["Ip6InDiscards"];
    IP_SYSTEM_STATS_IN_DELIVERS = ["IpInDelivers"], ["Ip6InDelivers"];
    IP_SYSTEM_STATS_HC_IN_DELIVERS [wide] = ["IpInDelivers"], ["Ip6InDelivers"];
    IP_SYSTEM_STATS_OUT_REQUESTS = ["IpOutRequests"], ["Ip6OutRequests"];
    IP_SYSTEM_STATS_HC_OUT_REQUESTS [wide] = ["IpOutRequests"], ["Ip6OutRequests"];
    IP_SYSTEM_STATS_OUT_NO_ROUTES = ["IpOutNoRoutes"], ["Ip6OutNoRoutes"];
    IP_SYSTEM_STATS_OUT_FORW_DATAGRAMS = ["IpForwDatagrams"], ["Ip6OutForwDatagrams"];
    IP_SYSTEM_STATS_HC_OUT_FORW_DATAGRAMS [wide] = ["IpForwDatagrams"], ["Ip6OutForwDatagrams"];
    IP_SYSTEM_STATS_OUT_DISCARDS = ["IpOutDiscards"], ["Ip6OutDiscards"];
    IP_SYSTEM_STATS_OUT_FRAG_REQDS = ["IpFragOKs", "IpFragFails"], ["Ip6FragOKs", "Ip6FragFails"];
    IP_SYSTEM_STATS_OUT_FRAG_OKS = ["IpFragOKs"], ["Ip6FragOKs"];
    IP_SYSTEM_STATS_OUT_FRAG_FAILS = ["IpFragFails"], ["Ip6FragFails"];
    IP_SYSTEM_STATS_OUT_FRAG_CREATES = ["IpFragCreates"], ["Ip6FragCreates"];
    IP_SYSTEM_STATS_OUT_TRANSMITS = ["IpOutTransmits"], ["Ip6OutTransmits"];
    IP_SYSTEM_STATS_HC_OUT_TRANSMITS [wide] = ["IpOutTransmits"], ["Ip6OutTransmits"];
    IP_SYSTEM_STATS_OUT_OCTETS = ["IpExtOutOctets"], ["Ip6OutOctets"];
    IP_SYSTEM_STATS_HC_OUT_OCTETS [wide] = ["IpExtOutOctets"], ["Ip6OutOctets"];
    IP_SYSTEM_STATS_IN_MCAST_PKTS = ["IpExtInMcastPkts"], ["Ip6InMcastPkts"];
    IP_SYSTEM_STATS_HC_IN_MCAST_PKTS [wide] = ["IpExtInMcastPkts"], ["Ip6InMcastPkts"];
    IP_SYSTEM_STATS_IN_MCAST_OCTETS = ["IpExtInMcastOctets"], ["Ip6InMcastOctets"];
    IP_SYSTEM_STATS_HC_IN_MCAST_OCTETS [wide] = ["IpExtInMcastOctets"], ["Ip6InMcastOctets"];
    IP_SYSTEM_STATS_OUT_MCAST_PKTS = ["IpExtOutMcastPkts"], ["Ip6OutMcastPkts"];
    IP_SYSTEM_STATS_HC_OUT_MCAST_PKTS [wide] = ["IpExtOutMcastPkts"], ["Ip6OutMcastPkts"];
    IP_SYSTEM_STATS_OUT_MCAST_OCTETS = ["IpExtOutMcastOctets"], ["Ip6OutMcastOctets"];
    IP_SYSTEM_STATS_HC_OUT_MCAST_OCTETS [wide] = ["IpExtOutMcastOctets"], ["Ip6OutMcastOctets"];
    IP_SYSTEM_STATS_IN_BCAST_PKTS = ["IpExtInBcastPkts"], [];
    IP_SYSTEM_STATS_HC_IN_BCAST_PKTS [wide] = ["IpExtInBcastPkts"], [];
    IP_SYSTEM_STATS_OUT_BCAST_PKTS = ["IpExtOutBcastPkts"], [];
    IP_SYSTEM_STATS_HC_OUT_BCAST_PKTS [wide] = ["IpExtOutBcastPkts"], [];
    ICMP_STATS_IN_MSGS = ["IcmpInMsgs"], ["Icmp6InMsgs"];
    ICMP_STATS_IN_ERRORS = ["IcmpInErrors"], ["Icmp6InErrors"];
    ICMP_STATS_OUT_MSGS = ["IcmpOutMsgs"], ["Icmp6OutMsgs"];
    ICMP_STATS_OUT_ERRORS = ["IcmpOutErrors"], ["Icmp6OutErrors"];
};

static ADDRESSES: TableRows<Network> = TableRows {
    count: |network| network.addresses.len(),
    index: |network, row| network.addresses.get(row).map_or(&[], |address| &address.index),
};
/// The rows of the statistics tables: IPv4, and IPv6 if the kernel supports it.
static VERSIONS: TableRows<Network> = TableRows {
    count: |network| if network.counters.get("Ip6InReceives").is_some() { 2 } else { 1 },
    index: |_, row| if row == 0 { &[1] } else { &[2] },
};
static MESSAGES: TableRows<Network> = TableRows {
    count: |network| network.messages.len(),
    index: |network, row| network.messages.get(row).map_or(&[], |message| &message.index),
};

/// Returns the sum of these counters for one version. Returns `None` if no counters are given, or
/// if the kernel does not have one of them.
fn sum(network: &Network, row: usize, four: &[&str], six: &[&str]) -> Option<u64> {
    let names = if row == 0 { four } else { six };
    if names.is_empty() {
        return None;
    }
    names.iter().map(|name| network.counters.get(name)).sum()
}

fn low(count: u64) -> u32 {
    (count & u64::from(u32::MAX)) as u32
}

/// The maximum size of a reassembled datagram in octets.
const MAX_DATAGRAM_SIZE: i32 = 65535;
/// The interval in milliseconds at which managers should read the statistics again.
const REFRESH_RATE: u32 = 5000;
