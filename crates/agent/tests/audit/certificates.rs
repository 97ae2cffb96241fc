//! Audits that depend on certificate dates and file modes, which the files of a case cannot define.

use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa,
    KeyIdMethod, KeyPair, KeyUsagePurpose, SerialNumber,
};
use time::OffsetDateTime;

use crate::TestHome;

#[test]
fn audit_reports_expired_and_expiring_certificates() {
    for (days, expected) in [(20, "expires on "), (-1, "expired on "), (400, "")] {
        let home = TestHome::new(&format!("days{days}"));
        let end = OffsetDateTime::now_utc() + Duration::from_secs(60) + time::Duration::days(days);
        agent(&home, end);
        let output = home.audit(&[]);
        assert_eq!(output.contains("  weak      expire"), !expected.is_empty(), "{output}");
        let flat = output.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(expected), "{output}");
        assert!(output.ends_with(if expected.is_empty() { "exit 0\n" } else { "exit 1\n" }), "{output}");
    }
}

#[test]
fn audit_reports_overdue_revocation_list() {
    for (days, is_overdue) in [(-1, true), (2, false)] {
        let home = TestHome::new(&format!("crl{days}"));
        let now = OffsetDateTime::now_utc();
        agent(&home, now + time::Duration::days(400));
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "root");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::CrlSign];
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let list = CertificateRevocationListParams {
            this_update: now - time::Duration::days(9),
            next_update: now + time::Duration::days(days),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: Vec::new(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        home.write("ca.pem", &root.pem());
        home.write("ca.crl", &list.signed_by(&root).unwrap().pem().unwrap());
        let toml = fs::read_to_string(home.0.join("portreeved.toml")).unwrap();
        let lists = "[tls]\nauthorities = [\"ca.pem\"]\ncrl = [\"ca.crl\"]\n";
        home.write("portreeved.toml", &toml.replace("[tls]\n", lists));
        assert_eq!(home.check(), "portreeved.toml: no errors\nexit 0\n");
        let output = home.audit(&[]);
        assert_eq!(output.contains("overdue-revocation-list:"), is_overdue, "{output}");
        assert_eq!(output.contains("CN=root expired on"), is_overdue, "{output}");
    }
}

/// Name constraints do not apply to the CommonName, so each authority can sign any CommonName.
#[test]
fn review_l9_common_name_map_is_noted_if_ca_allows_intermediate_cas() {
    for (constraints, map, is_noted) in [
        (BasicConstraints::Unconstrained, "common-name", true),
        (BasicConstraints::Constrained(1), "common-name", true),
        (BasicConstraints::Constrained(0), "common-name", false),
        (BasicConstraints::Unconstrained, "san-dns", false),
    ] {
        let home = TestHome::new("common-name");
        agent(&home, OffsetDateTime::now_utc() + time::Duration::days(400));
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(constraints);
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        home.write("ca.pem", &root.pem());
        let toml = fs::read_to_string(home.0.join("portreeved.toml")).unwrap();
        let facts = portreeve_x509::certificate_facts(root.der()).unwrap();
        let rule = format!("[[tls.name]]\nfingerprint = \"{}\"\nmap = \"{map}\"\n", facts.fingerprints[2]);
        home.write(
            "portreeved.toml",
            &(toml.replace("[tls]\n", "[tls]\nauthorities = [\"ca.pem\"]\n") + &rule),
        );
        assert_eq!(home.check(), "portreeved.toml: no errors\nexit 0\n");
        let output = home.audit(&[]);
        let line = output.contains("  note      common-name-rule:20  portreeved.toml:15\n");
        assert_eq!(line, is_noted, "{map}: {output}");
    }
}

#[test]
fn audit_reports_private_key_readable_by_others_as_critical() {
    let home = TestHome::new("modes");
    agent(&home, OffsetDateTime::now_utc() + time::Duration::days(400));
    fs::set_permissions(home.0.join("agent.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let output = home.audit(&[]);
    assert!(output.contains("  critical  open-key:agent.key  portreeved.toml:6\n"), "{output}");
    assert!(output.contains("agent.key is a private key that other users"), "{output}");
}

#[test]
fn check_reports_key_that_does_not_match_certificate() {
    let home = TestHome::new("mismatch");
    agent(&home, OffsetDateTime::now_utc() + time::Duration::days(400));
    assert_eq!(home.check(), "portreeved.toml: no errors\nexit 0\n");
    home.write("agent.key", &KeyPair::generate().unwrap().serialize_pem());
    let output = home.check();
    assert!(
        output
            .contains("portreeved.toml:6: error: agent.key: the private key does not match the certificate"),
        "{output}"
    );
    assert!(
        output.contains("hint: use the private key for which the certificate was issued")
            && output.ends_with("exit 1\n"),
        "{output}"
    );
}

/// Writes an agent configuration with TLS and a pinned user.
fn agent(home: &TestHome, end: OffsetDateTime) {
    let mut params = CertificateParams::new(vec!["agent.example".to_owned()]).unwrap();
    params.distinguished_name.push(DnType::CommonName, "agent");
    params.not_after = end;
    let key = KeyPair::generate().unwrap();
    home.write("agent.pem", &params.self_signed(&key).unwrap().pem());
    home.write("agent.key", &key.serialize_pem());
    home.write(
        "portreeved.toml",
        &format!(
            "[[listen]]\ntransport = \"tls\"\naddress = \"127.0.0.1\"\n[tls]\ncertificate = \"agent.pem\"\nkey = \"agent.key\"\n\
             [[tls.name]]\nfingerprint = \"sha256:{}\"\nname = \"ops\"\n\
             [[session-user]]\nname = \"ops\"\naccess = \"read\"\nview = \"restricted\"\n",
            "5a".repeat(32)
        ),
    );
}
