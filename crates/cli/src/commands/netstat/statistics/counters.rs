//! The printed counters and their labels. The labels are identical to those of Net-SNMP, including
//! its misspellings, because scripts parse them.

use portreeve_mib::{
    Object,
    modules::{ip_mib::*, tcp_mib::*, udp_mib::*},
};

/// A scalar counter and its label; `{}` stands for the plural `s`.
pub(super) type ScalarCounter = (&'static Object, &'static str);

/// A counter of IPv4 or IPv6, its 64-bit version if there is one, and its label.
pub(super) type VersionedCounter = (&'static Object, Option<&'static Object>, &'static str);

pub(super) static TCP: &[ScalarCounter] = &[
    (&TCP_ACTIVE_OPENS, "active open{}"),
    (&TCP_PASSIVE_OPENS, "passive open{}"),
    (&TCP_ATTEMPT_FAILS, "failed attempt{}"),
    (&TCP_ESTAB_RESETS, "reset{} of established connections"),
    (&TCP_CURR_ESTAB, "currently established connection{}"),
    (&TCP_IN_SEGS, "segment{} received"),
    (&TCP_OUT_SEGS, "segment{} sent"),
    (&TCP_RETRANS_SEGS, "segment{} retransmitted"),
    (&TCP_IN_ERRS, "invalid segment{} received"),
    (&TCP_OUT_RSTS, "reset{} sent"),
];

pub(super) static UDP: &[ScalarCounter] = &[
    (&UDP_IN_DATAGRAMS, "total datagram{} received"),
    (&UDP_NO_PORTS, "datagram{} to invalid port"),
    (&UDP_IN_ERRORS, "datagram{} dropped due to errors"),
    (&UDP_OUT_DATAGRAMS, "output datagram request{}"),
];

pub(super) static IP: &[VersionedCounter] = &[
    (&IP_SYSTEM_STATS_IN_RECEIVES, Some(&IP_SYSTEM_STATS_HC_IN_RECEIVES), "datagrams input"),
    (&IP_SYSTEM_STATS_IN_OCTETS, Some(&IP_SYSTEM_STATS_HC_IN_OCTETS), "octets received"),
    (&IP_SYSTEM_STATS_IN_HDR_ERRORS, None, "hdr errors input"),
    (&IP_SYSTEM_STATS_IN_NO_ROUTES, None, "no routes input"),
    (&IP_SYSTEM_STATS_IN_ADDR_ERRORS, None, "address errors input"),
    (&IP_SYSTEM_STATS_IN_UNKNOWN_PROTOS, None, "unknown protocol input"),
    (
        &IP_SYSTEM_STATS_IN_FORW_DATAGRAMS,
        Some(&IP_SYSTEM_STATS_HC_IN_FORW_DATAGRAMS),
        "input datagrams forwarded",
    ),
    (&IP_SYSTEM_STATS_IN_TRUNCATED_PKTS, None, "truncated datagrams input"),
    (&IP_SYSTEM_STATS_REASM_REQDS, None, "input reassembly required"),
    (&IP_SYSTEM_STATS_REASM_OKS, None, "input reassemled OK"),
    (&IP_SYSTEM_STATS_REASM_FAILS, None, "input reassembly failed"),
    (&IP_SYSTEM_STATS_IN_DISCARDS, None, "input datagrams discarded"),
    (&IP_SYSTEM_STATS_IN_DELIVERS, Some(&IP_SYSTEM_STATS_HC_IN_DELIVERS), "input datagrams received"),
    (&IP_SYSTEM_STATS_OUT_REQUESTS, Some(&IP_SYSTEM_STATS_HC_OUT_REQUESTS), "output datagram requests"),
    (&IP_SYSTEM_STATS_OUT_NO_ROUTES, None, "output no route"),
    (
        &IP_SYSTEM_STATS_OUT_FORW_DATAGRAMS,
        Some(&IP_SYSTEM_STATS_HC_OUT_FORW_DATAGRAMS),
        "datagrams forwarded",
    ),
    (&IP_SYSTEM_STATS_OUT_DISCARDS, None, "output datagrams discarded"),
    (&IP_SYSTEM_STATS_OUT_FRAG_REQDS, None, "output datagrams fragmentation required"),
    (&IP_SYSTEM_STATS_OUT_FRAG_OKS, None, "output datagrams fragmented"),
    (&IP_SYSTEM_STATS_OUT_FRAG_FAILS, None, "output fragmentation failed"),
    (&IP_SYSTEM_STATS_OUT_FRAG_CREATES, None, "fragments created"),
    (&IP_SYSTEM_STATS_OUT_TRANSMITS, Some(&IP_SYSTEM_STATS_HC_OUT_TRANSMITS), "datagrams transmitted"),
    (&IP_SYSTEM_STATS_OUT_OCTETS, Some(&IP_SYSTEM_STATS_HC_OUT_OCTETS), "octets transmitted"),
];

pub(super) static ICMP: &[VersionedCounter] = &[
    (&ICMP_STATS_IN_MSGS, None, "input messages"),
    (&ICMP_STATS_IN_ERRORS, None, "input errors"),
    (&ICMP_STATS_OUT_MSGS, None, "output messages"),
    (&ICMP_STATS_OUT_ERRORS, None, "output errors"),
];

/// The labels of ICMP message types.
pub(super) static ICMP_TYPES: &[(u32, &str)] = &[
    (0, "Echo reply"),
    (3, "Destination unreachable"),
    (4, "Source quench"),
    (5, "Redirect"),
    (6, "Alternate host address"),
    (8, "Echo request"),
    (9, "Router advertisement"),
    (10, "Router selection"),
    (11, "Time exceeded"),
    (12, "Parameter problem"),
    (13, "Timestamp request"),
    (14, "Timestamp reply"),
    (15, "Information request"),
    (16, "Information reply"),
    (17, "Address mask request"),
    (18, "Address mask reply"),
];

/// The labels of ICMPv6 message types.
pub(super) static ICMP6_TYPES: &[(u32, &str)] = &[
    (1, "Destination Unreachable"),
    (2, "Packet Too Big"),
    (3, "Time Exceeded"),
    (4, "Parameter Problem"),
    (100, "Private experimentation 100"),
    (101, "Private experimentation 101"),
    (127, "Reserved for expansion of ICMPv6 error messages"),
    (128, "Echo Request"),
    (129, "Echo Reply"),
    (130, "Multicast Listener Query"),
    (131, "Multicast Listener Report"),
    (132, "Multicast Listener Done"),
    (133, "Router Solicitation"),
    (134, "Router Advertisement"),
    (135, "Neighbor Solicitation"),
    (136, "Neighbor Advertisement"),
    (137, "Redirect Message"),
    (138, "Router Renumbering"),
    (139, "ICMP Node Information Query"),
    (140, "ICMP Node Information Response"),
    (141, "Inverse Neighbor Discovery Solicitation Message"),
    (142, "Inverse Neighbor Discovery Advertisement Message"),
    (143, "Version 2 Multicast Listener Report"),
    (144, "Home Agent Address Discovery Request Message"),
    (145, "Home Agent Address Discovery Reply Message"),
    (146, "Mobile Prefix Solicitation"),
    (147, "Mobile Prefix Advertisement"),
    (148, "Certification Path Solicitation Message"),
    (149, "Certification Path Advertisement Message"),
    (151, "Multicast Router Advertisement"),
    (152, "Multicast Router Solicitation"),
    (153, "Multicast Router Termination"),
    (154, "FMIPv6 Messages"),
    (155, "RPL Control Message"),
];
