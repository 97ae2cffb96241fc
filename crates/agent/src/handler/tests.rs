use super::*;

//= rfc5592#5.2-2
//= rfc5592#5.4-1
//= rfc6353#5.1.2-1
//= rfc6353#5.2-3
//= rfc6353#5.3.2-p1
//= rfc6353#5.3.2-p3
//= rfc6353#5.4-1
//= type=test
#[test]
fn session_events_increment_transport_model_counters() {
    use Counter::*;
    use SessionEvent::{Accepted, ClosedLocally, HandshakeFailed, NoSecurityName, ResponseLost};
    use TransportDomain::{Dtls, Ssh, Tcp, Tls, Udp};
    let refused = HandshakeFailed(ChannelStep::ClientIdentity);
    let untrusted: &[_] = &[SnmpTlstmSessionInvalidClientCertificates, SnmpTlstmSessionOpenErrors];
    let table: [(_, _, &[Counter]); 16] = [
        (Tls, Accepted, &[SnmpTlstmSessionAccepts]),
        (Dtls, Accepted, &[SnmpTlstmSessionAccepts]),
        (Ssh, Accepted, &[]),
        (Tls, NoSecurityName, untrusted),
        (Dtls, refused, untrusted),
        (Ssh, refused, &[SnmpSshtmSessionUserAuthFailures]),
        (Ssh, NoSecurityName, &[SnmpSshtmSessionUserAuthFailures]),
        (Ssh, HandshakeFailed(ChannelStep::Subsystem), &[SnmpSshtmSessionNoSubsystems]),
        (Ssh, HandshakeFailed(ChannelStep::Negotiate), &[]),
        (Tls, HandshakeFailed(ChannelStep::Negotiate), &[SnmpTlstmSessionOpenErrors]),
        (Tls, ClosedLocally, &[SnmpTlstmSessionServerCloses]),
        (Ssh, ClosedLocally, &[SnmpSshtmSessionCloses]),
        (Dtls, ResponseLost, &[SnmpTlstmSessionNoSessions]),
        (Ssh, ResponseLost, &[SnmpSshtmSessionNoSessions]),
        (Tcp, ClosedLocally, &[]),
        (Udp, ResponseLost, &[]),
    ];
    for (domain, event, counters) in table {
        assert_eq!(session_counters(domain, event), counters, "{domain} {event:?}");
    }
}
