//! UDP and its endpoints (UDP-MIB, RFC 4113).

use super::{
    inet_address_mib::{INET_ADDRESS, INET_ADDRESS_TYPE, INET_PORT_NUMBER},
    snmpv2_smi::MIB_2,
};
use crate::{Module, define::*, object::Index};

/// Definitions of UDP-MIB.
pub static MODULE: Module = Module {
    name: "UDP-MIB",
    last_updated: "200505200000Z",
    reference: "RFC 4113",
    description: "UDP and its endpoints.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// UDP and its endpoints.
    UDP_MIB = module_identity("udpMIB", &MIB_2, 50);
    /// Objects of this module.
    UDP = node("udp", &MIB_2, 7);
    /// Datagrams delivered to applications.
    UDP_IN_DATAGRAMS = scalar("udpInDatagrams", &UDP, 1, COUNTER32, ReadOnly);
    /// Datagrams received for ports without a listener.
    UDP_NO_PORTS = scalar("udpNoPorts", &UDP, 2, COUNTER32, ReadOnly);
    /// Datagrams received that could not be delivered for other reasons.
    UDP_IN_ERRORS = scalar("udpInErrors", &UDP, 3, COUNTER32, ReadOnly);
    /// Datagrams sent.
    UDP_OUT_DATAGRAMS = scalar("udpOutDatagrams", &UDP, 4, COUNTER32, ReadOnly);

    /// IPv4 sockets on which applications receive datagrams.
    UDP_TABLE = table("udpTable", &UDP, 5).deprecated();
    /// One UDP socket over IPv4.
    UDP_ENTRY = row("udpEntry", &UDP_TABLE, Index::Objects(&[&UDP_LOCAL_ADDRESS, &UDP_LOCAL_PORT])).deprecated();
    /// The local address; 0.0.0.0 for any address.
    UDP_LOCAL_ADDRESS = column("udpLocalAddress", &UDP_ENTRY, 1, IP_ADDRESS, ReadOnly).deprecated();
    /// The local port.
    UDP_LOCAL_PORT = column("udpLocalPort", &UDP_ENTRY, 2, INTEGER32.limited(&[(0, 65535)]), ReadOnly).deprecated();

    /// Sockets on which applications send or receive datagrams.
    UDP_ENDPOINT_TABLE = table("udpEndpointTable", &UDP, 7);
    /// One UDP socket.
    UDP_ENDPOINT_ENTRY = row("udpEndpointEntry", &UDP_ENDPOINT_TABLE, Index::Objects(&[
        &UDP_ENDPOINT_LOCAL_ADDRESS_TYPE, &UDP_ENDPOINT_LOCAL_ADDRESS, &UDP_ENDPOINT_LOCAL_PORT,
        &UDP_ENDPOINT_REMOTE_ADDRESS_TYPE, &UDP_ENDPOINT_REMOTE_ADDRESS, &UDP_ENDPOINT_REMOTE_PORT,
        &UDP_ENDPOINT_INSTANCE,
    ]));
    /// The type of the local address; unknown if the socket accepts IPv4 and IPv6.
    UDP_ENDPOINT_LOCAL_ADDRESS_TYPE = column(
        "udpEndpointLocalAddressType", &UDP_ENDPOINT_ENTRY, 1, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The local address. All zeros if the endpoint receives datagrams for every address of this
    /// type; empty if it receives datagrams for every IPv4 and IPv6 address.
    UDP_ENDPOINT_LOCAL_ADDRESS = column(
        "udpEndpointLocalAddress", &UDP_ENDPOINT_ENTRY, 2, tc(&INET_ADDRESS), NotAccessible);
    /// The local port.
    UDP_ENDPOINT_LOCAL_PORT = column(
        "udpEndpointLocalPort", &UDP_ENDPOINT_ENTRY, 3, tc(&INET_PORT_NUMBER), NotAccessible);
    /// The type of the remote address; unknown if the socket is not connected.
    UDP_ENDPOINT_REMOTE_ADDRESS_TYPE = column(
        "udpEndpointRemoteAddressType", &UDP_ENDPOINT_ENTRY, 4, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The remote address; empty if the socket is not connected.
    UDP_ENDPOINT_REMOTE_ADDRESS = column(
        "udpEndpointRemoteAddress", &UDP_ENDPOINT_ENTRY, 5, tc(&INET_ADDRESS), NotAccessible);
    /// The remote port; 0 if the socket is not connected.
    UDP_ENDPOINT_REMOTE_PORT = column(
        "udpEndpointRemotePort", &UDP_ENDPOINT_ENTRY, 6, tc(&INET_PORT_NUMBER), NotAccessible);
    /// A number that distinguishes sockets with the same addresses and ports.
    UDP_ENDPOINT_INSTANCE = column(
        "udpEndpointInstance", &UDP_ENDPOINT_ENTRY, 7, UNSIGNED32.limited(&[(1, u32::MAX as i64)]), NotAccessible);
    /// The ID of the process that uses the socket; 0 if it is unknown or there is none.
    UDP_ENDPOINT_PROCESS = column("udpEndpointProcess", &UDP_ENDPOINT_ENTRY, 8, UNSIGNED32, ReadOnly);

    /// The 64-bit version of udpInDatagrams.
    UDP_HC_IN_DATAGRAMS = scalar("udpHCInDatagrams", &UDP, 8, COUNTER64, ReadOnly);
    /// The 64-bit version of udpOutDatagrams.
    UDP_HC_OUT_DATAGRAMS = scalar("udpHCOutDatagrams", &UDP, 9, COUNTER64, ReadOnly);

    /// Conformance information of this module.
    UDP_MIB_CONFORMANCE = node("udpMIBConformance", &UDP_MIB, 2);
    /// Conformance groups.
    UDP_MIB_GROUPS = node("udpMIBGroups", &UDP_MIB_CONFORMANCE, 2);
    /// Objects of UDP over IPv4.
    UDP_GROUP = group("udpGroup", &UDP_MIB_GROUPS, 1, &[
        &UDP_IN_DATAGRAMS, &UDP_NO_PORTS, &UDP_IN_ERRORS, &UDP_OUT_DATAGRAMS, &UDP_LOCAL_ADDRESS, &UDP_LOCAL_PORT,
    ]).deprecated();
    /// General objects of UDP.
    UDP_BASE_GROUP = group("udpBaseGroup", &UDP_MIB_GROUPS, 2, &[
        &UDP_IN_DATAGRAMS, &UDP_NO_PORTS, &UDP_IN_ERRORS, &UDP_OUT_DATAGRAMS,
    ]);
    /// 64-bit counters of UDP.
    UDP_HC_GROUP = group("udpHCGroup", &UDP_MIB_GROUPS, 3, &[&UDP_HC_IN_DATAGRAMS, &UDP_HC_OUT_DATAGRAMS]);
    /// Objects of endpoints.
    UDP_ENDPOINT_GROUP = group("udpEndpointGroup", &UDP_MIB_GROUPS, 4, &[&UDP_ENDPOINT_PROCESS]);
}
