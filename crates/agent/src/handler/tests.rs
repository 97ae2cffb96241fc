use super::*;

//= rfc6353#5.3.2-p1
//= type=test
#[test]
fn what_happens_to_sessions_raises_the_counter_of_its_transport_model() {
    use SessionEvent::{Accepted, ClosedByUs, HandshakeFailed, Unnamed};
    use TransportDomain::{Dtls, Ssh, Tcp, Tls, Udp};
    let refused = HandshakeFailed(Step::ClientIdentity);
    for (domain, event, counter) in [
        (Tls, Accepted, Some(Counter::SnmpTlstmSessionAccepts)),
        (Dtls, Accepted, Some(Counter::SnmpTlstmSessionAccepts)),
        (Ssh, Accepted, None),
        (Tls, Unnamed, Some(Counter::SnmpTlstmSessionInvalidClientCertificates)),
        (Dtls, refused, Some(Counter::SnmpTlstmSessionInvalidClientCertificates)),
        (Ssh, refused, Some(Counter::SnmpSshtmSessionUserAuthFailures)),
        (Ssh, HandshakeFailed(Step::Subsystem), Some(Counter::SnmpSshtmSessionNoSubsystems)),
        (Tls, HandshakeFailed(Step::Negotiate), None),
        (Tls, ClosedByUs, Some(Counter::SnmpTlstmSessionServerCloses)),
        (Ssh, ClosedByUs, Some(Counter::SnmpSshtmSessionCloses)),
        (Tcp, ClosedByUs, None),
        (Udp, Accepted, None),
    ] {
        assert_eq!(session_counter(domain, event), counter, "{domain} {event:?}");
    }
}
