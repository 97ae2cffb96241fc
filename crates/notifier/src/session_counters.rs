//! The counters of the transport models for sessions that this engine opens as a client (RFC 5592
//! §5.3, RFC 6353 §5.3.1).

use portreeve_broker_protocol::Transport;
use portreeve_channel::{ChannelError, ChannelReason, ChannelStep};
use portreeve_snmp_engine::statistics::{Counter, Recorder};

/// Counts an attempt to open a session, whether it succeeds or not.
pub(crate) fn count_attempt(recorder: &Recorder, transport: Transport) {
    recorder.count(match transport {
        //= rfc5592#5.3-1
        Transport::Ssh => Counter::SnmpSshtmSessionOpens,
        //= rfc6353#5.3.1-1
        Transport::Tls | Transport::Dtls => Counter::SnmpTlstmSessionOpens,
    });
}

/// Counts a session that could not be opened, or that the receiver has rejected after it was open
/// on this side.
pub(crate) fn count_failure(recorder: &Recorder, transport: Transport, error: &ChannelError) {
    let (reason, failure) = match transport {
        //= rfc5592#5.2-3b-p2
        Transport::Ssh => (ssh_reason(error), Counter::SnmpSshtmSessionOpenErrors),
        //= rfc6353#5.2-5b-p2
        Transport::Tls | Transport::Dtls => (tls_reason(error), Counter::SnmpTlstmSessionOpenErrors),
    };
    if let Some(reason) = reason {
        recorder.count(reason);
    }
    recorder.count(failure);
}

fn ssh_reason(error: &ChannelError) -> Option<Counter> {
    match (error.step, error.reason) {
        //= rfc5592#5.3-3-p2
        (ChannelStep::ClientIdentity, _) => Some(Counter::SnmpSshtmSessionUserAuthFailures),
        //= rfc5592#5.3-4-p2
        (_, Some(ChannelReason::NoSessionChannel)) => Some(Counter::SnmpSshtmSessionNoChannels),
        //= rfc5592#5.3-5-p2
        (ChannelStep::Subsystem, _) => Some(Counter::SnmpSshtmSessionNoSubsystems),
        _ => None,
    }
}

//= rfc6353#5.3.1-3-p2
fn tls_reason(error: &ChannelError) -> Option<Counter> {
    match (error.step, error.reason) {
        (ChannelStep::ServerIdentity, Some(ChannelReason::UnknownCertificate)) => {
            Some(Counter::SnmpTlstmSessionUnknownServerCertificate)
        }
        (ChannelStep::ServerIdentity, _) => Some(Counter::SnmpTlstmSessionInvalidServerCertificates),
        _ => None,
    }
}

/// Counts a session that this engine closes.
pub(crate) fn count_close(recorder: &Recorder, transport: Transport) {
    recorder.count(match transport {
        //= rfc5592#5.4-1
        Transport::Ssh => Counter::SnmpSshtmSessionCloses,
        //= rfc6353#5.4-1-p2
        Transport::Tls | Transport::Dtls => Counter::SnmpTlstmSessionClientCloses,
    });
}
