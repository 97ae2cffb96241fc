//! Implements the tables of UDP-MIB from a snapshot of the sockets (RFC 4113).

use portreeve_mib::{Object, modules::udp_mib::*};

use super::{
    Sockets,
    row::{UNKNOWN_PROCESS, address, index, port},
};
use crate::snapshot_objects::{
    TableRows,
    ValueSource::{self, Column},
};

pub(super) static LEAVES: &[(&Object, ValueSource<Sockets>)] = &[
    (&UDP_LOCAL_ADDRESS, Column(&IPV4_ENDPOINTS, |sockets, row| address(sockets.udp_ipv4.get(row)?.local))),
    (&UDP_LOCAL_PORT, Column(&IPV4_ENDPOINTS, |sockets, row| port(sockets.udp_ipv4.get(row)?.local))),
    (&UDP_ENDPOINT_PROCESS, Column(&ENDPOINTS, |_, _| Some(UNKNOWN_PROCESS))),
];

static IPV4_ENDPOINTS: TableRows<Sockets> = TableRows {
    count: |sockets| sockets.udp_ipv4.len(),
    index: |sockets, row| index(&sockets.udp_ipv4, row),
};
static ENDPOINTS: TableRows<Sockets> = TableRows {
    count: |sockets| sockets.udp_endpoints.len(),
    index: |sockets, row| index(&sockets.udp_endpoints, row),
};
