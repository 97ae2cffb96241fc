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
    /// How the time until a retransmission is found.
    TCP_RTO_ALGORITHM = scalar("tcpRtoAlgorithm", &TCP, 1, enumeration(&[
        ("other", 1), ("constant", 2), ("rsre", 3), ("vanj", 4), ("rfc2988", 5),
    ]), ReadOnly);
    /// The shortest time until a retransmission.
    TCP_RTO_MIN = scalar("tcpRtoMin", &TCP, 2, INTEGER32.limited(NOT_NEGATIVE), ReadOnly).units("milliseconds");
    /// The longest time until a retransmission.
    TCP_RTO_MAX = scalar("tcpRtoMax", &TCP, 3, INTEGER32.limited(NOT_NEGATIVE), ReadOnly).units("milliseconds");
    /// How many connections there may be; -1 without a fixed bound.
    TCP_MAX_CONN = scalar("tcpMaxConn", &TCP, 4, INTEGER32.limited(&[(-1, -1), (0, i32::MAX as i64)]), ReadOnly);
    /// Connections that this system began to open.
    TCP_ACTIVE_OPENS = scalar("tcpActiveOpens", &TCP, 5, COUNTER32, ReadOnly);
    /// Connections that others began to open.
    TCP_PASSIVE_OPENS = scalar("tcpPassiveOpens", &TCP, 6, COUNTER32, ReadOnly);
    /// Connections that never came to be.
    TCP_ATTEMPT_FAILS = scalar("tcpAttemptFails", &TCP, 7, COUNTER32, ReadOnly);
    /// Established connections that were reset.
    TCP_ESTAB_RESETS = scalar("tcpEstabResets", &TCP, 8, COUNTER32, ReadOnly);
    /// Connections that are established or wait for the other side to close.
    TCP_CURR_ESTAB = scalar("tcpCurrEstab", &TCP, 9, GAUGE32, ReadOnly);
    /// Segments received, those with errors included.
    TCP_IN_SEGS = scalar("tcpInSegs", &TCP, 10, COUNTER32, ReadOnly);
    /// Segments sent, those sent again excluded.
    TCP_OUT_SEGS = scalar("tcpOutSegs", &TCP, 11, COUNTER32, ReadOnly);
    /// Segments sent again.
    TCP_RETRANS_SEGS = scalar("tcpRetransSegs", &TCP, 12, COUNTER32, ReadOnly);

    /// The connections of IPv4, listening ones included.
    TCP_CONN_TABLE = table("tcpConnTable", &TCP, 13).deprecated();
    /// One connection.
    TCP_CONN_ENTRY = row("tcpConnEntry", &TCP_CONN_TABLE, Index::Objects(&[
        &TCP_CONN_LOCAL_ADDRESS, &TCP_CONN_LOCAL_PORT, &TCP_CONN_REM_ADDRESS, &TCP_CONN_REM_PORT,
    ])).deprecated();
    /// The connection's state.
    TCP_CONN_STATE = column("tcpConnState", &TCP_CONN_ENTRY, 1, enumeration(STATES), ReadWrite).deprecated();
    /// Its address here; 0.0.0.0 for any.
    TCP_CONN_LOCAL_ADDRESS = column(
        "tcpConnLocalAddress", &TCP_CONN_ENTRY, 2, IP_ADDRESS, ReadOnly).deprecated();
    /// Its port here.
    TCP_CONN_LOCAL_PORT = column(
        "tcpConnLocalPort", &TCP_CONN_ENTRY, 3, INTEGER32.limited(PORTS), ReadOnly).deprecated();
    /// Its address there.
    TCP_CONN_REM_ADDRESS = column("tcpConnRemAddress", &TCP_CONN_ENTRY, 4, IP_ADDRESS, ReadOnly).deprecated();
    /// Its port there.
    TCP_CONN_REM_PORT = column(
        "tcpConnRemPort", &TCP_CONN_ENTRY, 5, INTEGER32.limited(PORTS), ReadOnly).deprecated();

    /// Segments received with errors.
    TCP_IN_ERRS = scalar("tcpInErrs", &TCP, 14, COUNTER32, ReadOnly);
    /// Segments sent with the RST flag.
    TCP_OUT_RSTS = scalar("tcpOutRsts", &TCP, 15, COUNTER32, ReadOnly);
    /// As tcpInSegs, in 64 bits.
    TCP_HC_IN_SEGS = scalar("tcpHCInSegs", &TCP, 17, COUNTER64, ReadOnly);
    /// As tcpOutSegs, in 64 bits.
    TCP_HC_OUT_SEGS = scalar("tcpHCOutSegs", &TCP, 18, COUNTER64, ReadOnly);

    /// The connections, those that listen excluded.
    TCP_CONNECTION_TABLE = table("tcpConnectionTable", &TCP, 19);
    /// One connection.
    TCP_CONNECTION_ENTRY = row("tcpConnectionEntry", &TCP_CONNECTION_TABLE, Index::Objects(&[
        &TCP_CONNECTION_LOCAL_ADDRESS_TYPE, &TCP_CONNECTION_LOCAL_ADDRESS, &TCP_CONNECTION_LOCAL_PORT,
        &TCP_CONNECTION_REM_ADDRESS_TYPE, &TCP_CONNECTION_REM_ADDRESS, &TCP_CONNECTION_REM_PORT,
    ]));
    /// The kind of address here.
    TCP_CONNECTION_LOCAL_ADDRESS_TYPE = column(
        "tcpConnectionLocalAddressType", &TCP_CONNECTION_ENTRY, 1, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The address here.
    TCP_CONNECTION_LOCAL_ADDRESS = column(
        "tcpConnectionLocalAddress", &TCP_CONNECTION_ENTRY, 2, tc(&INET_ADDRESS), NotAccessible);
    /// The port here.
    TCP_CONNECTION_LOCAL_PORT = column(
        "tcpConnectionLocalPort", &TCP_CONNECTION_ENTRY, 3, tc(&INET_PORT_NUMBER), NotAccessible);
    /// The kind of address there.
    TCP_CONNECTION_REM_ADDRESS_TYPE = column(
        "tcpConnectionRemAddressType", &TCP_CONNECTION_ENTRY, 4, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The address there.
    TCP_CONNECTION_REM_ADDRESS = column(
        "tcpConnectionRemAddress", &TCP_CONNECTION_ENTRY, 5, tc(&INET_ADDRESS), NotAccessible);
    /// The port there.
    TCP_CONNECTION_REM_PORT = column(
        "tcpConnectionRemPort", &TCP_CONNECTION_ENTRY, 6, tc(&INET_PORT_NUMBER), NotAccessible);
    /// The connection's state.
    TCP_CONNECTION_STATE = column(
        "tcpConnectionState", &TCP_CONNECTION_ENTRY, 7, enumeration(STATES), ReadWrite);
    /// The process that the connection belongs to; 0 where there is none or it is not known.
    TCP_CONNECTION_PROCESS = column("tcpConnectionProcess", &TCP_CONNECTION_ENTRY, 8, UNSIGNED32, ReadOnly);

    /// The sockets that listen.
    TCP_LISTENER_TABLE = table("tcpListenerTable", &TCP, 20);
    /// One socket that listens.
    TCP_LISTENER_ENTRY = row("tcpListenerEntry", &TCP_LISTENER_TABLE, Index::Objects(&[
        &TCP_LISTENER_LOCAL_ADDRESS_TYPE, &TCP_LISTENER_LOCAL_ADDRESS, &TCP_LISTENER_LOCAL_PORT,
    ]));
    /// The kind of address; unknown where it listens to IPv4 and IPv6.
    TCP_LISTENER_LOCAL_ADDRESS_TYPE = column(
        "tcpListenerLocalAddressType", &TCP_LISTENER_ENTRY, 1, tc(&INET_ADDRESS_TYPE), NotAccessible);
    /// The address; all zeros for any, empty for any of both kinds.
    TCP_LISTENER_LOCAL_ADDRESS = column(
        "tcpListenerLocalAddress", &TCP_LISTENER_ENTRY, 2, tc(&INET_ADDRESS), NotAccessible);
    /// The port.
    TCP_LISTENER_LOCAL_PORT = column(
        "tcpListenerLocalPort", &TCP_LISTENER_ENTRY, 3, tc(&INET_PORT_NUMBER), NotAccessible);
    /// The process that the socket belongs to; 0 where there is none or it is not known.
    TCP_LISTENER_PROCESS = column("tcpListenerProcess", &TCP_LISTENER_ENTRY, 4, UNSIGNED32, ReadOnly);

    /// Conformance to this module.
    TCP_MIB_CONFORMANCE = node("tcpMIBConformance", &TCP_MIB, 2);
    /// Units of conformance.
    TCP_MIB_GROUPS = node("tcpMIBGroups", &TCP_MIB_CONFORMANCE, 2);
    /// TCP over IPv4.
    TCP_GROUP = group("tcpGroup", &TCP_MIB_GROUPS, 1, &[
        &TCP_RTO_ALGORITHM, &TCP_RTO_MIN, &TCP_RTO_MAX, &TCP_MAX_CONN, &TCP_ACTIVE_OPENS, &TCP_PASSIVE_OPENS,
        &TCP_ATTEMPT_FAILS, &TCP_ESTAB_RESETS, &TCP_CURR_ESTAB, &TCP_IN_SEGS, &TCP_OUT_SEGS, &TCP_RETRANS_SEGS,
        &TCP_CONN_STATE, &TCP_CONN_LOCAL_ADDRESS, &TCP_CONN_LOCAL_PORT, &TCP_CONN_REM_ADDRESS,
        &TCP_CONN_REM_PORT, &TCP_IN_ERRS, &TCP_OUT_RSTS,
    ]).deprecated();
    /// TCP as a whole.
    TCP_BASE_GROUP = group("tcpBaseGroup", &TCP_MIB_GROUPS, 2, &[
        &TCP_RTO_ALGORITHM, &TCP_RTO_MIN, &TCP_RTO_MAX, &TCP_MAX_CONN, &TCP_ACTIVE_OPENS, &TCP_PASSIVE_OPENS,
        &TCP_ATTEMPT_FAILS, &TCP_ESTAB_RESETS, &TCP_CURR_ESTAB, &TCP_IN_SEGS, &TCP_OUT_SEGS, &TCP_RETRANS_SEGS,
        &TCP_IN_ERRS, &TCP_OUT_RSTS,
    ]);
    /// Connections.
    TCP_CONNECTION_GROUP = group("tcpConnectionGroup", &TCP_MIB_GROUPS, 3, &[
        &TCP_CONNECTION_STATE, &TCP_CONNECTION_PROCESS,
    ]);
    /// Sockets that listen.
    TCP_LISTENER_GROUP = group("tcpListenerGroup", &TCP_MIB_GROUPS, 4, &[&TCP_LISTENER_PROCESS]);
    /// Counters that rise fast.
    TCP_HC_GROUP = group("tcpHCGroup", &TCP_MIB_GROUPS, 5, &[&TCP_HC_IN_SEGS, &TCP_HC_OUT_SEGS]);
}

/// RFC 9293's states; the last is an action, by which a manager ends a connection.
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
