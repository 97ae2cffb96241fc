//! Implements UDP-MIB from a snapshot of the network (RFC 4113).

use portreeve_mib::{Object, modules::udp_mib::*};
use portreeve_smi::Value::Counter64;

use super::{
    Network,
    tcp::{UNKNOWN_PROCESS, address, counter, index, port},
};
use crate::snapshot_objects::{
    TableRows,
    ValueSource::{self, Column, Scalar},
};

pub(super) static LEAVES: &[(&Object, ValueSource<Network>)] = &[
    (&UDP_IN_DATAGRAMS, Scalar(|network| counter(network, "UdpInDatagrams"))),
    (&UDP_NO_PORTS, Scalar(|network| counter(network, "UdpNoPorts"))),
    (&UDP_IN_ERRORS, Scalar(|network| counter(network, "UdpInErrors"))),
    (&UDP_OUT_DATAGRAMS, Scalar(|network| counter(network, "UdpOutDatagrams"))),
    (&UDP_LOCAL_ADDRESS, Column(&IPV4_ENDPOINTS, |network, row| address(network.udp_ipv4.get(row)?.local))),
    (&UDP_LOCAL_PORT, Column(&IPV4_ENDPOINTS, |network, row| port(network.udp_ipv4.get(row)?.local))),
    (&UDP_ENDPOINT_PROCESS, Column(&ENDPOINTS, |_, _| Some(UNKNOWN_PROCESS))),
    (&UDP_HC_IN_DATAGRAMS, Scalar(|network| Some(Counter64(network.counters.get("UdpInDatagrams")?)))),
    (&UDP_HC_OUT_DATAGRAMS, Scalar(|network| Some(Counter64(network.counters.get("UdpOutDatagrams")?)))),
];

static IPV4_ENDPOINTS: TableRows<Network> = TableRows {
    count: |network| network.udp_ipv4.len(),
    index: |network, row| index(&network.udp_ipv4, row),
};
static ENDPOINTS: TableRows<Network> = TableRows {
    count: |network| network.udp_endpoints.len(),
    index: |network, row| index(&network.udp_endpoints, row),
};
