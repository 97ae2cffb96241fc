//! Clients with a revoked certificate that the server pins.

use std::fs;

use portreeve_channel::ChannelStep;
use portreeve_channel_tls::{TlsClient, TlsServer, Versions};
use portreeve_x509::{Credentials, Trust, certificate_facts};
use rcgen::{
    CertificateParams, CertificateRevocationListParams, ExtendedKeyUsagePurpose, KeyIdMethod,
    RevokedCertParams, SerialNumber, date_time_ymd,
};
use rustls::pki_types::CertificateDer;

use super::fixture::{ChannelPair, TestPki, credentials};

#[test]
fn review_h3_revoked_pinned_leaf_without_its_issuer_is_refused() {
    assert_refused_when_revoked(ExtendedKeyUsagePurpose::ClientAuth, &[]);
}

#[test]
fn review_h3_revoked_pinned_leaf_with_wrong_key_usage_is_refused() {
    assert_refused_when_revoked(ExtendedKeyUsagePurpose::ServerAuth, &[]);
}

#[test]
fn review_h3_revoked_pinned_leaf_with_unrelated_intermediates_is_refused() {
    let junk: Vec<_> = (0..8).map(|_| TestPki::new().root.der().clone()).collect();
    assert_refused_when_revoked(ExtendedKeyUsagePurpose::ClientAuth, &junk);
}

/// The server does not trust the issuer of the client's certificate, but pins the certificate.
fn assert_refused_when_revoked(usage: ExtendedKeyUsagePurpose, intermediates: &[CertificateDer<'static>]) {
    let (pki, client_pki) = (TestPki::new(), TestPki::new());
    let mut params = CertificateParams::default();
    params.serial_number = Some(SerialNumber::from(SERIAL));
    params.extended_key_usages = vec![usage];
    let leaf = credentials(params, &client_pki.root);
    let chain = leaf.chain().iter().chain(intermediates).cloned().collect();
    let client = Credentials::new(chain, leaf.key().clone_key());
    let pinned = || {
        let mut trust = pki.trust();
        trust.pin(certificate_facts(&client.chain()[0]).unwrap().fingerprints[2].clone());
        trust
    };
    for versions in [Versions::Only12, Versions::Only13] {
        let client = TlsClient::new(&client, pki.trust(), versions).unwrap();
        let server = TlsServer::new(&pki.server, pinned(), versions).unwrap();
        ChannelPair::new(&client, &server).exchange_all().unwrap();

        let mut trust = pinned();
        revoke(&mut trust, &client_pki);
        server.replace(&pki.server, trust, versions).unwrap();
        let mut pair = ChannelPair::new(&client, &server);
        let error = pair.exchange_all().unwrap_err();
        assert_eq!(error.step, ChannelStep::ClientIdentity);
        assert!(error.to_string().contains("is revoked"), "{error}");
        assert!(pair.server.peer().is_none());
    }
}

/// Adds a list of the authority that contains [`SERIAL`].
fn revoke(trust: &mut Trust, pki: &TestPki) {
    let list = CertificateRevocationListParams {
        this_update: date_time_ymd(2026, 1, 1),
        next_update: date_time_ymd(2026, 2, 1),
        crl_number: SerialNumber::from(1),
        issuing_distribution_point: None,
        revoked_certs: vec![RevokedCertParams {
            serial_number: SerialNumber::from(SERIAL),
            revocation_time: date_time_ymd(2026, 1, 1),
            reason_code: None,
            invalidity_date: None,
        }],
        key_identifier_method: KeyIdMethod::Sha256,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.pem");
    fs::write(&path, list.signed_by(&pki.root).unwrap().pem().unwrap()).unwrap();
    trust.add_revocations(&path).unwrap();
}

const SERIAL: u64 = 7;
