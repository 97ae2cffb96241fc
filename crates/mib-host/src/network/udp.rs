//! Implements the scalars of UDP-MIB from a snapshot of the network (RFC 4113).

use portreeve_mib::{Object, modules::udp_mib::*};
use portreeve_smi::Value::Counter64;

use super::{Network, tcp::counter};
use crate::snapshot_objects::ValueSource::{self, Scalar};

pub(super) static LEAVES: &[(&Object, ValueSource<Network>)] = &[
    (&UDP_IN_DATAGRAMS, Scalar(|network| counter(network, "UdpInDatagrams"))),
    (&UDP_NO_PORTS, Scalar(|network| counter(network, "UdpNoPorts"))),
    (&UDP_IN_ERRORS, Scalar(|network| counter(network, "UdpInErrors"))),
    (&UDP_OUT_DATAGRAMS, Scalar(|network| counter(network, "UdpOutDatagrams"))),
    (&UDP_HC_IN_DATAGRAMS, Scalar(|network| Some(Counter64(network.counters.get("UdpInDatagrams")?)))),
    (&UDP_HC_OUT_DATAGRAMS, Scalar(|network| Some(Counter64(network.counters.get("UdpOutDatagrams")?)))),
];
