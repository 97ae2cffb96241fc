//! TLS servers whose certificates, or whose judgement, are in the way.

use crate::{certificates::Authority, patient::Home, servers};

#[test]
fn a_server_of_an_unknown_authority_shows_its_certificate_all_the_same() {
    let (home, ours, theirs) = (Home::new(), Authority::new("ours"), Authority::new("theirs"));
    let port = servers::tls(theirs.server(&["127.0.0.1"]), Some(&ours));
    home.doctor(&format!("{} tls:127.0.0.1:{port}", ours.flags(&home))).fails_at(
        "checking who the server is",
        &[
            "TLSv1.3; TLS13_AES_128_GCM_SHA256",
            "names: 127.0.0.1",
            "signed by: CN=theirs",
            "sha256:",
            "nobody we trust has signed the certificate",
            "hint: trust the authority that signed it, or pin",
        ],
    );
}

#[test]
fn an_expired_certificate_and_one_for_another_name_are_told_apart() {
    let (home, ours) = (Home::new(), Authority::new("ours"));
    let flags = ours.flags(&home);
    let port = servers::tls(ours.expired_server(&["127.0.0.1"]), Some(&ours));
    home.doctor(&format!("{flags} tls:127.0.0.1:{port}")).fails_at(
        "checking who the server is",
        &[", expired", "made for: anybody", "the certificate has expired", "hint: have"],
    );
    let port = servers::tls(ours.server(&["agent.example"]), Some(&ours));
    home.doctor(&format!("{flags} tls:127.0.0.1:{port}")).fails_at(
        "checking who the server is",
        &["names: agent.example", "is for another name", "subjectAltName"],
    );
}

#[test]
fn a_server_that_refuses_our_certificate_is_the_one_to_change() {
    let (home, ours, theirs) = (Home::new(), Authority::new("ours"), Authority::new("theirs"));
    let port = servers::tls(theirs.server(&["127.0.0.1"]), Some(&theirs));
    home.doctor(&format!("{} tls:127.0.0.1:{port}", ours.flags_trusting(&home, &theirs))).fails_at(
        "proving who we are",
        &[
            "trusted: by the authority theirs",
            "own certificate: CN=ops",
            " days left",
            "can be called: ops (common-name), whom a rule for its fingerprint names",
            "the alert UnknownCA",
            "[[tls.name]]",
        ],
    );
}

#[test]
fn a_server_that_wants_no_certificate_is_no_agent() {
    let (home, ours) = (Home::new(), Authority::new("ours"));
    let port = servers::tls(ours.server(&["127.0.0.1"]), None);
    home.doctor(&format!("{} tls:127.0.0.1:{port}", ours.flags(&home))).fails_at(
        "proving who we are",
        &["the server wants no certificate of ours, so it cannot know who asks"],
    );
}

#[test]
fn without_a_certificate_of_our_own_the_way_ends_before_it_begins() {
    let said = Home::new().doctor("tls:127.0.0.1:1");
    said.fails_at(
        "proving who we are",
        &["there is no certificate to present", "hint: name one with --certificate"],
    );
    // No agent has judged anything yet.
    assert!(!said.text.contains("[[tls.name]]"), "{}", said.text);
}
