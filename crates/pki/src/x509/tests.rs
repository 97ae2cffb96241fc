use std::{
    fs,
    net::IpAddr,
    time::{Duration, SystemTime},
};

use portreeve_channel::AlternativeName;
use portreeve_secret::Secret;
use portreeve_x509::{PeerRole, Trust, TrustError, certificate_facts};
use rcgen::{CertificateParams, KeyPair};
use rustls_pki_types::{CertificateDer, ServerName, pem::PemObject};
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

use super::{RevokedCertificate, X509Authority, parse_revocation_list, self_signed};
use crate::{Holder, HolderRole, PkiError, Validity, decrypt_key, encrypt_key};

#[test]
fn issued_certificates_are_trusted_for_their_role_only() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let names =
        vec![AlternativeName::Dns("gw.example".into()), AlternativeName::Ip(IpAddr::from([192, 0, 2, 1]))];
    let host =
        authority.issue(&Holder::new(HolderRole::Host, "gw.example").with_names(names), days(5)).unwrap();
    let user = authority.issue(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    for name in ["gw.example", "192.0.2.1"] {
        assert_eq!(verify(&authority, PeerRole::Server, &host.certificate, Some(name)), Ok(()));
    }
    assert_eq!(
        verify(&authority, PeerRole::Server, &host.certificate, Some("other")),
        Err(TrustError::NameMismatch)
    );
    assert_eq!(verify(&authority, PeerRole::Client, &user.certificate, None), Ok(()));
    assert_eq!(verify(&authority, PeerRole::Client, &host.certificate, None), Err(TrustError::WrongUsage));
    assert_eq!(certificate_facts(&user.der).unwrap().common_name.as_deref(), Some("ops"));
}

#[test]
fn encrypted_authority_key_signs_only_with_its_pass_phrase() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let phrase = Secret::from("correct horse");
    let encrypted = encrypt_key(&authority.key_pem(), &phrase).unwrap();
    assert_eq!(decrypt_key(&encrypted, None).err(), Some(PkiError::PassPhraseRequired));
    assert_eq!(decrypt_key(&encrypted, Some(&Secret::from("wrong"))).err(), Some(PkiError::WrongPassPhrase));
    let reloaded =
        X509Authority::load(&authority.pem(), &decrypt_key(&encrypted, Some(&phrase)).unwrap()).unwrap();
    let user = reloaded.issue(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    assert_eq!(verify(&authority, PeerRole::Client, &user.certificate, None), Ok(()));
}

#[test]
fn certificate_expires_no_later_than_its_authority() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let user = authority.issue(&Holder::new(HolderRole::User, "ops"), days(1000)).unwrap();
    let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
    let until: SystemTime = parsed.validity().not_after.to_datetime().into();
    assert!(until <= authority.until());
}

#[test]
fn serial_numbers_are_unique_positive_and_full_length() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let mut seen = Vec::new();
    for _ in 0..50 {
        let user = authority.issue(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
        let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
        let serial = parsed.raw_serial().to_vec();
        assert_eq!(serial.len(), super::SERIAL_LEN);
        assert!(serial[0] & 0xc0 == 0x40, "positive and full");
        assert!(!seen.contains(&serial));
        seen.push(serial);
    }
}

#[test]
fn load_rejects_leaf_certificates_mismatched_keys_and_malformed_input() {
    let (one, other) =
        (X509Authority::new("One", days(10)).unwrap(), X509Authority::new("Other", days(10)).unwrap());
    assert_eq!(X509Authority::load(&one.pem(), &other.key_pem()).unwrap_err(), PkiError::KeyMismatch);
    let leaf = one.issue(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    assert_eq!(X509Authority::load(&leaf.certificate, &leaf.key).unwrap_err(), PkiError::NotAuthority);
    assert!(matches!(X509Authority::load("not PEM", &one.key_pem()).unwrap_err(), PkiError::WrongContent(_)));
    assert!(matches!(
        X509Authority::load(&one.pem(), &Secret::from("x")).unwrap_err(),
        PkiError::WrongContent(_)
    ));
}

#[test]
fn names_and_rights_in_a_signing_request_are_ignored() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let mut request_params = CertificateParams::new(vec!["root.example".to_owned()]).unwrap();
    request_params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let request = request_params.serialize_request(&KeyPair::generate().unwrap()).unwrap().pem().unwrap();
    let signed = authority.sign(&request, &Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    assert_eq!(verify(&authority, PeerRole::Client, &signed, None), Ok(()));
    let der = CertificateDer::from_pem_slice(signed.as_bytes()).unwrap();
    let facts = certificate_facts(&der).unwrap();
    assert_eq!((facts.common_name.as_deref(), facts.alternative_names.len()), (Some("ops"), 0));
    assert!(!X509Certificate::from_der(&der).unwrap().1.is_ca());
}

#[test]
fn request_with_bad_signature_is_rejected() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let params = CertificateParams::new(vec!["a.example".to_owned()]).unwrap();
    let mut der = params.serialize_request(&KeyPair::generate().unwrap()).unwrap().der().to_vec();
    let at = der.windows(9).position(|octets| octets == b"a.example").unwrap();
    der[at] = b'b';
    let forged = super::pem("CERTIFICATE REQUEST", &der);
    let result = authority.sign(&forged, &Holder::new(HolderRole::User, "ops"), days(5));
    assert_eq!(result.unwrap_err(), PkiError::BadRequestSignature);
}

#[test]
fn revocation_list_is_unchanged_after_encoding_and_parsing() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let since = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let revoked = vec![
        RevokedCertificate { serial: vec![0x80, 1], since },
        RevokedCertificate { serial: vec![7], since },
    ];
    let list = authority.revocation_list(&revoked, 41, SystemTime::now()).unwrap();
    assert_eq!(parse_revocation_list(&list).unwrap(), (revoked, 41));
    let empty = authority.revocation_list(&[], 1, SystemTime::now()).unwrap();
    assert_eq!(parse_revocation_list(&empty).unwrap(), (vec![], 1));
    assert!(parse_revocation_list("not PEM").is_err());
}

#[test]
fn certificate_on_revocation_list_is_rejected() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let user = authority.issue(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
    let revoked = [RevokedCertificate { serial: parsed.raw_serial().to_vec(), since: SystemTime::now() }];
    let list = authority.revocation_list(&revoked, 2, SystemTime::now()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.crl");
    fs::write(&path, list).unwrap();
    let mut trust = trust(&authority);
    trust.add_revocations(&path).unwrap();
    let chain = [CertificateDer::from(user.der.clone())];
    let result = trust.verify(PeerRole::Client, &chain, None, SystemTime::now());
    assert_eq!(result.unwrap_err(), TrustError::Revoked);
}

#[test]
fn self_signed_certificate_is_its_own_issuer_and_not_a_ca() {
    let user = self_signed(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
    assert_eq!(parsed.issuer(), parsed.subject());
    assert!(!parsed.is_ca());
}

#[test]
fn invalid_names_are_rejected_and_long_names_omitted_from_subject() {
    let authority = X509Authority::new("Test CA", days(10)).unwrap();
    let named =
        |name: &str| Holder::new(HolderRole::Host, name).with_names(vec![AlternativeName::Dns(name.into())]);
    assert!(matches!(authority.issue(&named("zürich.example"), days(5)), Err(PkiError::BadName(_))));
    let long = format!("{}.example", "a".repeat(60));
    let host = authority.issue(&named(&long), days(5)).unwrap();
    assert_eq!(certificate_facts(&host.der).unwrap().common_name, None);
    assert_eq!(verify(&authority, PeerRole::Server, &host.certificate, Some(&long)), Ok(()));
}

fn verify(
    authority: &X509Authority,
    role: PeerRole,
    pem: &str,
    name: Option<&str>,
) -> Result<(), TrustError> {
    let chain = [CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()];
    let name = name.map(|name| ServerName::try_from(name.to_owned()).unwrap());
    trust(authority).verify(role, &chain, name.as_ref(), SystemTime::now()).map(drop)
}

fn trust(authority: &X509Authority) -> Trust {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    fs::write(&path, authority.pem()).unwrap();
    let mut trust = Trust::default();
    trust.add_authorities(&path).unwrap();
    trust
}

fn days(days: u64) -> Validity {
    Validity::from_now(SystemTime::now(), Duration::from_secs(days * 86_400))
}
