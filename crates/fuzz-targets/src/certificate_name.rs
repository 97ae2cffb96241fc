//! A peer's certificate, and the name that rules map it to.

use portreeve_channel::CertificateIdentity;
use portreeve_lcd::CertToName;
use portreeve_mib::{Object, modules::tls_tm_mib::*};
use portreeve_smi::Oid;
use portreeve_transport::certificate_security_name;
use portreeve_x509::certificate_facts;

/// Parses `octets` as a certificate and maps it with every rule type. Checks that a name is 1 to 32
/// octets of text without control characters, and the same each time.
pub fn certificate_name(octets: &[u8]) {
    let Some(leaf) = certificate_facts(octets) else { return };
    let fingerprint = leaf.fingerprints.first().map(|fingerprint| fingerprint.to_octets());
    let identity = CertificateIdentity { leaf, issuers: Vec::new() };
    for mapping in MAPPINGS {
        let row = CertToName {
            fingerprint: fingerprint.clone().unwrap_or_default().into(),
            map_type: Oid::new(mapping.arcs()).unwrap_or_default(),
            data: b"specified"[..].into(),
        };
        let name = certificate_security_name([&row], &identity);
        assert_eq!(name, certificate_security_name([&row], &identity));
        if let Some(name) = &name {
            let text = std::str::from_utf8(name).expect("a name is text");
            assert!((1..=32).contains(&name.len()) && !text.chars().any(char::is_control), "{text:?}");
        }
        // A rule for another certificate must not give a name.
        let other = CertToName { fingerprint: [&[4][..], &[0; 32]].concat().into(), ..row };
        assert_eq!(certificate_security_name([&other], &identity), None);
    }
}

static MAPPINGS: [&Object; 6] = [
    &SNMP_TLSTM_CERT_SPECIFIED,
    &SNMP_TLSTM_CERT_SAN_RFC822_NAME,
    &SNMP_TLSTM_CERT_SAN_DNS_NAME,
    &SNMP_TLSTM_CERT_SAN_IP_ADDRESS,
    &SNMP_TLSTM_CERT_SAN_ANY,
    &SNMP_TLSTM_CERT_COMMON_NAME,
];
