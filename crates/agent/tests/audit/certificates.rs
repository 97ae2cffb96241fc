//! Certificates with dates, and keys with modes: no folder can hold those.

use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa,
    KeyIdMethod, KeyPair, KeyUsagePurpose, SerialNumber,
};
use time::OffsetDateTime;

use crate::Home;

#[test]
fn a_certificate_that_ends_soon_and_one_that_has_ended_are_weak() {
    for (days, expected) in [(20, "expires on "), (-1, "has expired on "), (400, "")] {
        let home = Home::new(&format!("days{days}"));
        let end = OffsetDateTime::now_utc() + Duration::from_secs(60) + time::Duration::days(days);
        agent(&home, end);
        let said = home.audit(&[]);
        assert_eq!(said.contains("  weak      expire"), !expected.is_empty(), "{said}");
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(expected), "{said}");
        assert!(said.ends_with(if expected.is_empty() { "exit 0\n" } else { "exit 1\n" }), "{said}");
    }
}

#[test]
fn a_revocation_list_that_was_to_be_replaced_is_weak() {
    for (days, is_overdue) in [(-1, true), (2, false)] {
        let home = Home::new(&format!("crl{days}"));
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
        assert_eq!(home.checked(), "portreeved.toml: good\nexit 0\n");
        let said = home.audit(&[]);
        assert_eq!(said.contains("overdue-revocation:"), is_overdue, "{said}");
        assert_eq!(said.contains("CN=root was to be replaced by"), is_overdue, "{said}");
    }
}

#[test]
fn a_key_that_others_can_read_is_grave() {
    let home = Home::new("modes");
    agent(&home, OffsetDateTime::now_utc() + time::Duration::days(400));
    fs::set_permissions(home.0.join("agent.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let said = home.audit(&[]);
    assert!(said.contains("  grave     open-key:agent.key  portreeved.toml:6\n"), "{said}");
    assert!(said.contains("agent.key is a private key that others"), "{said}");
}

#[test]
fn check_finds_a_key_that_is_not_the_certificates() {
    let home = Home::new("mismatch");
    agent(&home, OffsetDateTime::now_utc() + time::Duration::days(400));
    assert_eq!(home.checked(), "portreeved.toml: good\nexit 0\n");
    home.write("agent.key", &KeyPair::generate().unwrap().serialize_pem());
    let said = home.checked();
    assert!(
        said.contains("portreeved.toml:6: error: agent.key: the private key is not the certificate's"),
        "{said}"
    );
    assert!(
        said.contains("hint: name the key that the certificate was made for") && said.ends_with("exit 1\n"),
        "{said}"
    );
}

/// An agent that speaks TLS, with a pinned user.
fn agent(home: &Home, end: OffsetDateTime) {
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
             [[session-user]]\nname = \"ops\"\naccess = \"read\"\n",
            "5a".repeat(32)
        ),
    );
}
