//! DTLS servers that are none, that never go on, whose certificates are wrong, or who refuse ours.

use std::sync::atomic::{AtomicU8, Ordering};

use portreeve_channel_dtls::Versions;

use crate::{certificates::Authority, patient::Home, servers};

#[test]
fn what_is_no_dtls_is_shown_and_an_echo_is_told_as_one() {
    let (home, ours) = (Home::new(), Authority::new("ours"));
    let flags = ours.flags(&home);
    let junk = servers::udp(|_| Some(b"no such service\n".to_vec()));
    home.doctor(&format!("{flags} -t 0.5 -r 0 dtls:127.0.0.1:{junk}")).fails_at(
        NEGOTIATION,
        &[
            "what comes back is no DTLS: 16 octets that begin with \"no such service\\n\"",
            "hint: see what listens at that port",
        ],
    );
    let echo = servers::udp(|datagram| Some(datagram.to_vec()));
    home.doctor(&format!("{flags} -t 0.5 -r 0 dtls:127.0.0.1:{echo}"))
        .fails_at(NEGOTIATION, &["what comes back is no DTLS: our own words"]);
}

#[test]
fn a_server_that_asks_for_its_cookie_for_ever_is_not_waited_for_for_ever() {
    let (home, ours) = (Home::new(), Authority::new("ours"));
    let count = AtomicU8::new(0);
    let forgetful = servers::udp(move |_| {
        let cookie = [&[20][..], &[count.fetch_add(1, Ordering::Relaxed); 20]].concat();
        Some(record(22, 0xff, &handshake(3, &[&[0xfe, 0xff][..], &cookie].concat())))
    });
    home.doctor(&format!("{} -t 2 -r 0 dtls:127.0.0.1:{forgetful}", ours.flags(&home))).fails_at(
        NEGOTIATION,
        &["cookie: returned to the server", "asks for its cookie again and again", "behind one address"],
    );
}

#[test]
fn alerts_are_told_in_words() {
    let (home, ours) = (Home::new(), Authority::new("ours"));
    let flags = ours.flags(&home);
    for (alert, words) in [(40, "the alert handshake failure"), (70, "the alert protocol version")] {
        let port = servers::udp(move |_| Some(record(21, 0xfd, &[2, alert])));
        home.doctor(&format!("{flags} -t 1 -r 0 dtls:127.0.0.1:{port}")).fails_at(
            NEGOTIATION,
            &[words, "hint: both ends need DTLS 1.2 with an authenticated cipher suite"],
        );
    }
}

#[test]
fn a_closed_port_fails_at_the_step_that_is_shown() {
    let (home, ours) = (Home::new(), Authority::new("ours"));
    let closed = servers::closed_port();
    home.doctor(&format!("{} -t 1 -r 0 dtls:127.0.0.1:{closed}", ours.flags(&home))).fails_at(
        NEGOTIATION,
        &["cannot be reached: Connection refused", "see that the agent listens there"],
    );
}

#[test]
fn certificates_are_judged_as_over_tls() {
    let (home, ours, theirs) = (Home::new(), Authority::new("ours"), Authority::new("theirs"));
    let flags = ours.flags(&home);
    for versions in [Versions::Only12, Versions::Only13] {
        for (pair, words) in [
            (theirs.server(&["127.0.0.1"]), "nobody we trust has signed the certificate"),
            (ours.expired_server(&["127.0.0.1"]), "the certificate has expired"),
            (ours.server(&["agent.example"]), "is for another name"),
        ] {
            let port = servers::dtls(pair, &ours, versions);
            home.doctor(&format!("{flags} -t 3 -r 0 dtls:127.0.0.1:{port}"))
                .fails_at("checking who the server is", &["names: ", "fingerprint: sha256:", words]);
        }
    }
}

#[test]
fn a_server_that_refuses_our_certificate_is_the_one_to_change() {
    let (home, ours, theirs) = (Home::new(), Authority::new("ours"), Authority::new("theirs"));
    let flags = ours.flags_trusting(&home, &theirs);
    for versions in [Versions::Only12, Versions::Only13] {
        let port = servers::dtls(theirs.server(&["127.0.0.1"]), &theirs, versions);
        home.doctor(&format!("{flags} -t 3 -r 0 dtls:127.0.0.1:{port}")).fails_at(
            "proving who we are",
            &["own certificate: CN=ops", "can be called: ops (common-name)", "[[tls.name]]"],
        );
    }
}

/// A record of epoch 0.
fn record(kind: u8, version: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[kind, 0xfe, version, 0, 0, 0, 0, 0, 0, 0, 0][..], &length, content].concat()
}

/// A handshake message in one fragment.
fn handshake(kind: u8, body: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = u32::try_from(body.len()).unwrap().to_be_bytes();
    [&[kind][..], &length, &[0; 5], &length, body].concat()
}

const NEGOTIATION: &str = "agreeing on a protocol and keys";
