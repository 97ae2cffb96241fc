//! TLS servers with faulty certificates, and servers that reject our certificate.

use crate::{certificates::TestAuthority, test_home::TestHome, test_servers};

#[test]
fn details_of_untrusted_tls_server_certificate_are_printed() {
    let (home, own_ca, other_ca) =
        (TestHome::new(), TestAuthority::new("ours"), TestAuthority::new("theirs"));
    let port = test_servers::tls(other_ca.server(&["127.0.0.1"]), Some(&own_ca));
    home.doctor(&format!("{} tls:127.0.0.1:{port}", own_ca.flags(&home))).fails_at(
        "verifying the server",
        &[
            "TLSv1.3; TLS13_AES_128_GCM_SHA256",
            "names: 127.0.0.1",
            "signed by: CN=theirs",
            "sha256:",
            "no trusted authority has signed the certificate",
            "hint: trust the authority that signed the certificate, or pin",
        ],
    );
}

#[test]
fn expired_and_misnamed_tls_certificates_are_distinguished() {
    let (home, own_ca) = (TestHome::new(), TestAuthority::new("ours"));
    let flags = own_ca.flags(&home);
    let port = test_servers::tls(own_ca.expired_server(&["127.0.0.1"]), Some(&own_ca));
    home.doctor(&format!("{flags} tls:127.0.0.1:{port}")).fails_at(
        "verifying the server",
        &[
            ", expired",
            "permitted uses: any use",
            "the certificate has expired",
            "hint: renew the certificate",
        ],
    );
    let port = test_servers::tls(own_ca.server(&["agent.example"]), Some(&own_ca));
    home.doctor(&format!("{flags} tls:127.0.0.1:{port}")).fails_at(
        "verifying the server",
        &["names: agent.example", "does not contain this name", "subjectAltName"],
    );
}

#[test]
fn long_names_of_certificate_are_shortened() {
    let home = TestHome::new();
    let (own_ca, other_ca) = (TestAuthority::new("ours"), TestAuthority::new(&"n".repeat(20_000)));
    let port = test_servers::tls(other_ca.server(&["127.0.0.1"]), Some(&own_ca));
    let report = home.doctor(&format!("{} tls:127.0.0.1:{port}", own_ca.flags(&home)));
    report.fails_at("verifying the server", &["signed by: CN=nnn", "n…", "no trusted authority"]);
    assert!(report.text().len() < 4000, "{}", report.text().len());
}

#[test]
fn tls_server_that_rejects_client_certificate_is_reported() {
    let (home, own_ca, other_ca) =
        (TestHome::new(), TestAuthority::new("ours"), TestAuthority::new("theirs"));
    let port = test_servers::tls(other_ca.server(&["127.0.0.1"]), Some(&other_ca));
    home.doctor(&format!("{} tls:127.0.0.1:{port}", own_ca.flags_trusting(&home, &other_ca))).fails_at(
        "authenticating to the server",
        &[
            "trusted: by the authority theirs",
            "own certificate: CN=ops",
            " days left",
            "possible names: ops (common-name), or any name that a rule for the fingerprint of this certificate specifies",
            "the alert UnknownCA",
            "[[tls.name]]",
        ],
    );
}

#[test]
fn server_that_does_not_request_client_certificate_is_reported() {
    let (home, own_ca) = (TestHome::new(), TestAuthority::new("ours"));
    let port = test_servers::tls(own_ca.server(&["127.0.0.1"]), None);
    home.doctor(&format!("{} tls:127.0.0.1:{port}", own_ca.flags(&home)))
        .fails_at("authenticating to the server", &["the server does not request a client certificate"]);
}

#[test]
fn missing_client_certificate_is_reported_before_connecting() {
    let output = TestHome::new().doctor("tls:127.0.0.1:1");
    output.fails_at(
        "authenticating to the server",
        &["no certificate to present", "hint: specify one with --certificate"],
    );
    // The hint about `[[tls.name]]` would be wrong: no agent has received the certificate.
    assert!(!output.text.contains("[[tls.name]]"), "{}", output.text);
}
