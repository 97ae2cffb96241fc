use std::{
    fs,
    net::IpAddr,
    os::unix::fs::PermissionsExt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

use portreeve_channel::{AlternativeName, ChannelReason, ChannelStep};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType,
    ExtendedKeyUsagePurpose, IsCa, KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SanType,
    SerialNumber,
};
use rustls_pki_types::{CertificateDer, ServerName};
use time::{Duration, OffsetDateTime};

use super::{PeerRole, Trust, TrustError, hint_for_alert};
use crate::{Credentials, certificate_facts, files::read_pem};

#[test]
fn chain_to_a_trusted_authority_is_accepted_and_lists_its_issuers() {
    let (root, trust) = authority();
    let intermediate = CertifiedIssuer::signed_by(authority_params("intermediate"), key(), &root).unwrap();
    let leaf = client("ops").signed_by(&key(), &intermediate).unwrap();
    let chain = [leaf.der().clone(), intermediate.der().clone()];
    let identity = trust.verify(PeerRole::Client, &chain, None, SystemTime::now()).unwrap();
    assert_eq!(identity.leaf.common_name.as_deref(), Some("ops"));
    let names: Vec<_> = identity.issuers.iter().map(|issuer| issuer.common_name.clone().unwrap()).collect();
    assert_eq!(names, ["intermediate", "root"]);
    // Without the intermediate, there is no chain to an authority.
    assert_eq!(
        trust.verify(PeerRole::Client, &chain[..1], None, SystemTime::now()),
        Err(TrustError::UnknownIssuer)
    );
}

#[test]
fn unrelated_certificates_are_not_listed_as_issuers() {
    let (root, trust) = authority();
    let other_root = CertifiedIssuer::self_signed(authority_params("other root"), key()).unwrap();
    let leaf = client("ops").signed_by(&key(), &root).unwrap();
    let chain = [leaf.der().clone(), other_root.der().clone()];
    let identity = trust.verify(PeerRole::Client, &chain, None, SystemTime::now()).unwrap();
    assert_eq!(identity.issuers.len(), 1, "only the root");
}

#[test]
fn each_verification_failure_has_its_own_error() {
    let (root, trust) = authority();
    let other = CertifiedIssuer::self_signed(authority_params("root"), key()).unwrap();
    let mut expired = client("ops");
    expired.not_before = OffsetDateTime::now_utc() - Duration::days(2);
    expired.not_after = OffsetDateTime::now_utc() - Duration::days(1);
    let mut early = client("ops");
    early.not_before = OffsetDateTime::now_utc() + Duration::days(1);
    early.not_after = OffsetDateTime::now_utc() + Duration::days(2);
    let mut server = client("ops");
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    for (params, issuer, expected) in [
        // Signed by another authority that has the same name as the trusted root.
        (client("ops"), &other, TrustError::BadSignature),
        (expired, &root, TrustError::Expired),
        (early, &root, TrustError::NotYetValid),
        (server, &root, TrustError::WrongUsage),
    ] {
        let leaf = params.signed_by(&key(), issuer).unwrap();
        let result = trust.verify(PeerRole::Client, &[leaf.der().clone()], None, SystemTime::now());
        assert_eq!(result.unwrap_err(), expected);
        assert!(!expected.hint().is_empty());
    }
    let self_signed = client("ops").self_signed(&key()).unwrap();
    let result = trust.verify(PeerRole::Client, &[self_signed.der().clone()], None, SystemTime::now());
    assert_eq!(result, Err(TrustError::UnknownIssuer));
    assert_eq!(trust.verify(PeerRole::Client, &[], None, SystemTime::now()), Err(TrustError::NoCertificate));
    let junk = CertificateDer::from(vec![0x30, 0x03, 1, 2, 3]);
    assert_eq!(trust.verify(PeerRole::Client, &[junk], None, SystemTime::now()), Err(TrustError::Malformed));
    let leaf = client("ops").signed_by(&key(), &root).unwrap();
    let long = vec![leaf.der().clone(); 10];
    assert_eq!(trust.verify(PeerRole::Client, &long, None, SystemTime::now()), Err(TrustError::ChainTooLong));
    let mut padded = leaf.der().to_vec();
    padded.push(0);
    assert_eq!(
        trust.verify(PeerRole::Client, &[padded.into()], None, SystemTime::now()),
        Err(TrustError::Malformed)
    );
    let mut corrupted = leaf.der().to_vec();
    *corrupted.last_mut().unwrap() ^= 1;
    let result = trust.verify(PeerRole::Client, &[corrupted.into()], None, SystemTime::now());
    assert_eq!(result, Err(TrustError::BadSignature));
}

#[test]
fn pinned_certificate_is_trusted_without_authority_while_valid() {
    let certificate = client("ops").self_signed(&key()).unwrap();
    let mut trust = Trust::default();
    assert!(trust.is_empty());
    let facts = certificate_facts(certificate.der()).unwrap();
    for pin in &facts.fingerprints {
        trust = Trust::default();
        trust.pin(pin.clone());
        let identity =
            trust.verify(PeerRole::Client, &[certificate.der().clone()], None, SystemTime::now()).unwrap();
        assert!(identity.leaf.has_fingerprint(pin));
        assert!(identity.issuers.is_empty());
    }
    let later = SystemTime::now() + std::time::Duration::from_secs(3650 * 86_400);
    let result = trust.verify(PeerRole::Client, &[certificate.der().clone()], None, later);
    assert_eq!(result, Err(TrustError::Expired));
    let another = client("ops").self_signed(&key()).unwrap();
    let result = trust.verify(PeerRole::Client, &[another.der().clone()], None, SystemTime::now());
    assert_eq!(result, Err(TrustError::UnknownIssuer));
}

#[test]
fn pinned_certificate_lists_only_verified_issuers() {
    let (root, mut trust) = authority();
    let leaf = client("ops").signed_by(&key(), &root).unwrap();
    let other_root = CertifiedIssuer::self_signed(authority_params("other root"), key()).unwrap();
    let unknown = client("ops").signed_by(&key(), &other_root).unwrap();
    for certificate in [&leaf, &unknown] {
        trust.pin(certificate_facts(certificate.der()).unwrap().fingerprints[2].clone());
    }
    let verify =
        |chain: &[CertificateDer<'_>]| trust.verify(PeerRole::Client, chain, None, SystemTime::now());
    let identity = verify(&[leaf.der().clone()]).unwrap();
    let names: Vec<_> = identity.issuers.iter().map(|issuer| issuer.common_name.as_deref()).collect();
    assert_eq!(names, [Some("root")]);
    // A certificate that is not verified is not an issuer.
    let identity = verify(&[unknown.der().clone(), other_root.der().clone()]).unwrap();
    assert_eq!(identity.issuers, []);
}

#[test]
fn certificate_pinned_at_run_time_is_trusted_at_the_next_verification() {
    let certificate = client("ops").self_signed(&key()).unwrap();
    let pin = certificate_facts(certificate.der()).unwrap().fingerprints[2].clone();
    let pinned = Arc::new(AtomicBool::new(false));
    let mut trust = Trust::default();
    let is_pinned = Arc::clone(&pinned);
    trust.pin_if(move |facts| facts.has_fingerprint(&pin) && is_pinned.load(Ordering::Relaxed));
    let verify = || trust.verify(PeerRole::Client, &[certificate.der().clone()], None, SystemTime::now());
    assert_eq!(verify(), Err(TrustError::UnknownIssuer));
    pinned.store(true, Ordering::Relaxed);
    assert_eq!(verify().unwrap().leaf.common_name.as_deref(), Some("ops"));
    pinned.store(false, Ordering::Relaxed);
    assert_eq!(verify(), Err(TrustError::UnknownIssuer));
}

#[test]
fn expired_revocation_list_still_rejects_even_pinned_certificates() {
    let (root, mut trust) = authority();
    let mut revoked = client("revoked");
    revoked.serial_number = Some(SerialNumber::from(7));
    let revoked = revoked.signed_by(&key(), &root).unwrap();
    let unrevoked = client("unrevoked").signed_by(&key(), &root).unwrap();
    let list = CertificateRevocationListParams {
        this_update: OffsetDateTime::now_utc() - Duration::days(2),
        // The list has expired, but remains in effect.
        next_update: OffsetDateTime::now_utc() - Duration::days(1),
        crl_number: SerialNumber::from(1),
        issuing_distribution_point: None,
        revoked_certs: vec![RevokedCertParams {
            serial_number: SerialNumber::from(7),
            revocation_time: OffsetDateTime::now_utc() - Duration::days(2),
            reason_code: None,
            invalidity_date: None,
        }],
        key_identifier_method: KeyIdMethod::Sha256,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.pem");
    fs::write(&path, list.signed_by(&root).unwrap().pem().unwrap()).unwrap();
    trust.add_revocations(&path).unwrap();
    let result = trust.verify(PeerRole::Client, &[revoked.der().clone()], None, SystemTime::now());
    assert_eq!(result, Err(TrustError::Revoked));
    trust.verify(PeerRole::Client, &[unrevoked.der().clone()], None, SystemTime::now()).unwrap();
    // A pin does not override the revocation.
    trust.pin(certificate_facts(revoked.der()).unwrap().fingerprints[2].clone());
    let result = trust.verify(PeerRole::Client, &[revoked.der().clone()], None, SystemTime::now());
    assert_eq!(result, Err(TrustError::Revoked));
}

//= rfc6353#5.3.1-5
//= type=test
#[test]
fn server_certificate_must_contain_the_host_name() {
    let (root, trust) = authority();
    let mut params = CertificateParams::new(vec!["agent.example".to_owned()]).unwrap();
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.subject_alt_names.push(SanType::IpAddress(IpAddr::from([192, 0, 2, 7])));
    let leaf = params.signed_by(&key(), &root).unwrap();
    let verify = |name: &str| {
        let name = ServerName::try_from(name.to_owned()).unwrap();
        trust.verify(PeerRole::Server, &[leaf.der().clone()], Some(&name), SystemTime::now()).map(drop)
    };
    assert_eq!(verify("agent.example"), Ok(()));
    assert_eq!(verify("192.0.2.7"), Ok(()));
    assert_eq!(verify("192.0.2.8"), Err(TrustError::NameMismatch));
    assert_eq!(verify("other.example"), Err(TrustError::NameMismatch));
    let nameless = trust.verify(PeerRole::Server, &[leaf.der().clone()], None, SystemTime::now());
    assert_eq!(nameless, Err(TrustError::NameMismatch));
}

#[test]
fn certificate_of_unknown_issuer_is_distinguished_from_an_invalid_one() {
    let reason = |error: TrustError| error.at(ChannelStep::ServerIdentity).reason;
    assert_eq!(reason(TrustError::UnknownIssuer), Some(ChannelReason::UnknownCertificate));
    for error in [TrustError::Expired, TrustError::NameMismatch, TrustError::BadSignature] {
        assert_eq!(reason(error), Some(ChannelReason::InvalidCertificate), "{error}");
    }
}

/// The authority of `portreeve keys` must not have authorities below it.
#[test]
fn review_l9_path_length_of_a_trusted_authority_is_enforced() {
    for (constraints, expected) in [
        (BasicConstraints::Constrained(0), Err(TrustError::ConstraintViolated)),
        (BasicConstraints::Constrained(1), Ok(())),
    ] {
        let mut params = authority_params("root");
        params.is_ca = IsCa::Ca(constraints);
        let root = CertifiedIssuer::self_signed(params, key()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("root.pem");
        fs::write(&path, root.pem()).unwrap();
        let mut trust = Trust::default();
        trust.add_authorities(&path).unwrap();
        let intermediate =
            CertifiedIssuer::signed_by(authority_params("intermediate"), key(), &root).unwrap();
        let leaf = client("ops").signed_by(&key(), &intermediate).unwrap();
        let chain = [leaf.der().clone(), intermediate.der().clone()];
        let result = trust.verify(PeerRole::Client, &chain, None, SystemTime::now());
        assert_eq!(result.map(drop), expected);
    }
}

#[test]
fn alternative_names_are_listed_in_certificate_order() {
    let mut params = CertificateParams::new(vec!["b.example".to_owned()]).unwrap();
    params.subject_alt_names.push(SanType::Rfc822Name("ops@Example.org".try_into().unwrap()));
    params.subject_alt_names.push(SanType::IpAddress("2001:db8::1".parse().unwrap()));
    params.subject_alt_names.push(SanType::DnsName("a.example".try_into().unwrap()));
    let facts = certificate_facts(params.self_signed(&key()).unwrap().der()).unwrap();
    assert_eq!(
        facts.alternative_names,
        [
            AlternativeName::Dns("b.example".into()),
            AlternativeName::Rfc822("ops@Example.org".into()),
            AlternativeName::Ip("2001:db8::1".parse().unwrap()),
            AlternativeName::Dns("a.example".into()),
        ]
    );
}

#[test]
fn private_key_that_is_missing_encrypted_or_readable_by_others_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let (chain, secret) = (folder.path().join("c.pem"), folder.path().join("k.pem"));
    let key = key();
    fs::write(&chain, client("ops").self_signed(&key).unwrap().pem()).unwrap();
    fs::write(&secret, key.serialize_pem()).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o640)).unwrap();
    let error = Credentials::load(&chain, &secret).unwrap_err();
    assert!(error.to_string().contains("chmod 600"), "{error}");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(Credentials::load(&chain, &secret).unwrap().chain().len(), 1);
    // Pass the key file as the certificate, and the certificate file as the key.
    fs::set_permissions(&chain, fs::Permissions::from_mode(0o600)).unwrap();
    let error = Credentials::load(&secret, &chain).unwrap_err();
    assert!(error.to_string().contains("contains no private key"), "{error}");
    // Encrypted keys, in PKCS #8 and in OpenSSL's older format.
    let body = "AAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    for (kind, head) in [("ENCRYPTED", ""), ("EC", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n")] {
        let text = format!("-----BEGIN {kind} PRIVATE KEY-----\n{head}{body}")
            .replace("END ENCRYPTED", &format!("END {kind}"));
        fs::write(&secret, text).unwrap();
        let error = Credentials::load(&chain, &secret).unwrap_err();
        assert!(error.to_string().contains("is encrypted"), "{error}");
    }
}

#[test]
fn hint_for_a_tls_alert_matches_the_alert() {
    // RFC 8446 §6: certificate_revoked, certificate_expired, certificate_required, unknown_ca.
    for (alert, word) in [(44, "revoked"), (45, "renew"), (116, "present a"), (48, "fingerprint")] {
        assert!(hint_for_alert(alert).contains(word), "{alert}: {}", hint_for_alert(alert));
    }
}

/// `webpki` does not read keyUsage.
#[test]
fn intermediate_whose_key_usage_excludes_signing_is_rejected() {
    let (root, trust) = authority();
    for (usages, is_accepted) in [
        (vec![KeyUsagePurpose::KeyCertSign], true),
        (vec![], true),
        (vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::CrlSign], false),
    ] {
        let mut params = authority_params("intermediate");
        params.key_usages = usages;
        let intermediate = CertifiedIssuer::signed_by(params, key(), &root).unwrap();
        let leaf = client("ops").signed_by(&key(), &intermediate).unwrap();
        let chain = [leaf.der().clone(), intermediate.der().clone()];
        let result = trust.verify(PeerRole::Client, &chain, None, SystemTime::now());
        let expected = if is_accepted { Ok(()) } else { Err(TrustError::ConstraintViolated) };
        assert_eq!(result.map(drop), expected);
    }
}

#[test]
fn weak_signature_algorithms_and_keys_have_their_own_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weak.pem");
    fs::write(&path, include_str!("weak.pem")).unwrap();
    let all: Vec<CertificateDer<'static>> = read_pem(&path, "certificate").unwrap();
    let [root, sha1, short_rsa] = <[_; 3]>::try_from(all).unwrap();
    let mut trust = Trust::default();
    trust.add_authorities(&path).unwrap();
    let in_2027 = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_800_000_000);
    for leaf in [sha1, short_rsa] {
        let result = trust.verify(PeerRole::Client, &[leaf, root.clone()], None, in_2027);
        assert_eq!(result, Err(TrustError::TooWeak));
    }
}

/// Creates a root authority, and a `Trust` that trusts it.
fn authority() -> (CertifiedIssuer<'static, KeyPair>, Trust) {
    let root = CertifiedIssuer::self_signed(authority_params("root"), key()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("root.pem");
    fs::write(&path, root.pem()).unwrap();
    let mut trust = Trust::default();
    trust.add_authorities(&path).unwrap();
    (root, trust)
}

fn authority_params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn client(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    params.not_after = OffsetDateTime::now_utc() + Duration::days(30);
    params
}

fn key() -> KeyPair {
    KeyPair::generate().unwrap()
}
