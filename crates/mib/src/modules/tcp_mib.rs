//! TCP and its connections (TCP-MIB, RFC 4022).

use super::{
    inet_address_mib::{INET_ADDRESS, INET_ADDRESS_TYPE, INET_PORT_NUMBER},
    snmpv2_smi::MIB_2,
};
use crate::{
    Module,
    define::*,
    object::Index,
    syntax::{Labels, Limits},
};

/// Definitions of TCP-MIB.
pub static MODULE: Module = Module {
    name: "TCP-MIB",
    last_updated: "200502180000Z",
    reference: "RFC 4022",
    description: "TCP and its connections.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// TCP and its connections.
    TCP_MIB = module_identity("tcpMIB", &MIB_2, 49);
    /// Objects of this module.
    TCP = node("tcp", &MIB_2, 6);
    /// The algorithm for the retransmission timeout.
    TCP_RTO_ALGORITHM = scalar("tcpRtoAlgorithm", &TCP, 1, enumeration(&[
        ("other", 1), ("constant", 2), ("rsre", 3), ("vanj", 4), ("rfc2988", 5),
    ]), ReadOnly);
    /// The minimum retransmission timeout.
    TCP_RTO_MIN = scalar("tcpRtoMin", &TCP, 2, INTEGER32.limited(NOT_NEGATIVE), ReadOnly).units("milliseconds");
    /// The maximum retransmission timeout.
    TCP_RTO_MAX = scalar("tcpRtoMax", &TCP, 3, INTEGER32.limited(NOT_NEGATIVE), ReadOnly).units("milliseconds");
    /// The maximum number of connections; -1 if there is no fixed limit.
    TCP_MAX_CONN = scalar("tcpMaxConn", &TCP, 4, INTEGER32.limited(&[(-1, -1), (0, i32::MAX as i64)]), ReadOnly);
    /// Connections opened by this system.
    TCP_ACTIVE_OPENS = scalar("tcpActiveOpens", &TCP, 5, COUNTER32, ReadOnly);
    /// Connections opened by peers.
    TCP_PASSIVE_OPENS = scalar("tcpPassiveOpens", &TCP, 6, COUNTER32, ReadOnly);
    /// Connection attempts that failed.
    TCP_ATTEMPT_FAILS = scalar("tcpAttemptFails", &TCP, 7, COUNTER32, ReadOnly);
    /// Established connections that were reset.
    TCP_ESTAB_RESETS = scalar("tcpEstabResets", &TCP, 8, COUNTER32, ReadOnly);
    /// Connections in the state established or closeWait.
    TCP_CURR_ESTAB = scalar("tcpCurrEstab", &TCP, 9, GAUGE32, ReadOnly);
    /// Segments received, including those with errors.
    TCP_IN_SEGS = scalar("tcpInSegs", &TCP, 10, COUNTER32, ReadOnly);
    /// Segments sent, excluding retransmissions.
    TCP_OUT_SEGS = scalar("tcpOutSegs", &TCP, 11, COUNTER32, ReadOnly);
    /// Segments retransmitted.
    TCP_RETRANS_SEGS = scalar("tcpRetransSegs", &TCP, 12, COUNTER32, ReadOnly);

    /// IPv4 connections, including listening sockets.
    TCP_CONN_TABLE = table("tcpConnTable", &TCP, 13).deprecated();
    /// One TCP connection.
    TCP_CONN_ENTRY = row("tcpConnEntry", &TCP_CONN_TABLE, Index::Objects(&[
        &TCP_CONN_LOCAL_ADDRESS, &TCP_CONN_LOCAL_PORT, &TCP_CONN_REM_ADDRESS, &TCP_CONN_REM_PORT,
    ])).deprecated();
    /// The state of the connection.
    TCP_CONN_STATE = column("tcpConnState", &TCP_CONN_ENTRY, 1, enumeration(STATES), ReadWrite).deprecated();
    /// The local address; 0.0.0.0 for any address.
    TCP_CONN_LOCAL_ADDRESS = column(
        "tcpConnLocalAddress", &TCP_CONN_ENTRY, 2, IP_ADDRESS, ReadOnly).deprecated();
    /// The local port.
    TCP_CONN_LOCAL_PORT = column(
        "tcpConnLocalPort", &TCP_CONN_ENTRY, 3, INTEGER32.limited(PORTS), ReadOnly).deprecated();
    /// The remote address.
    TCP_CONN_REM_ADDRESS = column("tcpConnRemAddress", &TCP_CONN_ENTRY, 4, IP_ADDRESS, ReadOnly).deprecated();
    /// The remote port.
    TCP_CONN_REM_PORT = column(
        "tcpConnRemPort", &TCP_CONN_ENTRY, 5, INTEGER32.limited(PORTS), ReadOnly).deprecated();

    /// Segments received with errors.
    TCP_IN_ERRS = scalar("tcpInErrs", &TCP, 14, COUNTER32, ReadOnly);
    /// Segments sent with the RST flag.
    TCP_OUT_RSTS = scalar("tcpOutRsts", &TCP, 15, COUNTER32, ReadOnly);
    /// The 64-bit version of tcpInSegs.
    TCP_HC_IN_SEGS = scalar("tcpHCInSegs", &TCP, 17, COUNTER64, ReadOnly);
    /// The 64-bit version of tcpOutSegs.
    TCP_HC_OUT_SEGS = scalar("tcpHCOutSegs", &TCP, 18, COUNTER64, ReadOnly);

    /// Connections, excluding listening sockets.
    TCP_CONNECTION_TABLE = table("tcpConnectionTable", &TCP, 19);
    /// One TCP connection.
    TCP_CONNECTION_ENTRY = row("tcpConnectionEntry", &TCP_CONNECTION_TABLE, Index::Objects(&[
        &TCP_CONNECTION_LOCAL_ADDRESS_TYPE, &TCP_CONNECTION_LOCAL_ADDRESS, &TCP_CONNECTION_LOCAL_PORT,
        &TCP_CONNECTION_REM_ADDRESS_TYPE, &TCP_CONNECTION_REM_ADDRESS, &TCP_CONNECTION_REM_PORT,
    ]));
    /// The type of the local address.
    TCP_CONNECTION_LOCAL_ADDRESS_TYPE = column(
        "tcpConnectionLocalAddressType", &TCP_CONNECTION_ENTRY, 1, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The local address.
    TCP_CONNECTION_LOCAL_ADDRESS = column(
        "tcpConnectionLocalAddress", &TCP_CONNECTION_ENTRY, 2, tc(&INET_ADDRESS), NotAccessible);
    /// The local port.
    TCP_CONNECTION_LOCAL_PORT = column(
        "tcpConnectionLocalPort", &TCP_CONNECTION_ENTRY, 3, tc(&INET_PORT_NUMBER), NotAccessible);
    /// The type of the remote address.
    TCP_CONNECTION_REM_ADDRESS_TYPE = column(
        "tcpConnectionRemAddressType", &TCP_CONNECTION_ENTRY, 4, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The remote address.
    TCP_CONNECTION_REM_ADDRESS = column(
        "tcpConnectionRemAddress", &TCP_CONNECTION_ENTRY, 5, tc(&INET_ADDRESS), NotAccessible);
    /// The remote port.
    TCP_CONNECTION_REM_PORT = column(
        "tcpConnectionRemPort", &TCP_CONNECTION_ENTRY, 6, tc(&INET_PORT_NUMBER), NotAccessible);
    /// The state of the connection.
    TCP_CONNECTION_STATE = column(
        "tcpConnectionState", &TCP_CONNECTION_ENTRY, 7, enumeration(STATES), ReadWrite);
    /// The ID of the process that uses the connection; 0 if it is unknown or there is none.
    TCP_CONNECTION_PROCESS = column("tcpConnectionProcess", &TCP_CONNECTION_ENTRY, 8, UNSIGNED32, ReadOnly);

    /// Listening sockets.
    TCP_LISTENER_TABLE = table("tcpListenerTable", &TCP, 20);
    /// One listening TCP socket.
    TCP_LISTENER_ENTRY = row("tcpListenerEntry", &TCP_LISTENER_TABLE, Index::Objects(&[
        &TCP_LISTENER_LOCAL_ADDRESS_TYPE, &TCP_LISTENER_LOCAL_ADDRESS, &TCP_LISTENER_LOCAL_PORT,
    ]));
    /// The type of the local address; unknown if the socket listens on both IPv4 and IPv6.
    TCP_LISTENER_LOCAL_ADDRESS_TYPE = column(
        "tcpListenerLocalAddressType", &TCP_LISTENER_ENTRY, 1, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The local address. All zeros if the listener accepts connections to every address of this
    /// type; empty if it accepts connections to every IPv4 and IPv6 address.
    TCP_LISTENER_LOCAL_ADDRESS = column(
        "tcpListenerLocalAddress", &TCP_LISTENER_ENTRY, 2, tc(&INET_ADDRESS), NotAccessible);
    /// The port on which the socket listens.
    TCP_LISTENER_LOCAL_PORT = column(
        "tcpListenerLocalPort", &TCP_LISTENER_ENTRY, 3, tc(&INET_PORT_NUMBER), NotAccessible);
    /// The ID of the process that uses the socket; 0 if it is unknown or there is none.
    TCP_LISTENER_PROCESS = column("tcpListenerProcess", &TCP_LISTENER_ENTRY, 4, UNSIGNED32, ReadOnly);

    /// Conformance information of this module.
    TCP_MIB_CONFORMANCE = node("tcpMIBConformance", &TCP_MIB, 2);
    /// Conformance groups.
    TCP_MIB_GROUPS = node("tcpMIBGroups", &TCP_MIB_CONFORMANCE, 2);
    /// Objects of TCP over IPv4.
    TCP_GROUP = group("tcpGroup", &TCP_MIB_GROUPS, 1, &[
        &TCP_RTO_ALGORITHM, &TCP_RTO_MIN, &TCP_RTO_MAX, &TCP_MAX_CONN, &TCP_ACTIVE_OPENS, &TCP_PASSIVE_OPENS,
        &TCP_ATTEMPT_FAILS, &TCP_ESTAB_RESETS, &TCP_CURR_ESTAB, &TCP_IN_SEGS, &TCP_OUT_SEGS, &TCP_RETRANS_SEGS,
        &TCP_CONN_STATE, &TCP_CONN_LOCAL_ADDRESS, &TCP_CONN_LOCAL_PORT, &TCP_CONN_REM_ADDRESS,
        &TCP_CONN_REM_PORT, &TCP_IN_ERRS, &TCP_OUT_RSTS,
    ]).deprecated();
    /// General objects of TCP.
    TCP_BASE_GROUP = group("tcpBaseGroup", &TCP_MIB_GROUPS, 2, &[
        &TCP_RTO_ALGORITHM, &TCP_RTO_MIN, &TCP_RTO_MAX, &TCP_MAX_CONN, &TCP_ACTIVE_OPENS, &TCP_PASSIVE_OPENS,
        &TCP_ATTEMPT_FAILS, &TCP_ESTAB_RESETS, &TCP_CURR_ESTAB, &TCP_IN_SEGS, &TCP_OUT_SEGS, &TCP_RETRANS_SEGS,
        &TCP_IN_ERRS, &TCP_OUT_RSTS,
    ]);
    /// Objects of connections.
    TCP_CONNECTION_GROUP = group("tcpConnectionGroup", &TCP_MIB_GROUPS, 3, &[
        &TCP_CONNECTION_STATE, &TCP_CONNECTION_PROCESS,
    ]);
    /// Objects of listening sockets.
    TCP_LISTENER_GROUP = group("tcpListenerGroup", &TCP_MIB_GROUPS, 4, &[&TCP_LISTENER_PROCESS]);
    /// 64-bit counters of TCP.
    TCP_HC_GROUP = group("tcpHCGroup", &TCP_MIB_GROUPS, 5, &[&TCP_HC_IN_SEGS, &TCP_HC_OUT_SEGS]);
}

/// The connection states of RFC 9293. The last value is an action with which a manager closes a
/// connection.
const STATES: Labels = &[
    ("closed", 1),
    ("listen", 2),
    ("synSent", 3),
    ("synReceived", 4),
    ("established", 5),
    ("finWait1", 6),
    ("finWait2", 7),
    ("closeWait", 8),
    ("lastAck", 9),
    ("closing", 10),
    ("timeWait", 11),
    ("deleteTCB", 12),
];
const PORTS: Limits = &[(0, 65535)];
