use super::*;

const ED25519: &str = "ssh-ed25519";
const ECDSA: &str = "ecdsa-sha2-nistp256";

fn key(key_type: &str, seed: u8) -> HostKey {
    let mut octets = u32::try_from(key_type.len()).unwrap().to_be_bytes().to_vec();
    octets.extend_from_slice(key_type.as_bytes());
    octets.extend_from_slice(&[seed; 36]);
    HostKey::new(octets).unwrap()
}

fn listed(names: &str, key: &HostKey) -> String {
    line::format_line(names, key, false).unwrap()
}

fn known(name: &HostName, text: &str) -> KnownHosts {
    let mut known = KnownHosts::default();
    known.add_file(name, Path::new("known_hosts"), text);
    known
}

fn place(line: usize) -> FileLocation {
    FileLocation { file: "known_hosts".into(), line }
}

fn certificate() -> HostCertificate {
    HostCertificate {
        authority: key(ED25519, 9),
        key: key(ED25519, 1),
        is_weak: false,
        is_for_hosts: true,
        has_critical_options: false,
        valid_after: 100,
        valid_before: 200,
        principals: vec!["*.example".into()],
    }
}

#[test]
fn host_key_is_known_if_listed_by_name_pattern_or_hashed_name() {
    let own = key(ED25519, 1);
    let hashed = line::format_line("[gw.example]:5161", &own, true).unwrap();
    assert!(hashed.starts_with("|1|"));
    let name = HostName::new("GW.example", 5161);
    for text in [
        listed("[gw.example]:5161", &own),
        listed("other,[GW.Example]:5161", &own),
        listed("[*.example]:5161", &own),
        listed("*", &own),
        hashed,
        listed("gw.example", &own),
    ] {
        assert_eq!(known(&name, &text).check_key(&own), HostKeyVerdict::Known, "{text}");
    }
    for text in
        [listed("[gw.example]:22", &own), listed("*,!gw.example,![gw.example]:*", &own), String::new()]
    {
        assert_eq!(known(&name, &text).check_key(&own), HostKeyVerdict::Unknown { others: vec![] }, "{text}");
    }
}

#[test]
fn host_name_hashed_by_ssh_keygen_is_matched() {
    // This line is the output of `ssh-keygen -H`.
    let text = "|1|CUbHdtkDDo+S1g6G2/OX77cnIXw=|fz5sQEgd9VhKWCRWlf6q0cEQCYc= \
                ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAe0eyx95zSj2zsNpz2z5EAfc9U05GYq3OWQtd/Qkl1c\n";
    let found = known(&HostName::new("192.168.1.61", 22), text);
    assert_eq!(found.entries.len(), 1);
    assert_eq!(known(&HostName::new("192.168.1.62", 22), text).entries.len(), 0);
}

#[test]
fn different_host_key_of_the_listed_type_is_reported_as_changed() {
    let text = format!("\n{}", listed("gw", &key(ED25519, 1)));
    let HostKeyVerdict::Changed { known } =
        known(&HostName::new("gw", 22), &text).check_key(&key(ED25519, 2))
    else {
        panic!("key is not reported as changed");
    };
    assert_eq!((known.location, known.key), (place(2), key(ED25519, 1)));
}

#[test]
fn unknown_host_key_is_reported_with_listed_keys_of_other_types() {
    let found = known(&HostName::new("gw", 22), &listed("gw", &key(ECDSA, 1)));
    assert_eq!(found.check_key(&key(ED25519, 2)), HostKeyVerdict::Unknown { others: vec![place(1)] });
    assert_eq!(found.key_types().collect::<Vec<_>>(), [ECDSA]);
}

#[test]
fn key_of_port_22_is_known_on_other_ports_and_different_key_is_unknown() {
    let found = known(&HostName::new("gw", 5161), &listed("gw", &key(ED25519, 1)));
    assert_eq!(found.check_key(&key(ED25519, 1)), HostKeyVerdict::Known);
    assert_eq!(found.check_key(&key(ED25519, 2)), HostKeyVerdict::Unknown { others: vec![] });
}

#[test]
fn revoked_host_key_is_refused_even_if_also_listed_as_known() {
    let own = key(ED25519, 1);
    let text = format!("{}@revoked * {}", listed("gw", &own), listed("", &own).trim_start());
    let found = known(&HostName::new("gw", 5161), &text);
    assert_eq!(found.check_key(&own), HostKeyVerdict::Revoked { location: place(2), authority: false });
    assert_eq!(
        found.check_certificate(
            &HostName::new("gw", 22),
            &HostCertificate { key: own, ..certificate() },
            150
        ),
        HostKeyVerdict::Revoked { location: place(2), authority: false }
    );
}

#[test]
fn only_valid_host_certificates_of_a_listed_authority_are_accepted() {
    let name = HostName::new("gw.example", 5161);
    let text = format!("@cert-authority *.example {}", listed("", &key(ED25519, 9)).trim_start());
    let found = known(&name, &text);
    assert!(found.has_authorities());
    let check = |certificate: HostCertificate, now| found.check_certificate(&name, &certificate, now);
    assert_eq!(check(certificate(), 100), HostKeyVerdict::Certified);
    assert_eq!(check(certificate(), 199), HostKeyVerdict::Certified);
    for (why, certificate, now) in [
        ("too early", certificate(), 99),
        ("too late", certificate(), 200),
        ("a user's", HostCertificate { is_for_hosts: false, ..certificate() }, 150),
        ("weak", HostCertificate { is_weak: true, ..certificate() }, 150),
        ("options", HostCertificate { has_critical_options: true, ..certificate() }, 150),
        ("other names", HostCertificate { principals: vec!["gw".into()], ..certificate() }, 150),
        ("no names", HostCertificate { principals: vec![], ..certificate() }, 150),
    ] {
        assert!(matches!(check(certificate, now), HostKeyVerdict::BadCertificate(_)), "{why}");
    }
    let untrusted = HostCertificate { authority: key(ED25519, 8), ..certificate() };
    assert_eq!(check(untrusted, 150), HostKeyVerdict::Unknown { others: vec![] }, "treated like a plain key");
}

#[test]
fn host_key_with_expired_certificate_remains_known_unless_revoked() {
    let name = HostName::new("gw.example", 5161);
    let plain = certificate().key;
    let text = format!(
        "@cert-authority *.example {}\n{}",
        listed("", &key(ED25519, 9)).trim(),
        listed("[gw.example]:5161", &plain)
    );
    let found = known(&name, &text);
    assert_eq!(found.check_certificate(&name, &certificate(), 150), HostKeyVerdict::Certified);
    assert_eq!(
        found.check_certificate(&name, &certificate(), 200),
        HostKeyVerdict::Known,
        "the certificate has expired"
    );
    let text = format!("{text}\n@revoked * {}", listed("", &plain).trim_start());
    let verdict = known(&name, &text).check_certificate(&name, &certificate(), 200);
    assert!(matches!(verdict, HostKeyVerdict::Revoked { authority: false, .. }), "{verdict:?}");
}

#[test]
fn revoked_certificate_authority_is_distinguished_from_a_revoked_key() {
    let name = HostName::new("gw.example", 5161);
    let authority = listed("", &key(ED25519, 9));
    let text = format!("@cert-authority * {0}\n@revoked * {0}", authority.trim());
    let verdict = known(&name, &text).check_certificate(&name, &certificate(), 150);
    assert_eq!(verdict, HostKeyVerdict::Revoked { location: place(2), authority: true });
}

#[test]
fn authority_key_is_not_accepted_as_a_host_key() {
    let text = format!("@cert-authority gw {}", listed("", &key(ED25519, 9)).trim_start());
    assert_eq!(
        known(&HostName::new("gw", 22), &text).check_key(&key(ED25519, 9)),
        HostKeyVerdict::Unknown { others: vec![] }
    );
}

#[test]
fn invalid_known_hosts_lines_are_skipped_and_reported() {
    let text = "gw\ngw ssh-ed25519\n@other gw ssh-ed25519 AAAA\ngw ssh-ed25519 !!!\ngw ssh-rsa AAAAC3NzaC1lZDI1NTE5\n|1|x gw k\n# gw\n\n";
    let found = known(&HostName::new("gw", 22), text);
    assert_eq!(found.entries, []);
    assert_eq!(found.invalid_lines().len(), 6);
}

#[test]
fn host_key_alias_is_lowercased_and_has_no_port() {
    let name = HostName::alias("Rack");
    assert_eq!((name.with_port().as_str(), name.without_port()), ("rack", None));
}
