//! Servers that do not speak DTLS, that request cookies endlessly, that have faulty certificates,
//! or that reject our certificate.

use std::sync::atomic::{AtomicU8, Ordering};

use portreeve_channel_dtls::Versions;

use crate::{certificates::TestAuthority, test_home::TestHome, test_servers};

#[test]
fn non_dtls_reply_and_echoed_datagram_are_reported() {
    let (home, own_ca) = (TestHome::new(), TestAuthority::new("ours"));
    let flags = own_ca.flags(&home);
    let junk = test_servers::udp(|_| Some(b"no such service\n".to_vec()));
    home.doctor(&format!("{flags} -t 0.5 -r 0 dtls:127.0.0.1:{junk}")).fails_at(
        NEGOTIATION,
        &[
            "the reply is not DTLS: 16 octets that start with \"no such service\\n\"",
            "hint: check which service listens on that port",
        ],
    );
    let echo = test_servers::udp(|datagram| Some(datagram.to_vec()));
    home.doctor(&format!("{flags} -t 0.5 -r 0 dtls:127.0.0.1:{echo}"))
        .fails_at(NEGOTIATION, &["the reply is not DTLS: our own datagram"]);
}

#[test]
fn diagnosis_ends_at_timeout_if_server_keeps_requesting_dtls_cookie() {
    let (home, own_ca) = (TestHome::new(), TestAuthority::new("ours"));
    let count = AtomicU8::new(0);
    let server = test_servers::udp(move |_| {
        let cookie = [&[20][..], &[count.fetch_add(1, Ordering::Relaxed); 20]].concat();
        Some(record(22, 0xff, &handshake(3, &[&[0xfe, 0xff][..], &cookie].concat())))
    });
    home.doctor(&format!("{} -t 2 -r 0 dtls:127.0.0.1:{server}", own_ca.flags(&home))).fails_at(
        NEGOTIATION,
        &[
            "cookie: returned to the server",
            "keeps requesting a DTLS cookie",
            "servers that share an address",
        ],
    );
}

#[test]
fn dtls_alerts_are_reported_by_name() {
    let (home, own_ca) = (TestHome::new(), TestAuthority::new("ours"));
    let flags = own_ca.flags(&home);
    for (alert, words) in [(40, "the alert handshake failure"), (70, "the alert protocol version")] {
        let port = test_servers::udp(move |_| Some(record(21, 0xfd, &[2, alert])));
        home.doctor(&format!("{flags} -t 1 -r 0 dtls:127.0.0.1:{port}")).fails_at(
            NEGOTIATION,
            &[words, "hint: both sides must support DTLS 1.3, or DTLS 1.2 with a common AEAD cipher suite"],
        );
    }
}

#[test]
fn diagnosis_of_closed_dtls_port_fails_at_negotiation_step() {
    let (home, own_ca) = (TestHome::new(), TestAuthority::new("ours"));
    let closed = test_servers::closed_port();
    home.doctor(&format!("{} -t 1 -r 0 dtls:127.0.0.1:{closed}", own_ca.flags(&home)))
        .fails_at(NEGOTIATION, &["not reachable: Connection refused", "check that the agent listens there"]);
}

#[test]
fn untrusted_expired_and_misnamed_dtls_certificates_are_distinguished() {
    let (home, own_ca, other_ca) =
        (TestHome::new(), TestAuthority::new("ours"), TestAuthority::new("theirs"));
    let flags = own_ca.flags(&home);
    for versions in [Versions::Only12, Versions::Only13] {
        for (pair, words) in [
            (other_ca.server(&["127.0.0.1"]), "no trusted authority has signed the certificate"),
            (own_ca.expired_server(&["127.0.0.1"]), "the certificate has expired"),
            (own_ca.server(&["agent.example"]), "does not contain this name"),
        ] {
            let port = test_servers::dtls(pair, &own_ca, versions);
            home.doctor(&format!("{flags} -t 3 -r 0 dtls:127.0.0.1:{port}"))
                .fails_at("verifying the server", &["names: ", "fingerprint: sha256:", words]);
        }
    }
}

#[test]
fn dtls_server_that_rejects_client_certificate_is_reported() {
    let (home, own_ca, other_ca) =
        (TestHome::new(), TestAuthority::new("ours"), TestAuthority::new("theirs"));
    let flags = own_ca.flags_trusting(&home, &other_ca);
    for versions in [Versions::Only12, Versions::Only13] {
        let port = test_servers::dtls(other_ca.server(&["127.0.0.1"]), &other_ca, versions);
        home.doctor(&format!("{flags} -t 3 -r 0 dtls:127.0.0.1:{port}")).fails_at(
            "authenticating to the server",
            &["own certificate: CN=ops", "possible names: ops (common-name)", "[[tls.name]]"],
        );
    }
}

/// Returns an unencrypted record: it has epoch 0.
fn record(kind: u8, version: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[kind, 0xfe, version, 0, 0, 0, 0, 0, 0, 0, 0][..], &length, content].concat()
}

/// Returns a handshake message in one fragment.
fn handshake(kind: u8, body: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = u32::try_from(body.len()).unwrap().to_be_bytes();
    [&[kind][..], &length, &[0; 5], &length, body].concat()
}

const NEGOTIATION: &str = "negotiating protocol and keys";
