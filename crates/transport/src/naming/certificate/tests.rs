use portreeve_channel::HashAlgorithm;
use portreeve_mib::Object;
use portreeve_smi::Oid;

use super::*;

fn fingerprint(of: u8) -> Fingerprint {
    Fingerprint::new(HashAlgorithm::Sha256, &[of; 32]).unwrap()
}

fn rule(of: u8, map_type: &Object, data: &str) -> CertToName {
    CertToName {
        fingerprint: fingerprint(of).to_octets().into(),
        map_type: Oid::new(map_type.arcs()).unwrap(),
        data: data.as_bytes().into(),
    }
}

fn facts(of: u8, common_name: Option<&str>, names: &[AlternativeName]) -> CertificateFacts {
    CertificateFacts {
        fingerprints: vec![fingerprint(of)],
        alternative_names: names.to_vec(),
        common_name: common_name.map(str::to_owned),
        issuer_and_serial: (Vec::new(), vec![of]),
    }
}

/// Returns leaf certificate 1, issued by authority 9.
fn peer(common_name: Option<&str>, names: &[AlternativeName]) -> CertificateIdentity {
    CertificateIdentity { leaf: facts(1, common_name, names), issuers: vec![facts(9, Some("root"), &[])] }
}

fn name(rules: &[CertToName], peer: &CertificateIdentity) -> Option<String> {
    let name = certificate_security_name(rules, peer)?;
    Some(String::from_utf8(name.to_vec()).unwrap())
}

fn rfc822(text: &str) -> AlternativeName {
    AlternativeName::Rfc822(text.to_owned())
}

fn dns(text: &str) -> AlternativeName {
    AlternativeName::Dns(text.to_owned())
}

fn ip(text: &str) -> AlternativeName {
    AlternativeName::Ip(text.parse().unwrap())
}

const LEAF: u8 = 1;
const ROOT: u8 = 9;
const OTHER: u8 = 7;

#[test]
fn each_certificate_map_type_yields_the_expected_security_name() {
    let names = [
        dns("Gate.Example.ORG"),
        rfc822("Joe.Cool@Example.COM"),
        ip("192.0.2.1"),
        dns("second.example"),
        ip("2001:db8::1"),
    ];
    let peer = peer(Some("Common Name"), &names);
    for (map_type, expected) in [
        (&SNMP_TLSTM_CERT_SPECIFIED, Some("given")),
        (&SNMP_TLSTM_CERT_SAN_RFC822_NAME, Some("Joe.Cool@example.com")),
        (&SNMP_TLSTM_CERT_SAN_DNS_NAME, Some("gate.example.org")),
        (&SNMP_TLSTM_CERT_SAN_IP_ADDRESS, Some("192.0.2.1")),
        (&SNMP_TLSTM_CERT_SAN_ANY, Some("gate.example.org")),
        (&SNMP_TLSTM_CERT_COMMON_NAME, Some("Common Name")),
        (&portreeve_mib::modules::tls_tm_mib::SNMP_TLSTM_MIB, None),
    ] {
        assert_eq!(name(&[rule(LEAF, map_type, "given")], &peer).as_deref(), expected, "{map_type:?}");
    }
    let mut plain = rule(LEAF, &SNMP_TLSTM_CERT_SPECIFIED, "given");
    plain.map_type = Oid::default();
    assert_eq!(name(&[plain], &peer).as_deref(), Some("given"));
}

//= rfc6353#7-p5
//= type=test
#[test]
fn ip_addresses_are_formatted_as_in_rfc6353() {
    let map_type = &SNMP_TLSTM_CERT_SAN_IP_ADDRESS;
    for (address, expected) in [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "20010db8000000000000000000000001"),
        ("::ffff:192.0.2.1", "00000000000000000000ffffc0000201"),
    ] {
        let peer = peer(None, &[ip(address)]);
        assert_eq!(name(&[rule(LEAF, map_type, "")], &peer).as_deref(), Some(expected));
    }
}

//= rfc6353#7-p4
//= type=test
#[test]
fn rfc822_name_host_part_is_lowercased() {
    let map_type = &SNMP_TLSTM_CERT_SAN_RFC822_NAME;
    for (mailbox, expected) in [
        ("FooBar@Example.COM", Some("FooBar@example.com")),
        ("\"A@B\"@Example.COM", Some("\"A@B\"@example.com")),
        ("no-at-sign", None),
        ("@example.com", None),
        ("joe@", None),
        ("joe\0@example.com", None),
    ] {
        let peer = peer(None, &[rfc822(mailbox)]);
        assert_eq!(name(&[rule(LEAF, map_type, "")], &peer).as_deref(), expected, "{mailbox:?}");
    }
}

//= rfc6353#7-p1
//= type=test
//= rfc6353#7-p2
//= type=test
#[test]
fn certificate_map_row_matches_fingerprint_of_leaf_or_issuer() {
    let map_type = &SNMP_TLSTM_CERT_SPECIFIED;
    let peer = peer(Some("ops"), &[]);
    assert_eq!(name(&[rule(LEAF, map_type, "a")], &peer).as_deref(), Some("a"));
    assert_eq!(name(&[rule(ROOT, map_type, "a")], &peer).as_deref(), Some("a"));
    assert_eq!(name(&[rule(OTHER, map_type, "a")], &peer), None);
}

#[test]
fn common_name_from_unlisted_authority_is_not_mapped() {
    let rules = [rule(ROOT, &SNMP_TLSTM_CERT_COMMON_NAME, "")];
    assert_eq!(name(&rules, &peer(Some("ops"), &[])).as_deref(), Some("ops"));
    let foreign = CertificateIdentity {
        leaf: facts(2, Some("ops"), &[]),
        issuers: vec![facts(OTHER, Some("root"), &[])],
    };
    assert_eq!(name(&rules, &foreign), None);
}

//= rfc6353#5.3.2-p2
//= type=test
#[test]
fn certificate_map_rows_are_tried_in_order_until_one_yields_a_name() {
    let specified = &SNMP_TLSTM_CERT_SPECIFIED;
    let long = "n".repeat(33);
    let peer = peer(Some("ops"), &[]);
    let rules = [
        rule(OTHER, specified, "other certificate"),
        rule(LEAF, &SNMP_TLSTM_CERT_SAN_ANY, "has no such name"),
        rule(LEAF, specified, ""),
        rule(LEAF, specified, &long),
        rule(ROOT, &SNMP_TLSTM_CERT_COMMON_NAME, ""),
        rule(LEAF, specified, "too late"),
    ];
    assert_eq!(name(&rules, &peer).as_deref(), Some("ops"));
    assert_eq!(name(&rules[..4], &peer), None);
    assert_eq!(name(&[rule(LEAF, specified, &long[..32])], &peer).as_deref(), Some(&long[..32]));
}

#[test]
fn common_name_does_not_replace_a_missing_san_or_vice_versa() {
    let both = peer(Some("cn"), &[dns("san.example")]);
    assert_eq!(name(&[rule(LEAF, &SNMP_TLSTM_CERT_SAN_ANY, "")], &both).as_deref(), Some("san.example"));
    assert_eq!(name(&[rule(LEAF, &SNMP_TLSTM_CERT_COMMON_NAME, "")], &both).as_deref(), Some("cn"));
    let only_common_name = peer(Some("cn"), &[]);
    assert_eq!(name(&[rule(LEAF, &SNMP_TLSTM_CERT_SAN_DNS_NAME, "")], &only_common_name), None);
    let no_common_name = peer(None, &[dns("san.example")]);
    assert_eq!(name(&[rule(LEAF, &SNMP_TLSTM_CERT_COMMON_NAME, "")], &no_common_name), None);
}

#[test]
fn only_first_alternative_name_of_the_mapped_type_is_used() {
    let peer = peer(None, &[dns(&"x".repeat(40)), dns("short.example"), rfc822("joe@example.com")]);
    assert_eq!(name(&[rule(LEAF, &SNMP_TLSTM_CERT_SAN_ANY, "")], &peer), None);
    assert_eq!(name(&[rule(LEAF, &SNMP_TLSTM_CERT_SAN_DNS_NAME, "")], &peer), None);
    let mailbox = name(&[rule(LEAF, &SNMP_TLSTM_CERT_SAN_RFC822_NAME, "")], &peer);
    assert_eq!(mailbox.as_deref(), Some("joe@example.com"));
}

#[test]
fn name_with_nul_is_rejected_not_truncated() {
    let peer = peer(Some("root\0.attacker.example"), &[dns("ops\0.attacker.example")]);
    for map_type in [&SNMP_TLSTM_CERT_COMMON_NAME, &SNMP_TLSTM_CERT_SAN_DNS_NAME, &SNMP_TLSTM_CERT_SAN_ANY] {
        assert_eq!(name(&[rule(LEAF, map_type, "")], &peer), None, "{map_type:?}");
    }
}

#[test]
fn certificate_map_row_with_invalid_fingerprint_does_not_match() {
    let peer = peer(Some("ops"), &[]);
    for octets in [&[][..], &[4], &[1; 17], &[4; 32], &[200; 33]] {
        let rule = CertToName { fingerprint: octets.into(), ..rule(LEAF, &SNMP_TLSTM_CERT_SPECIFIED, "ops") };
        assert_eq!(name(&[rule], &peer), None, "{octets:?}");
    }
}
