//! Clients with a revoked certificate that the server pins.

use std::{
    fs,
    time::{Duration, SystemTime},
};

use portreeve_channel::ChannelStep;
use portreeve_channel_dtls::{DtlsClient, DtlsServer, Versions};
use portreeve_pki::{Holder, HolderRole, RevokedCertificate, X509Authority};
use portreeve_x509::{Credentials, certificate_facts};
use rustls_pki_types::CertificateDer;
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

use super::fixture::{ChannelPair, SeenEvent, TestPki, credentials, settings, valid};

#[test]
fn review_h3_revoked_pinned_leaf_without_its_issuer_is_refused() {
    assert_refused_when_revoked(Versions::Only12, HolderRole::User, &[]);
    assert_refused_when_revoked(Versions::Only13, HolderRole::User, &[]);
}

#[test]
fn review_h3_revoked_pinned_leaf_with_wrong_key_usage_is_refused() {
    assert_refused_when_revoked(Versions::Only12, HolderRole::Host, &[]);
    assert_refused_when_revoked(Versions::Only13, HolderRole::Host, &[]);
}

/// Runs with DTLS 1.2 only, because our DTLS 1.3 does not send intermediates.
#[test]
fn review_h3_revoked_pinned_leaf_with_unrelated_intermediates_is_refused() {
    let authority = || X509Authority::new("other authority", valid()).unwrap().der().to_vec().into();
    let junk: Vec<_> = (0..8).map(|_| authority()).collect();
    assert_refused_when_revoked(Versions::Only12, HolderRole::User, &junk);
}

/// The server does not trust the issuer of the client's certificate, but pins the certificate.
fn assert_refused_when_revoked(
    versions: Versions,
    role: HolderRole,
    intermediates: &[CertificateDer<'static>],
) {
    let pki = TestPki::new();
    let authority = X509Authority::new("other authority", valid()).unwrap();
    let leaf = credentials(&authority, &Holder::new(role, "ops"));
    let chain = leaf.chain().iter().chain(intermediates).cloned().collect();
    let client = Credentials::new(chain, leaf.key().clone_key());
    let client_side = DtlsClient::new(&client, pki.trust(), settings(versions)).unwrap();
    let mut trust = pki.trust();
    trust.pin(certificate_facts(&client.chain()[0]).unwrap().fingerprints[2].clone());
    let server = DtlsServer::new(&pki.server, trust, settings(versions)).unwrap();
    let mut pair = ChannelPair::new(&client_side, &server);
    pair.exchange_all(false);
    assert_eq!(pair.server_events, [SeenEvent::Open]);

    let (_, parsed) = X509Certificate::from_der(&client.chain()[0]).unwrap();
    let since = SystemTime::now() - Duration::from_secs(60);
    let revoked = RevokedCertificate { serial: parsed.tbs_certificate.raw_serial().to_vec(), since };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.pem");
    fs::write(&path, authority.revocation_list(&[revoked], 1, SystemTime::now()).unwrap()).unwrap();
    let mut trust = pki.trust();
    trust.pin(certificate_facts(&client.chain()[0]).unwrap().fingerprints[2].clone());
    trust.add_revocations(&path).unwrap();
    server.replace(&pki.server, trust, settings(versions)).unwrap();
    let mut pair = ChannelPair::new(&client_side, &server);
    pair.exchange_all(false);
    assert_eq!(pair.server_error().step, ChannelStep::ClientIdentity);
    assert!(pair.server_error().to_string().contains("is revoked"), "{}", pair.server_error());
    assert!(!pair.server_events.contains(&SeenEvent::Open));
}
