//! Implements TCP-MIB from a snapshot of the network (RFC 4022). All objects are read-only: SNMP
//! cannot close connections.

use std::net::IpAddr;

use portreeve_mib::{Object, modules::tcp_mib::*};
use portreeve_smi::Value::{self, Counter32, Counter64, Gauge32, Integer, IpAddress};

use super::{Network, SocketRow};
use crate::snapshot_objects::{
    TableRows,
    ValueSource::{self, Column, Scalar},
};

pub(super) static LEAVES: &[(&Object, ValueSource<Network>)] = &[
    (&TCP_RTO_ALGORITHM, Scalar(|network| integer(network, "TcpRtoAlgorithm"))),
    (&TCP_RTO_MIN, Scalar(|network| integer(network, "TcpRtoMin"))),
    (&TCP_RTO_MAX, Scalar(|network| integer(network, "TcpRtoMax"))),
    (&TCP_MAX_CONN, Scalar(|network| integer(network, "TcpMaxConn"))),
    (&TCP_ACTIVE_OPENS, Scalar(|network| counter(network, "TcpActiveOpens"))),
    (&TCP_PASSIVE_OPENS, Scalar(|network| counter(network, "TcpPassiveOpens"))),
    (&TCP_ATTEMPT_FAILS, Scalar(|network| counter(network, "TcpAttemptFails"))),
    (&TCP_ESTAB_RESETS, Scalar(|network| counter(network, "TcpEstabResets"))),
    (
        &TCP_CURR_ESTAB,
        Scalar(|network| Some(Gauge32(network.counters.get("TcpCurrEstab")?.try_into().ok()?))),
    ),
    (&TCP_IN_SEGS, Scalar(|network| counter(network, "TcpInSegs"))),
    (&TCP_OUT_SEGS, Scalar(|network| counter(network, "TcpOutSegs"))),
    (&TCP_RETRANS_SEGS, Scalar(|network| counter(network, "TcpRetransSegs"))),
    (
        &TCP_CONN_STATE,
        Column(&IPV4_CONNECTIONS, |network, row| Some(Integer(network.tcp_ipv4.get(row)?.state))),
    ),
    (
        &TCP_CONN_LOCAL_ADDRESS,
        Column(&IPV4_CONNECTIONS, |network, row| address(network.tcp_ipv4.get(row)?.local)),
    ),
    (&TCP_CONN_LOCAL_PORT, Column(&IPV4_CONNECTIONS, |network, row| port(network.tcp_ipv4.get(row)?.local))),
    (
        &TCP_CONN_REM_ADDRESS,
        Column(&IPV4_CONNECTIONS, |network, row| address(network.tcp_ipv4.get(row)?.remote)),
    ),
    (&TCP_CONN_REM_PORT, Column(&IPV4_CONNECTIONS, |network, row| port(network.tcp_ipv4.get(row)?.remote))),
    (&TCP_IN_ERRS, Scalar(|network| counter(network, "TcpInErrs"))),
    (&TCP_OUT_RSTS, Scalar(|network| counter(network, "TcpOutRsts"))),
    (&TCP_HC_IN_SEGS, Scalar(|network| Some(Counter64(network.counters.get("TcpInSegs")?)))),
    (&TCP_HC_OUT_SEGS, Scalar(|network| Some(Counter64(network.counters.get("TcpOutSegs")?)))),
    (
        &TCP_CONNECTION_STATE,
        Column(&CONNECTIONS, |network, row| Some(Integer(network.tcp_connections.get(row)?.state))),
    ),
    (&TCP_CONNECTION_PROCESS, Column(&CONNECTIONS, |_, _| Some(UNKNOWN_PROCESS))),
    (&TCP_LISTENER_PROCESS, Column(&LISTENERS, |_, _| Some(UNKNOWN_PROCESS))),
];

static IPV4_CONNECTIONS: TableRows<Network> = TableRows {
    count: |network| network.tcp_ipv4.len(),
    index: |network, row| index(&network.tcp_ipv4, row),
};
static CONNECTIONS: TableRows<Network> = TableRows {
    count: |network| network.tcp_connections.len(),
    index: |network, row| index(&network.tcp_connections, row),
};
static LISTENERS: TableRows<Network> = TableRows {
    count: |network| network.tcp_listeners.len(),
    index: |network, row| index(&network.tcp_listeners, row),
};

pub(super) fn index(sockets: &[SocketRow], row: usize) -> &[u32] {
    sockets.get(row).map_or(&[], |socket| &socket.index)
}

/// Returns the low half of a kernel counter.
pub(super) fn counter(network: &Network, name: &str) -> Option<Value<'static>> {
    network.counters.get(name).map(|count| Counter32((count & u64::from(u32::MAX)) as u32))
}

pub(super) fn integer(network: &Network, name: &str) -> Option<Value<'static>> {
    network.counters.get(name).and_then(|number| number.cast_signed().try_into().ok()).map(Integer)
}

pub(super) fn address((address, _): (IpAddr, u16)) -> Option<Value<'static>> {
    match address {
        IpAddr::V4(address) => Some(IpAddress(address.octets())),
        IpAddr::V6(_) => None,
    }
}

pub(super) fn port((_, port): (IpAddr, u16)) -> Option<Value<'static>> {
    Some(Integer(i32::from(port)))
}

/// The process ID 0, which means "unknown".
pub(super) const UNKNOWN_PROCESS: Value<'static> = Gauge32(0);
