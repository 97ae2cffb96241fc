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
fn what_happens_to_sessions_raises_the_counters_of_its_transport_model() {
    use Counter::*;
    use SessionEvent::{Accepted, AnswerLost, ClosedByUs, HandshakeFailed, Unnamed};
    use TransportDomain::{Dtls, Ssh, Tcp, Tls, Udp};
    let refused = HandshakeFailed(Step::ClientIdentity);
    let untrusted: &[_] = &[SnmpTlstmSessionInvalidClientCertificates, SnmpTlstmSessionOpenErrors];
    let table: [(_, _, &[Counter]); 16] = [
        (Tls, Accepted, &[SnmpTlstmSessionAccepts]),
        (Dtls, Accepted, &[SnmpTlstmSessionAccepts]),
        (Ssh, Accepted, &[]),
        (Tls, Unnamed, untrusted),
        (Dtls, refused, untrusted),
        (Ssh, refused, &[SnmpSshtmSessionUserAuthFailures]),
        (Ssh, Unnamed, &[SnmpSshtmSessionUserAuthFailures]),
        (Ssh, HandshakeFailed(Step::Subsystem), &[SnmpSshtmSessionNoSubsystems]),
        (Ssh, HandshakeFailed(Step::Negotiate), &[]),
        (Tls, HandshakeFailed(Step::Negotiate), &[SnmpTlstmSessionOpenErrors]),
        (Tls, ClosedByUs, &[SnmpTlstmSessionServerCloses]),
        (Ssh, ClosedByUs, &[SnmpSshtmSessionCloses]),
        (Dtls, AnswerLost, &[SnmpTlstmSessionNoSessions]),
        (Ssh, AnswerLost, &[SnmpSshtmSessionNoSessions]),
        (Tcp, ClosedByUs, &[]),
        (Udp, AnswerLost, &[]),
    ];
    for (domain, event, counters) in table {
        assert_eq!(session_counters(domain, event), counters, "{domain} {event:?}");
    }
}
