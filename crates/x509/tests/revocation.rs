//! Revocation of pinned certificates, whatever else the peer sends.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{fs, time::SystemTime};

use portreeve_x509::{PeerRole, Trust, TrustError, certificate_facts};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType,
    ExtendedKeyUsagePurpose, IsCa, KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SerialNumber,
    date_time_ymd,
};
use rustls_pki_types::CertificateDer;

#[test]
fn review_h3_revoked_pinned_leaf_without_intermediate_is_refused() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ClientAuth);
    let trust = pki.trust_with_revoked(&leaf);
    // Verify the full chain first, as a cross-check: the leaf is on the revocation list.
    assert_eq!(verify(&trust, &[&leaf, pki.intermediate.der()]), Err(TrustError::Revoked));
    assert_eq!(verify(&trust, &[&leaf]), Err(TrustError::Revoked));
}

#[test]
fn review_h3_revoked_pinned_leaf_with_wrong_key_usage_is_refused() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ServerAuth);
    let trust = pki.trust_with_revoked(&leaf);
    assert_eq!(verify(&trust, &[&leaf, pki.intermediate.der()]), Err(TrustError::Revoked));
}

#[test]
fn review_h3_revoked_pinned_leaf_with_unrelated_intermediates_is_refused() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ClientAuth);
    let junk = pki.junk();
    let mut chain = vec![&leaf];
    chain.extend(&junk);
    // Without revocation, the search for a chain gives up after too many attempts.
    assert_eq!(verify(&pki.trust(), &chain), Err(TrustError::ChainTooLong));
    assert_eq!(verify(&pki.trust_with_revoked(&leaf), &chain), Err(TrustError::Revoked));
}

#[test]
fn review_l13_verified_certificate_is_revoked_by_a_later_list() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ClientAuth);
    let chain = [leaf.clone(), pki.intermediate.der().clone()];
    let identity = pki.trust().verify(PeerRole::Client, &chain, None, SystemTime::now()).unwrap();
    assert!(!pki.trust().is_revoked(&identity));
    assert!(pki.trust_with_revoked(&leaf).is_revoked(&identity));
}

/// An unknown critical extension prevents `webpki` from reading the certificate.
#[test]
fn review_h3_revoked_pinned_leaf_that_webpki_rejects_is_refused() {
    let pki = TestPki::new();
    let mut params = leaf_params(ExtendedKeyUsagePurpose::ClientAuth);
    let mut critical = rcgen::CustomExtension::from_oid_content(&[1, 3, 6, 1, 4, 1, 9999, 1], vec![5, 0]);
    critical.set_criticality(true);
    params.custom_extensions.push(critical);
    let leaf = params.signed_by(&key(), &pki.intermediate).unwrap().der().clone();
    let trust = pki.trust_with_revoked(&leaf);
    assert_eq!(verify(&trust, &[&leaf]), Err(TrustError::Revoked));
}

/// The issuer has two lists, of which `webpki` consults the first only.
#[test]
fn review_h3_every_revocation_list_of_an_issuer_is_consulted() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ClientAuth);
    let mut trust = pki.trust();
    add_list(&mut trust, &pki.intermediate, &[1]);
    add_list(&mut trust, &pki.intermediate, SERIAL);
    assert_eq!(verify(&trust, &[&leaf, pki.intermediate.der()]), Err(TrustError::Revoked));
}

#[test]
fn review_h3_certificates_of_revoked_authority_are_refused() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ClientAuth);
    // The root has two lists, the second of which revokes an intermediate that the peer sends.
    let mut trust = pki.trust();
    add_list(&mut trust, &pki.root, &[1]);
    add_list(&mut trust, &pki.root, INTERMEDIATE_SERIAL);
    assert_eq!(verify(&trust, &[&leaf, pki.intermediate.der()]), Err(TrustError::Revoked));
    // The operator trusts the intermediate as an authority, and the root has revoked it.
    let mut trust = Trust::default();
    add_authority(&mut trust, &pki.intermediate);
    verify(&trust, &[&leaf]).unwrap();
    add_list(&mut trust, &pki.root, INTERMEDIATE_SERIAL);
    assert_eq!(verify(&trust, &[&leaf]), Err(TrustError::UnknownIssuer));
}

#[test]
fn certificate_with_revoked_serial_of_another_issuer_is_accepted() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ClientAuth);
    let mut trust = pki.trust();
    add_list(&mut trust, &pki.root, SERIAL);
    add_list(&mut trust, &pki.intermediate, &[1]);
    verify(&trust, &[&leaf, pki.intermediate.der()]).unwrap();
    trust.pin(certificate_facts(&leaf).unwrap().fingerprints[2].clone());
    verify(&trust, &[&leaf]).unwrap();
}

/// A peer over DTLS 1.3 sends its leaf only.
#[test]
fn configured_intermediates_complete_a_chain_that_lacks_them() {
    let pki = TestPki::new();
    let leaf = pki.leaf(ExtendedKeyUsagePurpose::ClientAuth);
    let mut trust = pki.trust();
    assert_eq!(verify(&trust, &[&leaf]), Err(TrustError::UnknownIssuer));
    trust.add_intermediates(&[pki.intermediate.der().clone()]);
    verify(&trust, &[&leaf]).unwrap();
    // Our own intermediates come first, so that junk from the peer has no effect.
    let junk = pki.junk();
    let mut chain = vec![&leaf];
    chain.extend(&junk);
    verify(&trust, &chain).unwrap();
    // Our own intermediates are not trusted by themselves.
    let mut trust = Trust::default();
    trust.add_intermediates(&[pki.intermediate.der().clone()]);
    assert!(trust.is_empty());
    assert_eq!(verify(&trust, &[&leaf]), Err(TrustError::UnknownIssuer));
}

/// A root, an intermediate, and leaves with one serial number.
struct TestPki {
    root: CertifiedIssuer<'static, KeyPair>,
    intermediate: CertifiedIssuer<'static, KeyPair>,
}

impl TestPki {
    fn new() -> Self {
        let root = CertifiedIssuer::self_signed(authority_params("root"), key()).unwrap();
        let mut params = authority_params("intermediate");
        params.serial_number = Some(SerialNumber::from_slice(INTERMEDIATE_SERIAL));
        let intermediate = CertifiedIssuer::signed_by(params, key(), &root).unwrap();
        Self { root, intermediate }
    }

    fn leaf(&self, usage: ExtendedKeyUsagePurpose) -> CertificateDer<'static> {
        leaf_params(usage).signed_by(&key(), &self.intermediate).unwrap().der().clone()
    }

    fn trust(&self) -> Trust {
        let mut trust = Trust::default();
        add_authority(&mut trust, &self.root);
        trust
    }

    /// Returns a `Trust` that trusts the root, and pins and revokes `leaf`.
    fn trust_with_revoked(&self, leaf: &CertificateDer<'_>) -> Trust {
        let mut trust = self.trust();
        trust.pin(certificate_facts(leaf).unwrap().fingerprints[2].clone());
        add_list(&mut trust, &self.intermediate, SERIAL);
        trust
    }

    /// Eight certificates with the same names as the intermediate. The search for a chain tries
    /// them in every order.
    fn junk(&self) -> Vec<CertificateDer<'static>> {
        let other_root = CertifiedIssuer::self_signed(authority_params("root"), key()).unwrap();
        let rooted =
            CertifiedIssuer::signed_by(authority_params("intermediate"), key(), &other_root).unwrap();
        let self_issued = |_| {
            let params = authority_params("intermediate");
            CertifiedIssuer::self_signed(params, key()).unwrap().der().clone()
        };
        (0..7).map(self_issued).chain([rooted.der().clone()]).collect()
    }
}

fn add_authority(trust: &mut Trust, authority: &CertifiedIssuer<'static, KeyPair>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("authority.pem");
    fs::write(&path, authority.pem()).unwrap();
    trust.add_authorities(&path).unwrap();
}

/// Adds a list of `issuer` with one serial number.
fn add_list(trust: &mut Trust, issuer: &CertifiedIssuer<'static, KeyPair>, serial: &[u8]) {
    let list = CertificateRevocationListParams {
        this_update: date_time_ymd(2026, 1, 1),
        next_update: date_time_ymd(2026, 2, 1),
        crl_number: SerialNumber::from(1),
        issuing_distribution_point: None,
        revoked_certs: vec![RevokedCertParams {
            serial_number: SerialNumber::from_slice(serial),
            revocation_time: date_time_ymd(2026, 1, 1),
            reason_code: None,
            invalidity_date: None,
        }],
        key_identifier_method: KeyIdMethod::Sha256,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.pem");
    fs::write(&path, list.signed_by(issuer).unwrap().pem().unwrap()).unwrap();
    trust.add_revocations(&path).unwrap();
}

fn verify(trust: &Trust, chain: &[&CertificateDer<'static>]) -> Result<(), TrustError> {
    let chain: Vec<_> = chain.iter().map(|&certificate| certificate.clone()).collect();
    trust.verify(PeerRole::Client, &chain, None, SystemTime::now()).map(drop)
}

fn leaf_params(usage: ExtendedKeyUsagePurpose) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "ops");
    params.extended_key_usages = vec![usage];
    params.serial_number = Some(SerialNumber::from_slice(SERIAL));
    params
}

fn authority_params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn key() -> KeyPair {
    KeyPair::generate().unwrap()
}

/// A serial number whose first bit is set, so that its DER encoding begins with a zero octet.
const SERIAL: &[u8] = &[0x80, 0x07];
const INTERMEDIATE_SERIAL: &[u8] = &[0x11];
