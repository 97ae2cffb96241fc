//! The Internet Protocol and ICMP (IP-MIB, RFC 4293): system-wide statistics, addresses and
//! neighbors. The statistics of individual interfaces and the routers are not defined.

use super::{
    if_mib::INTERFACE_INDEX,
    inet_address_mib::{INET_ADDRESS, INET_ADDRESS_PREFIX_LENGTH, INET_ADDRESS_TYPE, INET_VERSION},
    snmpv2_smi::MIB_2,
    snmpv2_tc::{
        PHYS_ADDRESS, ROW_POINTER, ROW_STATUS, STORAGE_TYPE, TEST_AND_INCR, TIME_STAMP, TRUTH_VALUE,
    },
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::Label, Index},
};

/// Definitions of IP-MIB.
pub static MODULE: Module = Module {
    name: "IP-MIB",
    last_updated: "200602020000Z",
    reference: "RFC 4293",
    description: "The Internet Protocol and ICMP.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// The origin of an address.
    IP_ADDRESS_ORIGIN = convention("IpAddressOriginTC", enumeration(&[
        ("other", 1), ("manual", 2), ("dhcp", 4), ("linklayer", 5), ("random", 6),
    ]));
    /// The status of an address.
    IP_ADDRESS_STATUS = convention("IpAddressStatusTC", enumeration(&[
        ("preferred", 1), ("deprecated", 2), ("invalid", 3), ("inaccessible", 4), ("unknown", 5), ("tentative", 6),
        ("duplicate", 7), ("optimistic", 8),
    ]));
    /// The origin of an address prefix.
    IP_ADDRESS_PREFIX_ORIGIN = convention("IpAddressPrefixOriginTC", enumeration(&[
        ("other", 1), ("manual", 2), ("wellknown", 3), ("dhcp", 4), ("routeradv", 5),
    ]));
}

objects! {
    /// The Internet Protocol and ICMP.
    IP_MIB = module_identity("ipMIB", &MIB_2, 48);
    /// Objects of the Internet Protocol.
    IP = node("ip", &MIB_2, 4);
    /// Objects of ICMP.
    ICMP = node("icmp", &MIB_2, 5);
    /// Enables or disables the forwarding of IPv4 datagrams.
    IP_FORWARDING = scalar(
        "ipForwarding", &IP, 1, enumeration(&[("forwarding", 1), ("notForwarding", 2)]), ReadWrite);
    /// The default time to live of datagrams.
    IP_DEFAULT_TTL = scalar("ipDefaultTTL", &IP, 2, INTEGER32.limited(&[(1, 255)]), ReadWrite);
    /// IPv4 datagrams received, including those with errors.
    IP_IN_RECEIVES = scalar("ipInReceives", &IP, 3, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams dropped because of header errors.
    IP_IN_HDR_ERRORS = scalar("ipInHdrErrors", &IP, 4, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams dropped because their destination address is not valid for this system.
    IP_IN_ADDR_ERRORS = scalar("ipInAddrErrors", &IP, 5, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams forwarded.
    IP_FORW_DATAGRAMS = scalar("ipForwDatagrams", &IP, 6, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams dropped because their protocol is unknown or not supported.
    IP_IN_UNKNOWN_PROTOS = scalar("ipInUnknownProtos", &IP, 7, COUNTER32, ReadOnly).deprecated();
    /// Received IPv4 datagrams dropped although they had no errors, for example for lack of memory.
    IP_IN_DISCARDS = scalar("ipInDiscards", &IP, 8, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams delivered to local protocols.
    IP_IN_DELIVERS = scalar("ipInDelivers", &IP, 9, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams that local protocols passed to IP for transmission.
    IP_OUT_REQUESTS = scalar("ipOutRequests", &IP, 10, COUNTER32, ReadOnly).deprecated();
    /// Outgoing IPv4 datagrams dropped although they had no errors, for example for lack of memory.
    IP_OUT_DISCARDS = scalar("ipOutDiscards", &IP, 11, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams dropped because no route was found.
    IP_OUT_NO_ROUTES = scalar("ipOutNoRoutes", &IP, 12, COUNTER32, ReadOnly).deprecated();
    /// The time for which fragments are kept for reassembly, in seconds.
    IP_REASM_TIMEOUT = scalar("ipReasmTimeout", &IP, 13, INTEGER32, ReadOnly).units("seconds");
    /// IPv4 fragments received.
    IP_REASM_REQDS = scalar("ipReasmReqds", &IP, 14, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams reassembled.
    IP_REASM_OKS = scalar("ipReasmOKs", &IP, 15, COUNTER32, ReadOnly).deprecated();
    /// IPv4 reassembly failures.
    IP_REASM_FAILS = scalar("ipReasmFails", &IP, 16, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams fragmented.
    IP_FRAG_OKS = scalar("ipFragOKs", &IP, 17, COUNTER32, ReadOnly).deprecated();
    /// IPv4 datagrams dropped because fragmentation was required but not allowed.
    IP_FRAG_FAILS = scalar("ipFragFails", &IP, 18, COUNTER32, ReadOnly).deprecated();
    /// IPv4 fragments created.
    IP_FRAG_CREATES = scalar("ipFragCreates", &IP, 19, COUNTER32, ReadOnly).deprecated();

    /// The IPv4 addresses of this system.
    IP_ADDR_TABLE = table("ipAddrTable", &IP, 20).deprecated();
    /// One IPv4 address of this system.
    IP_ADDR_ENTRY = row("ipAddrEntry", &IP_ADDR_TABLE, Index::Objects(&[&IP_AD_ENT_ADDR])).deprecated();
    /// The IPv4 address.
    IP_AD_ENT_ADDR = column("ipAdEntAddr", &IP_ADDR_ENTRY, 1, IP_ADDRESS, ReadOnly).deprecated();
    /// The ifIndex of the interface to which the address belongs.
    IP_AD_ENT_IF_INDEX = column(
        "ipAdEntIfIndex", &IP_ADDR_ENTRY, 2, INTEGER32.limited(POSITIVE), ReadOnly).deprecated();
    /// The subnet mask of the address.
    IP_AD_ENT_NET_MASK = column("ipAdEntNetMask", &IP_ADDR_ENTRY, 3, IP_ADDRESS, ReadOnly).deprecated();
    /// The least significant bit of the broadcast address.
    IP_AD_ENT_BCAST_ADDR = column(
        "ipAdEntBcastAddr", &IP_ADDR_ENTRY, 4, INTEGER32.limited(&[(0, 1)]), ReadOnly).deprecated();
    /// The size of the largest datagram that can be reassembled, in octets.
    IP_AD_ENT_REASM_MAX_SIZE = column(
        "ipAdEntReasmMaxSize", &IP_ADDR_ENTRY, 5, INTEGER32.limited(&[(0, 65535)]), ReadOnly).deprecated();
    /// Valid IPv4 routes that were discarded.
    IP_ROUTING_DISCARDS = scalar("ipRoutingDiscards", &IP, 23, COUNTER32, ReadOnly).deprecated();

    /// Statistics of IPv4 and IPv6.
    IP_TRAFFIC_STATS = node("ipTrafficStats", &IP, 31);
    /// System-wide statistics, by IP version.
    IP_SYSTEM_STATS_TABLE = table("ipSystemStatsTable", &IP_TRAFFIC_STATS, 1);
    /// The statistics of one IP version.
    IP_SYSTEM_STATS_ENTRY = row(
        "ipSystemStatsEntry", &IP_SYSTEM_STATS_TABLE, Index::Objects(&[&IP_SYSTEM_STATS_IP_VERSION]));
    /// The IP version that the statistics are about.
    IP_SYSTEM_STATS_IP_VERSION = column(
        "ipSystemStatsIPVersion", &IP_SYSTEM_STATS_ENTRY, 1, tc(&INET_VERSION), NotAccessible);
    /// Datagrams received, including those with errors.
    IP_SYSTEM_STATS_IN_RECEIVES = column("ipSystemStatsInReceives", &IP_SYSTEM_STATS_ENTRY, 3, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsInReceives.
    IP_SYSTEM_STATS_HC_IN_RECEIVES = column(
        "ipSystemStatsHCInReceives", &IP_SYSTEM_STATS_ENTRY, 4, COUNTER64, ReadOnly);
    /// Octets in received datagrams, including those with errors.
    IP_SYSTEM_STATS_IN_OCTETS = column("ipSystemStatsInOctets", &IP_SYSTEM_STATS_ENTRY, 5, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsInOctets.
    IP_SYSTEM_STATS_HC_IN_OCTETS = column("ipSystemStatsHCInOctets", &IP_SYSTEM_STATS_ENTRY, 6, COUNTER64, ReadOnly);
    /// Datagrams dropped because of header errors.
    IP_SYSTEM_STATS_IN_HDR_ERRORS = column(
        "ipSystemStatsInHdrErrors", &IP_SYSTEM_STATS_ENTRY, 7, COUNTER32, ReadOnly);
    /// Received datagrams dropped because no route was found.
    IP_SYSTEM_STATS_IN_NO_ROUTES = column("ipSystemStatsInNoRoutes", &IP_SYSTEM_STATS_ENTRY, 8, COUNTER32, ReadOnly);
    /// Datagrams dropped because their destination address is not valid for this system.
    IP_SYSTEM_STATS_IN_ADDR_ERRORS = column(
        "ipSystemStatsInAddrErrors", &IP_SYSTEM_STATS_ENTRY, 9, COUNTER32, ReadOnly);
    /// Datagrams dropped because their protocol is unknown or not supported.
    IP_SYSTEM_STATS_IN_UNKNOWN_PROTOS = column(
        "ipSystemStatsInUnknownProtos", &IP_SYSTEM_STATS_ENTRY, 10, COUNTER32, ReadOnly);
    /// Datagrams dropped because they were shorter than their length field.
    IP_SYSTEM_STATS_IN_TRUNCATED_PKTS = column(
        "ipSystemStatsInTruncatedPkts", &IP_SYSTEM_STATS_ENTRY, 11, COUNTER32, ReadOnly);
    /// Received datagrams that were to be forwarded.
    IP_SYSTEM_STATS_IN_FORW_DATAGRAMS = column(
        "ipSystemStatsInForwDatagrams", &IP_SYSTEM_STATS_ENTRY, 12, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsInForwDatagrams.
    IP_SYSTEM_STATS_HC_IN_FORW_DATAGRAMS = column(
        "ipSystemStatsHCInForwDatagrams", &IP_SYSTEM_STATS_ENTRY, 13, COUNTER64, ReadOnly);
    /// Fragments received.
    IP_SYSTEM_STATS_REASM_REQDS = column("ipSystemStatsReasmReqds", &IP_SYSTEM_STATS_ENTRY, 14, COUNTER32, ReadOnly);
    /// Datagrams reassembled.
    IP_SYSTEM_STATS_REASM_OKS = column("ipSystemStatsReasmOKs", &IP_SYSTEM_STATS_ENTRY, 15, COUNTER32, ReadOnly);
    /// Reassembly failures.
    IP_SYSTEM_STATS_REASM_FAILS = column("ipSystemStatsReasmFails", &IP_SYSTEM_STATS_ENTRY, 16, COUNTER32, ReadOnly);
    /// Received datagrams dropped although they had no errors, for example for lack of memory.
    IP_SYSTEM_STATS_IN_DISCARDS = column("ipSystemStatsInDiscards", &IP_SYSTEM_STATS_ENTRY, 17, COUNTER32, ReadOnly);
    /// Datagrams delivered to local protocols.
    IP_SYSTEM_STATS_IN_DELIVERS = column("ipSystemStatsInDelivers", &IP_SYSTEM_STATS_ENTRY, 18, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsInDelivers.
    IP_SYSTEM_STATS_HC_IN_DELIVERS = column(
        "ipSystemStatsHCInDelivers", &IP_SYSTEM_STATS_ENTRY, 19, COUNTER64, ReadOnly);
    /// Datagrams that local protocols passed to IP for transmission.
    IP_SYSTEM_STATS_OUT_REQUESTS = column(
        "ipSystemStatsOutRequests", &IP_SYSTEM_STATS_ENTRY, 20, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsOutRequests.
    IP_SYSTEM_STATS_HC_OUT_REQUESTS = column(
        "ipSystemStatsHCOutRequests", &IP_SYSTEM_STATS_ENTRY, 21, COUNTER64, ReadOnly);
    /// Locally generated datagrams dropped because no route was found.
    IP_SYSTEM_STATS_OUT_NO_ROUTES = column(
        "ipSystemStatsOutNoRoutes", &IP_SYSTEM_STATS_ENTRY, 22, COUNTER32, ReadOnly);
    /// Datagrams forwarded.
    IP_SYSTEM_STATS_OUT_FORW_DATAGRAMS = column(
        "ipSystemStatsOutForwDatagrams", &IP_SYSTEM_STATS_ENTRY, 23, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsOutForwDatagrams.
    IP_SYSTEM_STATS_HC_OUT_FORW_DATAGRAMS = column(
        "ipSystemStatsHCOutForwDatagrams", &IP_SYSTEM_STATS_ENTRY, 24, COUNTER64, ReadOnly);
    /// Outgoing datagrams dropped although they had no errors, for example for lack of memory.
    IP_SYSTEM_STATS_OUT_DISCARDS = column(
        "ipSystemStatsOutDiscards", &IP_SYSTEM_STATS_ENTRY, 25, COUNTER32, ReadOnly);
    /// Datagrams that required fragmentation.
    IP_SYSTEM_STATS_OUT_FRAG_REQDS = column(
        "ipSystemStatsOutFragReqds", &IP_SYSTEM_STATS_ENTRY, 26, COUNTER32, ReadOnly);
    /// Datagrams fragmented.
    IP_SYSTEM_STATS_OUT_FRAG_OKS = column(
        "ipSystemStatsOutFragOKs", &IP_SYSTEM_STATS_ENTRY, 27, COUNTER32, ReadOnly);
    /// Datagrams that required fragmentation but could not be fragmented.
    IP_SYSTEM_STATS_OUT_FRAG_FAILS = column(
        "ipSystemStatsOutFragFails", &IP_SYSTEM_STATS_ENTRY, 28, COUNTER32, ReadOnly);
    /// Fragments created.
    IP_SYSTEM_STATS_OUT_FRAG_CREATES = column(
        "ipSystemStatsOutFragCreates", &IP_SYSTEM_STATS_ENTRY, 29, COUNTER32, ReadOnly);
    /// Datagrams passed to interfaces for transmission.
    IP_SYSTEM_STATS_OUT_TRANSMITS = column(
        "ipSystemStatsOutTransmits", &IP_SYSTEM_STATS_ENTRY, 30, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsOutTransmits.
    IP_SYSTEM_STATS_HC_OUT_TRANSMITS = column(
        "ipSystemStatsHCOutTransmits", &IP_SYSTEM_STATS_ENTRY, 31, COUNTER64, ReadOnly);
    /// Octets in datagrams passed to interfaces for transmission.
    IP_SYSTEM_STATS_OUT_OCTETS = column("ipSystemStatsOutOctets", &IP_SYSTEM_STATS_ENTRY, 32, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsOutOctets.
    IP_SYSTEM_STATS_HC_OUT_OCTETS = column(
        "ipSystemStatsHCOutOctets", &IP_SYSTEM_STATS_ENTRY, 33, COUNTER64, ReadOnly);
    /// Multicast datagrams received.
    IP_SYSTEM_STATS_IN_MCAST_PKTS = column(
        "ipSystemStatsInMcastPkts", &IP_SYSTEM_STATS_ENTRY, 34, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsInMcastPkts.
    IP_SYSTEM_STATS_HC_IN_MCAST_PKTS = column(
        "ipSystemStatsHCInMcastPkts", &IP_SYSTEM_STATS_ENTRY, 35, COUNTER64, ReadOnly);
    /// Octets in received multicast datagrams.
    IP_SYSTEM_STATS_IN_MCAST_OCTETS = column(
        "ipSystemStatsInMcastOctets", &IP_SYSTEM_STATS_ENTRY, 36, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsInMcastOctets.
    IP_SYSTEM_STATS_HC_IN_MCAST_OCTETS = column(
        "ipSystemStatsHCInMcastOctets", &IP_SYSTEM_STATS_ENTRY, 37, COUNTER64, ReadOnly);
    /// Multicast datagrams sent.
    IP_SYSTEM_STATS_OUT_MCAST_PKTS = column(
        "ipSystemStatsOutMcastPkts", &IP_SYSTEM_STATS_ENTRY, 38, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsOutMcastPkts.
    IP_SYSTEM_STATS_HC_OUT_MCAST_PKTS = column(
        "ipSystemStatsHCOutMcastPkts", &IP_SYSTEM_STATS_ENTRY, 39, COUNTER64, ReadOnly);
    /// Octets in sent multicast datagrams.
    IP_SYSTEM_STATS_OUT_MCAST_OCTETS = column(
        "ipSystemStatsOutMcastOctets", &IP_SYSTEM_STATS_ENTRY, 40, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsOutMcastOctets.
    IP_SYSTEM_STATS_HC_OUT_MCAST_OCTETS = column(
        "ipSystemStatsHCOutMcastOctets", &IP_SYSTEM_STATS_ENTRY, 41, COUNTER64, ReadOnly);
    /// Broadcast datagrams received; IPv4 only.
    IP_SYSTEM_STATS_IN_BCAST_PKTS = column(
        "ipSystemStatsInBcastPkts", &IP_SYSTEM_STATS_ENTRY, 42, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsInBcastPkts.
    IP_SYSTEM_STATS_HC_IN_BCAST_PKTS = column(
        "ipSystemStatsHCInBcastPkts", &IP_SYSTEM_STATS_ENTRY, 43, COUNTER64, ReadOnly);
    /// Broadcast datagrams sent; IPv4 only.
    IP_SYSTEM_STATS_OUT_BCAST_PKTS = column(
        "ipSystemStatsOutBcastPkts", &IP_SYSTEM_STATS_ENTRY, 44, COUNTER32, ReadOnly);
    /// The 64-bit version of ipSystemStatsOutBcastPkts.
    IP_SYSTEM_STATS_HC_OUT_BCAST_PKTS = column(
        "ipSystemStatsHCOutBcastPkts", &IP_SYSTEM_STATS_ENTRY, 45, COUNTER64, ReadOnly);
    /// The value of sysUpTime when a counter last had a discontinuity; 0 if that was before the
    /// last restart.
    IP_SYSTEM_STATS_DISCONTINUITY_TIME = column(
        "ipSystemStatsDiscontinuityTime", &IP_SYSTEM_STATS_ENTRY, 46, tc(&TIME_STAMP), ReadOnly);
    /// The minimum interval at which it is useful to read the counters, in milliseconds.
    IP_SYSTEM_STATS_REFRESH_RATE = column(
        "ipSystemStatsRefreshRate", &IP_SYSTEM_STATS_ENTRY, 47, UNSIGNED32, ReadOnly).units("milli-seconds");

    /// ICMP messages received, including those with errors.
    ICMP_IN_MSGS = scalar("icmpInMsgs", &ICMP, 1, COUNTER32, ReadOnly).deprecated();
    /// ICMP messages received with errors.
    ICMP_IN_ERRORS = scalar("icmpInErrors", &ICMP, 2, COUNTER32, ReadOnly).deprecated();
    /// Destination Unreachable messages received.
    ICMP_IN_DEST_UNREACHS = scalar("icmpInDestUnreachs", &ICMP, 3, COUNTER32, ReadOnly).deprecated();
    /// Time Exceeded messages received.
    ICMP_IN_TIME_EXCDS = scalar("icmpInTimeExcds", &ICMP, 4, COUNTER32, ReadOnly).deprecated();
    /// Parameter Problem messages received.
    ICMP_IN_PARM_PROBS = scalar("icmpInParmProbs", &ICMP, 5, COUNTER32, ReadOnly).deprecated();
    /// Source Quench messages received.
    ICMP_IN_SRC_QUENCHS = scalar("icmpInSrcQuenchs", &ICMP, 6, COUNTER32, ReadOnly).deprecated();
    /// Redirect messages received.
    ICMP_IN_REDIRECTS = scalar("icmpInRedirects", &ICMP, 7, COUNTER32, ReadOnly).deprecated();
    /// Echo requests received.
    ICMP_IN_ECHOS = scalar("icmpInEchos", &ICMP, 8, COUNTER32, ReadOnly).deprecated();
    /// Echo replies received.
    ICMP_IN_ECHO_REPS = scalar("icmpInEchoReps", &ICMP, 9, COUNTER32, ReadOnly).deprecated();
    /// Timestamp requests received.
    ICMP_IN_TIMESTAMPS = scalar("icmpInTimestamps", &ICMP, 10, COUNTER32, ReadOnly).deprecated();
    /// Timestamp replies received.
    ICMP_IN_TIMESTAMP_REPS = scalar("icmpInTimestampReps", &ICMP, 11, COUNTER32, ReadOnly).deprecated();
    /// Address Mask requests received.
    ICMP_IN_ADDR_MASKS = scalar("icmpInAddrMasks", &ICMP, 12, COUNTER32, ReadOnly).deprecated();
    /// Address Mask replies received.
    ICMP_IN_ADDR_MASK_REPS = scalar("icmpInAddrMaskReps", &ICMP, 13, COUNTER32, ReadOnly).deprecated();
    /// ICMP messages sent, including those that failed.
    ICMP_OUT_MSGS = scalar("icmpOutMsgs", &ICMP, 14, COUNTER32, ReadOnly).deprecated();
    /// ICMP messages not sent because of problems within ICMP.
    ICMP_OUT_ERRORS = scalar("icmpOutErrors", &ICMP, 15, COUNTER32, ReadOnly).deprecated();
    /// Destination Unreachable messages sent.
    ICMP_OUT_DEST_UNREACHS = scalar("icmpOutDestUnreachs", &ICMP, 16, COUNTER32, ReadOnly).deprecated();
    /// Time Exceeded messages sent.
    ICMP_OUT_TIME_EXCDS = scalar("icmpOutTimeExcds", &ICMP, 17, COUNTER32, ReadOnly).deprecated();
    /// Parameter Problem messages sent.
    ICMP_OUT_PARM_PROBS = scalar("icmpOutParmProbs", &ICMP, 18, COUNTER32, ReadOnly).deprecated();
    /// Source Quench messages sent.
    ICMP_OUT_SRC_QUENCHS = scalar("icmpOutSrcQuenchs", &ICMP, 19, COUNTER32, ReadOnly).deprecated();
    /// Redirect messages sent.
    ICMP_OUT_REDIRECTS = scalar("icmpOutRedirects", &ICMP, 20, COUNTER32, ReadOnly).deprecated();
    /// Echo requests sent.
    ICMP_OUT_ECHOS = scalar("icmpOutEchos", &ICMP, 21, COUNTER32, ReadOnly).deprecated();
    /// Echo replies sent.
    ICMP_OUT_ECHO_REPS = scalar("icmpOutEchoReps", &ICMP, 22, COUNTER32, ReadOnly).deprecated();
    /// Timestamp requests sent.
    ICMP_OUT_TIMESTAMPS = scalar("icmpOutTimestamps", &ICMP, 23, COUNTER32, ReadOnly).deprecated();
    /// Timestamp replies sent.
    ICMP_OUT_TIMESTAMP_REPS = scalar("icmpOutTimestampReps", &ICMP, 24, COUNTER32, ReadOnly).deprecated();
    /// Address Mask requests sent.
    ICMP_OUT_ADDR_MASKS = scalar("icmpOutAddrMasks", &ICMP, 25, COUNTER32, ReadOnly).deprecated();
    /// Address Mask replies sent.
    ICMP_OUT_ADDR_MASK_REPS = scalar("icmpOutAddrMaskReps", &ICMP, 26, COUNTER32, ReadOnly).deprecated();

    /// Statistics of ICMP.
    ICMP_STATS_TABLE = table("icmpStatsTable", &ICMP, 29);
    /// The ICMP statistics of one IP version.
    ICMP_STATS_ENTRY = row("icmpStatsEntry", &ICMP_STATS_TABLE, Index::Objects(&[&ICMP_STATS_IP_VERSION]));
    /// The IP version that the ICMP statistics are about.
    ICMP_STATS_IP_VERSION = column(
        "icmpStatsIPVersion", &ICMP_STATS_ENTRY, 1, tc(&INET_VERSION), NotAccessible);
    /// ICMP messages received, including those with errors.
    ICMP_STATS_IN_MSGS = column("icmpStatsInMsgs", &ICMP_STATS_ENTRY, 2, COUNTER32, ReadOnly);
    /// ICMP messages received with errors.
    ICMP_STATS_IN_ERRORS = column("icmpStatsInErrors", &ICMP_STATS_ENTRY, 3, COUNTER32, ReadOnly);
    /// ICMP messages sent, including those that failed.
    ICMP_STATS_OUT_MSGS = column("icmpStatsOutMsgs", &ICMP_STATS_ENTRY, 4, COUNTER32, ReadOnly);
    /// ICMP messages not sent because of problems within ICMP.
    ICMP_STATS_OUT_ERRORS = column("icmpStatsOutErrors", &ICMP_STATS_ENTRY, 5, COUNTER32, ReadOnly);
    /// ICMP messages by type.
    ICMP_MSG_STATS_TABLE = table("icmpMsgStatsTable", &ICMP, 30);
    /// ICMP messages of one type.
    ICMP_MSG_STATS_ENTRY = row(
        "icmpMsgStatsEntry", &ICMP_MSG_STATS_TABLE,
        Index::Objects(&[&ICMP_MSG_STATS_IP_VERSION, &ICMP_MSG_STATS_TYPE]));
    /// The IP version of the messages.
    ICMP_MSG_STATS_IP_VERSION = column(
        "icmpMsgStatsIPVersion", &ICMP_MSG_STATS_ENTRY, 1, tc(&INET_VERSION), NotAccessible);
    /// The ICMP message type.
    ICMP_MSG_STATS_TYPE = column(
        "icmpMsgStatsType", &ICMP_MSG_STATS_ENTRY, 2, INTEGER32.limited(&[(0, 255)]), NotAccessible);
    /// ICMP messages of this type that were received.
    ICMP_MSG_STATS_IN_PKTS = column("icmpMsgStatsInPkts", &ICMP_MSG_STATS_ENTRY, 3, COUNTER32, ReadOnly);
    /// ICMP messages of this type that were sent.
    ICMP_MSG_STATS_OUT_PKTS = column("icmpMsgStatsOutPkts", &ICMP_MSG_STATS_ENTRY, 4, COUNTER32, ReadOnly);

    /// The address prefixes of this system.
    IP_ADDRESS_PREFIX_TABLE = table("ipAddressPrefixTable", &IP, 32);
    /// One address prefix of an interface.
    IP_ADDRESS_PREFIX_ENTRY = row("ipAddressPrefixEntry", &IP_ADDRESS_PREFIX_TABLE, Index::Objects(&[
        &IP_ADDRESS_PREFIX_IF_INDEX, &IP_ADDRESS_PREFIX_TYPE, &IP_ADDRESS_PREFIX_PREFIX, &IP_ADDRESS_PREFIX_LENGTH,
    ]));
    /// The ifIndex of the interface.
    IP_ADDRESS_PREFIX_IF_INDEX = column(
        "ipAddressPrefixIfIndex", &IP_ADDRESS_PREFIX_ENTRY, 1, tc(&INTERFACE_INDEX), NotAccessible);
    /// The address type of the prefix.
    IP_ADDRESS_PREFIX_TYPE = column(
        "ipAddressPrefixType", &IP_ADDRESS_PREFIX_ENTRY, 2, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The prefix; the bits after its length are zero.
    IP_ADDRESS_PREFIX_PREFIX = column(
        "ipAddressPrefixPrefix", &IP_ADDRESS_PREFIX_ENTRY, 3, tc(&INET_ADDRESS), NotAccessible);
    /// The length of the prefix, in bits.
    IP_ADDRESS_PREFIX_LENGTH = column(
        "ipAddressPrefixLength", &IP_ADDRESS_PREFIX_ENTRY, 4, tc(&INET_ADDRESS_PREFIX_LENGTH), NotAccessible);
    /// The origin of the prefix.
    IP_ADDRESS_PREFIX_ORIGIN_COLUMN = column(
        "ipAddressPrefixOrigin", &IP_ADDRESS_PREFIX_ENTRY, 5, tc(&IP_ADDRESS_PREFIX_ORIGIN), ReadOnly);
    /// True if addresses with the prefix are reachable without a router.
    IP_ADDRESS_PREFIX_ON_LINK_FLAG = column(
        "ipAddressPrefixOnLinkFlag", &IP_ADDRESS_PREFIX_ENTRY, 6, tc(&TRUTH_VALUE), ReadOnly);
    /// True if the prefix can be used for autonomous address configuration.
    IP_ADDRESS_PREFIX_AUTONOMOUS_FLAG = column(
        "ipAddressPrefixAutonomousFlag", &IP_ADDRESS_PREFIX_ENTRY, 7, tc(&TRUTH_VALUE), ReadOnly);
    /// The remaining time for which addresses with the prefix are preferred.
    IP_ADDRESS_PREFIX_ADV_PREFERRED_LIFETIME = column(
        "ipAddressPrefixAdvPreferredLifetime", &IP_ADDRESS_PREFIX_ENTRY, 8, UNSIGNED32, ReadOnly).units("seconds");
    /// The remaining time for which addresses with the prefix are valid.
    IP_ADDRESS_PREFIX_ADV_VALID_LIFETIME = column(
        "ipAddressPrefixAdvValidLifetime", &IP_ADDRESS_PREFIX_ENTRY, 9, UNSIGNED32, ReadOnly).units("seconds");

    /// A lock for managers that change the addresses.
    IP_ADDRESS_SPIN_LOCK = scalar("ipAddressSpinLock", &IP, 33, tc(&TEST_AND_INCR), ReadWrite);
    /// The addresses of this system.
    IP_ADDRESS_TABLE = table("ipAddressTable", &IP, 34);
    /// One address of this system.
    IP_ADDRESS_ENTRY = row(
        "ipAddressEntry", &IP_ADDRESS_TABLE, Index::Objects(&[&IP_ADDRESS_ADDR_TYPE, &IP_ADDRESS_ADDR]));
    /// The address type.
    IP_ADDRESS_ADDR_TYPE = column(
        "ipAddressAddrType", &IP_ADDRESS_ENTRY, 1, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The address.
    IP_ADDRESS_ADDR = column("ipAddressAddr", &IP_ADDRESS_ENTRY, 2, tc(&INET_ADDRESS), NotAccessible);
    /// The ifIndex of the interface to which the address belongs.
    IP_ADDRESS_IF_INDEX = column("ipAddressIfIndex", &IP_ADDRESS_ENTRY, 3, tc(&INTERFACE_INDEX), ReadCreate);
    /// The kind of address.
    IP_ADDRESS_TYPE = column("ipAddressType", &IP_ADDRESS_ENTRY, 4, enumeration(&[
        ("unicast", 1), ("anycast", 2), ("broadcast", 3),
    ]), ReadCreate).default(Label("unicast"));
    /// The row of ipAddressPrefixTable to which the address belongs.
    IP_ADDRESS_PREFIX = column("ipAddressPrefix", &IP_ADDRESS_ENTRY, 5, tc(&ROW_POINTER), ReadOnly);
    /// The origin of the address.
    IP_ADDRESS_ORIGIN_COLUMN = column(
        "ipAddressOrigin", &IP_ADDRESS_ENTRY, 6, tc(&IP_ADDRESS_ORIGIN), ReadOnly);
    /// The status of the address.
    IP_ADDRESS_STATUS_COLUMN = column(
        "ipAddressStatus", &IP_ADDRESS_ENTRY, 7, tc(&IP_ADDRESS_STATUS), ReadCreate).default(Label("preferred"));
    /// The sysUpTime at which the row was created.
    IP_ADDRESS_CREATED = column("ipAddressCreated", &IP_ADDRESS_ENTRY, 8, tc(&TIME_STAMP), ReadOnly);
    /// The sysUpTime of the last change of the row.
    IP_ADDRESS_LAST_CHANGED = column("ipAddressLastChanged", &IP_ADDRESS_ENTRY, 9, tc(&TIME_STAMP), ReadOnly);
    /// The status of the row.
    IP_ADDRESS_ROW_STATUS = column("ipAddressRowStatus", &IP_ADDRESS_ENTRY, 10, tc(&ROW_STATUS), ReadCreate);
    /// The storage of the row.
    IP_ADDRESS_STORAGE_TYPE = column(
        "ipAddressStorageType", &IP_ADDRESS_ENTRY, 11, tc(&STORAGE_TYPE), ReadCreate).default(Label("volatile"));

    /// The physical addresses of neighbors.
    IP_NET_TO_PHYSICAL_TABLE = table("ipNetToPhysicalTable", &IP, 35);
    /// One neighbor.
    IP_NET_TO_PHYSICAL_ENTRY = row("ipNetToPhysicalEntry", &IP_NET_TO_PHYSICAL_TABLE, Index::Objects(&[
        &IP_NET_TO_PHYSICAL_IF_INDEX, &IP_NET_TO_PHYSICAL_NET_ADDRESS_TYPE, &IP_NET_TO_PHYSICAL_NET_ADDRESS,
    ]));
    /// The ifIndex of the interface on which the neighbor is reached.
    IP_NET_TO_PHYSICAL_IF_INDEX = column(
        "ipNetToPhysicalIfIndex", &IP_NET_TO_PHYSICAL_ENTRY, 1, tc(&INTERFACE_INDEX), NotAccessible);
    /// The type of the neighbor's address.
    IP_NET_TO_PHYSICAL_NET_ADDRESS_TYPE = column(
        "ipNetToPhysicalNetAddressType", &IP_NET_TO_PHYSICAL_ENTRY, 2, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The neighbor's address.
    IP_NET_TO_PHYSICAL_NET_ADDRESS = column(
        "ipNetToPhysicalNetAddress", &IP_NET_TO_PHYSICAL_ENTRY, 3, tc(&INET_ADDRESS), NotAccessible);
    /// The neighbor's physical address.
    IP_NET_TO_PHYSICAL_PHYS_ADDRESS = column(
        "ipNetToPhysicalPhysAddress", &IP_NET_TO_PHYSICAL_ENTRY, 4, tc(&PHYS_ADDRESS).limited(&[(0, 65535)]), ReadCreate);
    /// The sysUpTime of the last change of the row.
    IP_NET_TO_PHYSICAL_LAST_UPDATED = column(
        "ipNetToPhysicalLastUpdated", &IP_NET_TO_PHYSICAL_ENTRY, 5, tc(&TIME_STAMP), ReadOnly);
    /// The origin of the mapping.
    IP_NET_TO_PHYSICAL_TYPE = column("ipNetToPhysicalType", &IP_NET_TO_PHYSICAL_ENTRY, 6, enumeration(&[
        ("other", 1), ("invalid", 2), ("dynamic", 3), ("static", 4), ("local", 5),
    ]), ReadCreate).default(Label("static"));
    /// The state of neighbor detection.
    IP_NET_TO_PHYSICAL_STATE = column("ipNetToPhysicalState", &IP_NET_TO_PHYSICAL_ENTRY, 7, enumeration(&[
        ("reachable", 1), ("stale", 2), ("delay", 3), ("probe", 4), ("invalid", 5), ("unknown", 6), ("incomplete", 7),
    ]), ReadOnly);
    /// The status of the row.
    IP_NET_TO_PHYSICAL_ROW_STATUS = column(
        "ipNetToPhysicalRowStatus", &IP_NET_TO_PHYSICAL_ENTRY, 8, tc(&ROW_STATUS), ReadCreate);

    /// Conformance information of this module.
    IP_MIB_CONFORMANCE = node("ipMIBConformance", &IP_MIB, 2);
    /// Conformance groups.
    IP_MIB_GROUPS = node("ipMIBGroups", &IP_MIB_CONFORMANCE, 2);
    /// Objects of IPv4.
    IP_GROUP = group("ipGroup", &IP_MIB_GROUPS, 1, &[
        &IP_FORWARDING, &IP_DEFAULT_TTL, &IP_IN_RECEIVES, &IP_IN_HDR_ERRORS, &IP_IN_ADDR_ERRORS, &IP_FORW_DATAGRAMS,
        &IP_IN_UNKNOWN_PROTOS, &IP_IN_DISCARDS, &IP_IN_DELIVERS, &IP_OUT_REQUESTS, &IP_OUT_DISCARDS,
        &IP_OUT_NO_ROUTES, &IP_REASM_TIMEOUT, &IP_REASM_REQDS, &IP_REASM_OKS, &IP_REASM_FAILS, &IP_FRAG_OKS,
        &IP_FRAG_FAILS, &IP_FRAG_CREATES, &IP_AD_ENT_ADDR, &IP_AD_ENT_IF_INDEX, &IP_AD_ENT_NET_MASK,
        &IP_AD_ENT_BCAST_ADDR, &IP_AD_ENT_REASM_MAX_SIZE, &IP_ROUTING_DISCARDS,
    ]).deprecated();
    /// Objects of ICMP for IPv4.
    ICMP_GROUP = group("icmpGroup", &IP_MIB_GROUPS, 2, &[
        &ICMP_IN_MSGS, &ICMP_IN_ERRORS, &ICMP_IN_DEST_UNREACHS, &ICMP_IN_TIME_EXCDS, &ICMP_IN_PARM_PROBS,
        &ICMP_IN_SRC_QUENCHS, &ICMP_IN_REDIRECTS, &ICMP_IN_ECHOS, &ICMP_IN_ECHO_REPS, &ICMP_IN_TIMESTAMPS,
        &ICMP_IN_TIMESTAMP_REPS, &ICMP_IN_ADDR_MASKS, &ICMP_IN_ADDR_MASK_REPS, &ICMP_OUT_MSGS, &ICMP_OUT_ERRORS,
        &ICMP_OUT_DEST_UNREACHS, &ICMP_OUT_TIME_EXCDS, &ICMP_OUT_PARM_PROBS, &ICMP_OUT_SRC_QUENCHS,
        &ICMP_OUT_REDIRECTS, &ICMP_OUT_ECHOS, &ICMP_OUT_ECHO_REPS, &ICMP_OUT_TIMESTAMPS, &ICMP_OUT_TIMESTAMP_REPS,
        &ICMP_OUT_ADDR_MASKS, &ICMP_OUT_ADDR_MASK_REPS,
    ]).deprecated();
    /// Settings of IPv4.
    IPV4_GENERAL_GROUP = group("ipv4GeneralGroup", &IP_MIB_GROUPS, 3, &[
        &IP_FORWARDING, &IP_DEFAULT_TTL, &IP_REASM_TIMEOUT,
    ]);
    /// Statistics of IPv4 and IPv6.
    IP_SYSTEM_STATS_GROUP = group("ipSystemStatsGroup", &IP_MIB_GROUPS, 8, &[
        &IP_SYSTEM_STATS_IN_RECEIVES, &IP_SYSTEM_STATS_IN_OCTETS, &IP_SYSTEM_STATS_IN_HDR_ERRORS,
        &IP_SYSTEM_STATS_IN_NO_ROUTES, &IP_SYSTEM_STATS_IN_ADDR_ERRORS, &IP_SYSTEM_STATS_IN_UNKNOWN_PROTOS,
        &IP_SYSTEM_STATS_IN_TRUNCATED_PKTS, &IP_SYSTEM_STATS_IN_FORW_DATAGRAMS, &IP_SYSTEM_STATS_REASM_REQDS,
        &IP_SYSTEM_STATS_REASM_OKS, &IP_SYSTEM_STATS_REASM_FAILS, &IP_SYSTEM_STATS_IN_DISCARDS,
        &IP_SYSTEM_STATS_IN_DELIVERS, &IP_SYSTEM_STATS_OUT_REQUESTS, &IP_SYSTEM_STATS_OUT_NO_ROUTES,
        &IP_SYSTEM_STATS_OUT_FORW_DATAGRAMS, &IP_SYSTEM_STATS_OUT_DISCARDS, &IP_SYSTEM_STATS_OUT_FRAG_REQDS,
        &IP_SYSTEM_STATS_OUT_FRAG_OKS, &IP_SYSTEM_STATS_OUT_FRAG_FAILS, &IP_SYSTEM_STATS_OUT_FRAG_CREATES,
        &IP_SYSTEM_STATS_OUT_TRANSMITS, &IP_SYSTEM_STATS_OUT_OCTETS, &IP_SYSTEM_STATS_IN_MCAST_PKTS,
        &IP_SYSTEM_STATS_IN_MCAST_OCTETS, &IP_SYSTEM_STATS_OUT_MCAST_PKTS, &IP_SYSTEM_STATS_OUT_MCAST_OCTETS,
        &IP_SYSTEM_STATS_DISCONTINUITY_TIME, &IP_SYSTEM_STATS_REFRESH_RATE,
    ]);
    /// Counters of IPv4 broadcast datagrams.
    IPV4_SYSTEM_STATS_GROUP = group("ipv4SystemStatsGroup", &IP_MIB_GROUPS, 9, &[
        &IP_SYSTEM_STATS_IN_BCAST_PKTS, &IP_SYSTEM_STATS_OUT_BCAST_PKTS,
    ]);
    /// 64-bit counters of octets.
    IP_SYSTEM_STATS_HC_OCTET_GROUP = group("ipSystemStatsHCOctetGroup", &IP_MIB_GROUPS, 10, &[
        &IP_SYSTEM_STATS_HC_IN_OCTETS, &IP_SYSTEM_STATS_HC_OUT_OCTETS, &IP_SYSTEM_STATS_HC_IN_MCAST_OCTETS,
        &IP_SYSTEM_STATS_HC_OUT_MCAST_OCTETS,
    ]);
    /// 64-bit counters of datagrams.
    IP_SYSTEM_STATS_HC_PACKET_GROUP = group("ipSystemStatsHCPacketGroup", &IP_MIB_GROUPS, 11, &[
        &IP_SYSTEM_STATS_HC_IN_RECEIVES, &IP_SYSTEM_STATS_HC_IN_FORW_DATAGRAMS, &IP_SYSTEM_STATS_HC_IN_DELIVERS,
        &IP_SYSTEM_STATS_HC_OUT_REQUESTS, &IP_SYSTEM_STATS_HC_OUT_FORW_DATAGRAMS, &IP_SYSTEM_STATS_HC_OUT_TRANSMITS,
        &IP_SYSTEM_STATS_HC_IN_MCAST_PKTS, &IP_SYSTEM_STATS_HC_OUT_MCAST_PKTS,
    ]);
    /// 64-bit counters of IPv4 broadcast datagrams.
    IPV4_SYSTEM_STATS_HC_PACKET_GROUP = group("ipv4SystemStatsHCPacketGroup", &IP_MIB_GROUPS, 12, &[
        &IP_SYSTEM_STATS_HC_IN_BCAST_PKTS, &IP_SYSTEM_STATS_HC_OUT_BCAST_PKTS,
    ]);
    /// Address prefixes.
    IP_ADDRESS_PREFIX_GROUP = group("ipAddressPrefixGroup", &IP_MIB_GROUPS, 18, &[
        &IP_ADDRESS_PREFIX_ORIGIN_COLUMN, &IP_ADDRESS_PREFIX_ON_LINK_FLAG, &IP_ADDRESS_PREFIX_AUTONOMOUS_FLAG,
        &IP_ADDRESS_PREFIX_ADV_PREFERRED_LIFETIME, &IP_ADDRESS_PREFIX_ADV_VALID_LIFETIME,
    ]);
    /// Addresses of IPv4 and IPv6.
    IP_ADDRESS_GROUP = group("ipAddressGroup", &IP_MIB_GROUPS, 19, &[
        &IP_ADDRESS_SPIN_LOCK, &IP_ADDRESS_IF_INDEX, &IP_ADDRESS_TYPE, &IP_ADDRESS_PREFIX, &IP_ADDRESS_ORIGIN_COLUMN,
        &IP_ADDRESS_STATUS_COLUMN, &IP_ADDRESS_CREATED, &IP_ADDRESS_LAST_CHANGED, &IP_ADDRESS_ROW_STATUS,
        &IP_ADDRESS_STORAGE_TYPE,
    ]);
    /// Physical addresses of neighbors.
    IP_NET_TO_PHYSICAL_GROUP = group("ipNetToPhysicalGroup", &IP_MIB_GROUPS, 20, &[
        &IP_NET_TO_PHYSICAL_PHYS_ADDRESS, &IP_NET_TO_PHYSICAL_LAST_UPDATED, &IP_NET_TO_PHYSICAL_TYPE,
        &IP_NET_TO_PHYSICAL_STATE, &IP_NET_TO_PHYSICAL_ROW_STATUS,
    ]);
    /// Statistics of ICMP for IPv4 and IPv6.
    ICMP_STATS_GROUP = group("icmpStatsGroup", &IP_MIB_GROUPS, 24, &[
        &ICMP_STATS_IN_MSGS, &ICMP_STATS_IN_ERRORS, &ICMP_STATS_OUT_MSGS, &ICMP_STATS_OUT_ERRORS,
        &ICMP_MSG_STATS_IN_PKTS, &ICMP_MSG_STATS_OUT_PKTS,
    ]);
}
