//! The counters of the transport models for sessions that this engine opens (RFC 5592 §5, RFC 6353
//! §5).

use portreeve_broker_protocol::Transport;
use portreeve_channel::{ChannelError, ChannelStep};
use portreeve_snmp_engine::statistics::{Counter, Recorder};

/// Counts a session that was opened.
pub(crate) fn opened(recorder: &Recorder, transport: Transport) {
    recorder.count(match transport {
        //= rfc5592#5.2-3b
        Transport::Ssh => Counter::SnmpSshtmSessionOpens,
        //= rfc6353#5.3.1-1
        Transport::Tls | Transport::Dtls => Counter::SnmpTlstmSessionOpens,
    });
}

/// Counts a session that could not be opened.
pub(crate) fn not_opened(recorder: &Recorder, transport: Transport, error: &ChannelError, is_pinned: bool) {
    let reason = match (transport, error.step) {
        (Transport::Ssh, ChannelStep::ClientIdentity) => Some(Counter::SnmpSshtmSessionUserAuthFailures),
        (Transport::Ssh, ChannelStep::Subsystem) => Some(Counter::SnmpSshtmSessionNoSubsystems),
        (Transport::Ssh, _) => None,
        //= rfc6353#5.3.1-5
        (Transport::Tls | Transport::Dtls, ChannelStep::ServerIdentity) if is_pinned => {
            Some(Counter::SnmpTlstmSessionUnknownServerCertificate)
        }
        (Transport::Tls | Transport::Dtls, ChannelStep::ServerIdentity) => {
            Some(Counter::SnmpTlstmSessionInvalidServerCertificates)
        }
        (Transport::Tls | Transport::Dtls, _) => None,
    };
    if let Some(reason) = reason {
        recorder.count(reason);
    }
    recorder.count(match transport {
        Transport::Ssh => Counter::SnmpSshtmSessionOpenErrors,
        Transport::Tls | Transport::Dtls => Counter::SnmpTlstmSessionOpenErrors,
    });
}

/// Counts a session that this engine closes.
pub(crate) fn closed(recorder: &Recorder, transport: Transport) {
    recorder.count(match transport {
        //= rfc5592#5.4-1
        Transport::Ssh => Counter::SnmpSshtmSessionCloses,
        //= rfc6353#5.4-1
        Transport::Tls | Transport::Dtls => Counter::SnmpTlstmSessionClientCloses,
    });
}
