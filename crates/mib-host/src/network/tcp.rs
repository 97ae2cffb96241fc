//! Implements the scalars of TCP-MIB from a snapshot of the network (RFC 4022).

use portreeve_mib::{Object, modules::tcp_mib::*};
use portreeve_smi::Value::{self, Counter32, Counter64, Gauge32, Integer};

use super::Network;
use crate::snapshot_objects::ValueSource::{self, Scalar};

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
    (&TCP_IN_ERRS, Scalar(|network| counter(network, "TcpInErrs"))),
    (&TCP_OUT_RSTS, Scalar(|network| counter(network, "TcpOutRsts"))),
    (&TCP_HC_IN_SEGS, Scalar(|network| Some(Counter64(network.counters.get("TcpInSegs")?)))),
    (&TCP_HC_OUT_SEGS, Scalar(|network| Some(Counter64(network.counters.get("TcpOutSegs")?)))),
];

/// Returns the low half of a kernel counter.
pub(super) fn counter(network: &Network, name: &str) -> Option<Value<'static>> {
    network.counters.get(name).map(|count| Counter32((count & u64::from(u32::MAX)) as u32))
}

pub(super) fn integer(network: &Network, name: &str) -> Option<Value<'static>> {
    network.counters.get(name).and_then(|number| number.cast_signed().try_into().ok()).map(Integer)
}
