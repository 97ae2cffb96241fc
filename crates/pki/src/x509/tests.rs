use std::{
    fs,
    net::IpAddr,
    time::{Duration, SystemTime},
};

use portreeve_channel::AlternativeName;
use portreeve_secret::Secret;
use portreeve_x509::{Refusal, Role as Judged, Trust, certificate_facts};
use rcgen::{CertificateParams, KeyPair};
use rustls_pki_types::{CertificateDer, ServerName, pem::PemObject};
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

use super::{Authority, Revoked, revoked_in, self_signed};
use crate::{Holder, Problem, Role, Validity, seal, unseal};

#[test]
fn a_host_and_a_user_are_trusted_for_what_they_are() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let names =
        vec![AlternativeName::Dns("gw.example".into()), AlternativeName::Ip(IpAddr::from([192, 0, 2, 1]))];
    let host = authority.issue(&Holder::new(Role::Host, "gw.example").with_names(names), days(5)).unwrap();
    let user = authority.issue(&Holder::new(Role::User, "ops"), days(5)).unwrap();
    for name in ["gw.example", "192.0.2.1"] {
        assert_eq!(judge(&authority, Judged::Server, &host.certificate, Some(name)), Ok(()));
    }
    assert_eq!(judge(&authority, Judged::Server, &host.certificate, Some("other")), Err(Refusal::OtherName));
    assert_eq!(judge(&authority, Judged::Client, &user.certificate, None), Ok(()));
    assert_eq!(judge(&authority, Judged::Client, &host.certificate, None), Err(Refusal::WrongUsage));
    assert_eq!(certificate_facts(&user.der).unwrap().common_name.as_deref(), Some("ops"));
}

#[test]
fn an_authority_goes_on_after_it_was_put_away_under_a_pass_phrase() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let phrase = Secret::from("correct horse");
    let sealed = seal(&authority.key_pem(), &phrase).unwrap();
    assert_eq!(unseal(&sealed, None).err(), Some(Problem::Sealed));
    assert_eq!(unseal(&sealed, Some(&Secret::from("wrong"))).err(), Some(Problem::WrongPassPhrase));
    let again = Authority::load(&authority.pem(), &unseal(&sealed, Some(&phrase)).unwrap()).unwrap();
    let user = again.issue(&Holder::new(Role::User, "ops"), days(5)).unwrap();
    assert_eq!(judge(&authority, Judged::Client, &user.certificate, None), Ok(()));
}

#[test]
fn a_certificate_lasts_no_longer_than_its_authority() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let user = authority.issue(&Holder::new(Role::User, "ops"), days(1000)).unwrap();
    let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
    let until: SystemTime = parsed.validity().not_after.to_datetime().into();
    assert!(until <= authority.until());
}

#[test]
fn serial_numbers_are_long_positive_and_never_the_same() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let mut seen = Vec::new();
    for _ in 0..50 {
        let user = authority.issue(&Holder::new(Role::User, "ops"), days(5)).unwrap();
        let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
        let serial = parsed.raw_serial().to_vec();
        assert_eq!(serial.len(), super::SERIAL);
        assert!(serial[0] & 0xc0 == 0x40, "positive and full");
        assert!(!seen.contains(&serial));
        seen.push(serial);
    }
}

#[test]
fn a_key_of_somebody_else_or_a_leaf_is_no_authority() {
    let (one, other) = (Authority::new("One", days(10)).unwrap(), Authority::new("Other", days(10)).unwrap());
    assert_eq!(Authority::load(&one.pem(), &other.key_pem()).unwrap_err(), Problem::OtherKey);
    let leaf = one.issue(&Holder::new(Role::User, "ops"), days(5)).unwrap();
    assert_eq!(Authority::load(&leaf.certificate, &leaf.key).unwrap_err(), Problem::NoAuthority);
    assert!(matches!(Authority::load("nonsense", &one.key_pem()).unwrap_err(), Problem::NotA(_)));
    assert!(matches!(Authority::load(&one.pem(), &Secret::from("x")).unwrap_err(), Problem::NotA(_)));
}

#[test]
fn a_request_gets_the_names_it_is_given_and_not_those_it_asks_for() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let mut asked = CertificateParams::new(vec!["root.example".to_owned()]).unwrap();
    asked.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let request = asked.serialize_request(&KeyPair::generate().unwrap()).unwrap().pem().unwrap();
    let signed = authority.sign(&request, &Holder::new(Role::User, "ops"), days(5)).unwrap();
    assert_eq!(judge(&authority, Judged::Client, &signed, None), Ok(()));
    let der = CertificateDer::from_pem_slice(signed.as_bytes()).unwrap();
    let facts = certificate_facts(&der).unwrap();
    assert_eq!((facts.common_name.as_deref(), facts.alternative_names.len()), (Some("ops"), 0));
    assert!(!X509Certificate::from_der(&der).unwrap().1.is_ca());
}

#[test]
fn a_request_that_its_key_did_not_sign_is_refused() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let params = CertificateParams::new(vec!["a.example".to_owned()]).unwrap();
    let mut der = params.serialize_request(&KeyPair::generate().unwrap()).unwrap().der().to_vec();
    let at = der.windows(9).position(|octets| octets == b"a.example").unwrap();
    der[at] = b'b';
    let forged = super::pem("CERTIFICATE REQUEST", &der);
    let refused = authority.sign(&forged, &Holder::new(Role::User, "ops"), days(5));
    assert_eq!(refused.unwrap_err(), Problem::ForgedRequest);
}

#[test]
fn a_list_is_read_back_with_everything_that_was_on_it() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let since = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let revoked = vec![Revoked { serial: vec![0x80, 1], since }, Revoked { serial: vec![7], since }];
    let list = authority.revocation_list(&revoked, 41, SystemTime::now()).unwrap();
    assert_eq!(revoked_in(&list).unwrap(), (revoked, 41));
    let empty = authority.revocation_list(&[], 1, SystemTime::now()).unwrap();
    assert_eq!(revoked_in(&empty).unwrap(), (vec![], 1));
    assert!(revoked_in("nonsense").is_err());
}

#[test]
fn whom_the_list_names_does_not_get_in() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let user = authority.issue(&Holder::new(Role::User, "ops"), days(5)).unwrap();
    let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
    let revoked = [Revoked { serial: parsed.raw_serial().to_vec(), since: SystemTime::now() }];
    let list = authority.revocation_list(&revoked, 2, SystemTime::now()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.crl");
    fs::write(&path, list).unwrap();
    let mut trust = trust(&authority);
    trust.add_revocations(&path).unwrap();
    let chain = [CertificateDer::from(user.der.clone())];
    let judged = trust.judge(Judged::Client, &chain, None, SystemTime::now());
    assert_eq!(judged.unwrap_err(), Refusal::Revoked);
}

#[test]
fn a_certificate_that_nobody_signed_is_its_own_and_for_its_use_only() {
    let user = self_signed(&Holder::new(Role::User, "ops"), days(5)).unwrap();
    let (_, parsed) = X509Certificate::from_der(&user.der).unwrap();
    assert_eq!(parsed.issuer(), parsed.subject());
    assert!(!parsed.is_ca());
}

#[test]
fn names_that_certificates_cannot_have_are_refused_and_long_ones_are_alternative_names_only() {
    let authority = Authority::new("Test CA", days(10)).unwrap();
    let named =
        |name: &str| Holder::new(Role::Host, name).with_names(vec![AlternativeName::Dns(name.into())]);
    assert!(matches!(authority.issue(&named("zürich.example"), days(5)), Err(Problem::BadName(_))));
    let long = format!("{}.example", "a".repeat(60));
    let host = authority.issue(&named(&long), days(5)).unwrap();
    assert_eq!(certificate_facts(&host.der).unwrap().common_name, None);
    assert_eq!(judge(&authority, Judged::Server, &host.certificate, Some(&long)), Ok(()));
}

fn judge(authority: &Authority, role: Judged, pem: &str, name: Option<&str>) -> Result<(), Refusal> {
    let chain = [CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()];
    let name = name.map(|name| ServerName::try_from(name.to_owned()).unwrap());
    trust(authority).judge(role, &chain, name.as_ref(), SystemTime::now()).map(drop)
}

fn trust(authority: &Authority) -> Trust {
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
