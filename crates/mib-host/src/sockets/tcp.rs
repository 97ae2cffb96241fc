//! Implements the tables of TCP-MIB from a snapshot of the sockets (RFC 4022). They are read-only:
//! SNMP cannot close connections.

use portreeve_mib::{Object, modules::tcp_mib::*};
use portreeve_smi::Value::Integer;

use super::{
    Sockets,
    row::{UNKNOWN_PROCESS, address, index, port},
};
use crate::snapshot_objects::{
    TableRows,
    ValueSource::{self, Column},
};

pub(super) static LEAVES: &[(&Object, ValueSource<Sockets>)] = &[
    (
        &TCP_CONN_STATE,
        Column(&IPV4_CONNECTIONS, |sockets, row| Some(Integer(sockets.tcp_ipv4.get(row)?.state))),
    ),
    (
        &TCP_CONN_LOCAL_ADDRESS,
        Column(&IPV4_CONNECTIONS, |sockets, row| address(sockets.tcp_ipv4.get(row)?.local)),
    ),
    (&TCP_CONN_LOCAL_PORT, Column(&IPV4_CONNECTIONS, |sockets, row| port(sockets.tcp_ipv4.get(row)?.local))),
    (
        &TCP_CONN_REM_ADDRESS,
        Column(&IPV4_CONNECTIONS, |sockets, row| address(sockets.tcp_ipv4.get(row)?.remote)),
    ),
    (&TCP_CONN_REM_PORT, Column(&IPV4_CONNECTIONS, |sockets, row| port(sockets.tcp_ipv4.get(row)?.remote))),
    (
        &TCP_CONNECTION_STATE,
        Column(&CONNECTIONS, |sockets, row| Some(Integer(sockets.tcp_connections.get(row)?.state))),
    ),
    (&TCP_CONNECTION_PROCESS, Column(&CONNECTIONS, |_, _| Some(UNKNOWN_PROCESS))),
    (&TCP_LISTENER_PROCESS, Column(&LISTENERS, |_, _| Some(UNKNOWN_PROCESS))),
];

static IPV4_CONNECTIONS: TableRows<Sockets> = TableRows {
    count: |sockets| sockets.tcp_ipv4.len(),
    index: |sockets, row| index(&sockets.tcp_ipv4, row),
};
static CONNECTIONS: TableRows<Sockets> = TableRows {
    count: |sockets| sockets.tcp_connections.len(),
    index: |sockets, row| index(&sockets.tcp_connections, row),
};
static LISTENERS: TableRows<Sockets> = TableRows {
    count: |sockets| sockets.tcp_listeners.len(),
    index: |sockets, row| index(&sockets.tcp_listeners, row),
};
