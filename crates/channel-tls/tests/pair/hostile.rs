//! Attacks by a malicious peer (section K of the attack list).

use std::{collections::VecDeque, io::ErrorKind, sync::Arc};

use portreeve_channel::{ChannelError, ChannelStep, StreamAcceptor};
use portreeve_channel_tls::{ServerExpectation, TlsClient, TlsServer, Versions};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};

use super::fixture::{ChannelPair, TestPki, credentials, transmitted};

#[test]
fn k_versions_before_1_2_are_rejected_with_an_alert() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::From12).unwrap();
    for version in [[3, 0], [3, 1], [3, 2]] {
        let mut channel = server.accept().unwrap();
        assert!(channel.receive(&mut &hello(version, &[0])[..]).is_err(), "{version:?}");
        assert_eq!(transmitted(&mut *channel)[0], ALERT, "{version:?}");
        assert!(channel.peer().is_none());
        assert_eq!(channel.write(b"data too early"), 0);
    }
}

#[test]
fn k_compression_is_never_negotiated() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::From12).unwrap();
    let mut channel = server.accept().unwrap();
    channel.receive(&mut &hello([3, 3], &[DEFLATE, 0])[..]).unwrap().unwrap();
    let flight = transmitted(&mut *channel);
    assert_eq!((flight[0], flight[5]), (HANDSHAKE, SERVER_HELLO));
    // The compression method follows two headers, the version, the random, the session id and the
    // cipher suite.
    let session = 5 + 4 + 2 + 32;
    let compression = session + 1 + usize::from(flight[session]) + 2;
    assert_eq!(flight[compression], 0);
    // A client that offers compression but not the null method is rejected.
    let mut channel = server.accept().unwrap();
    assert!(channel.receive(&mut &hello([3, 3], &[DEFLATE])[..]).is_err());
    assert_eq!(transmitted(&mut *channel)[0], ALERT);
}

/// The client requests early data, with a ticket from an earlier session.
#[test]
fn k_session_tickets_do_not_allow_early_data() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::Only13).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(pki.root.der().clone()).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pki.client.key().secret_der().to_vec()));
    let mut config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_client_auth_cert(pki.client.chain().to_vec(), key)
        .unwrap();
    config.enable_early_data = true;
    let config = Arc::new(config);
    for round in 0..2 {
        let name = "agent.example".try_into().unwrap();
        let mut client = ClientConnection::new(Arc::clone(&config), name).unwrap();
        assert!(client.early_data().is_none());
        let mut channel = server.accept().unwrap();
        while client.is_handshaking() || channel.peer().is_none() || channel.wants_transmit() {
            let mut wire = Vec::new();
            while client.wants_write() {
                client.write_tls(&mut wire).unwrap();
            }
            let mut wire = VecDeque::from(wire);
            while !wire.is_empty() {
                channel.receive(&mut wire).unwrap().unwrap();
            }
            let mut wire = VecDeque::from(transmitted(&mut *channel));
            while !wire.is_empty() {
                client.read_tls(&mut wire).unwrap();
                client.process_new_packets().unwrap();
            }
        }
        let resumed = client.handshake_kind() == Some(rustls::HandshakeKind::Resumed);
        assert_eq!(resumed, round == 1);
        assert!(!client.is_early_data_accepted());
        assert_eq!(channel.read(&mut [0; 16]).unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}

#[test]
fn k_client_without_certificate_does_not_receive_data() {
    let pki = TestPki::new();
    for versions in [Versions::Only12, Versions::Only13] {
        let server = TlsServer::new(&pki.server, pki.trust(), versions).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(pki.root.der().clone()).unwrap();
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let name = "agent.example".try_into().unwrap();
        let mut client = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut channel = server.accept().unwrap();
        let error = loop {
            let mut wire = Vec::new();
            while client.wants_write() {
                client.write_tls(&mut wire).unwrap();
            }
            if let Err(error) = channel.receive(&mut &wire[..]) {
                break error;
            }
            let mut flight = &transmitted(&mut *channel)[..];
            while !flight.is_empty() {
                client.read_tls(&mut flight).unwrap();
                client.process_new_packets().unwrap();
            }
        };
        assert_eq!(error.step, ChannelStep::ClientIdentity, "{error}");
        assert!(channel.peer().is_none());
        assert_eq!(channel.write(b"data too early"), 0);
    }
}

#[test]
fn k_client_rejects_server_that_does_not_request_certificate() {
    let pki = TestPki::new();
    for versions in [Versions::Only12, Versions::Only13] {
        let client = TlsClient::new(&pki.client, pki.trust(), versions).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pki.server.key().secret_der().to_vec()));
        let config = ServerConfig::builder().with_no_client_auth();
        let config = Arc::new(config.with_single_cert(pki.server.chain().to_vec(), key).unwrap());
        // The second session must not resume anything from the first.
        for _ in 0..2 {
            let mut server = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut channel = client.connect(&ServerExpectation::named("agent.example").unwrap()).unwrap();
            let error = loop {
                let mut flight = &transmitted(&mut *channel)[..];
                while !flight.is_empty() {
                    server.read_tls(&mut flight).unwrap();
                    server.process_new_packets().unwrap();
                }
                let mut wire = Vec::new();
                while server.wants_write() {
                    server.write_tls(&mut wire).unwrap();
                }
                if let Err(error) = channel.receive(&mut &wire[..]) {
                    break error;
                }
                assert!(channel.peer().is_none(), "{versions:?}: a session");
            };
            assert_eq!(error, ChannelError::no_certificate_requested());
            assert!(channel.peer().is_none());
            assert_eq!(channel.write(b"data too early"), 0);
        }
    }
}

#[test]
fn k_too_long_certificate_chain_is_rejected_with_its_reason() {
    let pki = TestPki::new();
    let mut chain: Vec<CertifiedIssuer<'static, KeyPair>> = Vec::new();
    for number in 0..10 {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, format!("below {number}"));
        let above = chain.last().unwrap_or(&pki.root);
        let next = CertifiedIssuer::signed_by(params, KeyPair::generate().unwrap(), above).unwrap();
        chain.push(next);
    }
    let leaf = credentials(CertificateParams::default(), chain.last().unwrap());
    let mut certificates = leaf.chain().to_vec();
    certificates.extend(chain.iter().rev().map(|authority| authority.der().clone()));
    let oversize = portreeve_x509::Credentials::new(certificates, leaf.key().clone_key());
    for versions in [Versions::Only12, Versions::Only13] {
        let server = TlsServer::new(&pki.server, pki.trust(), versions).unwrap();
        let client = TlsClient::new(&oversize, pki.trust(), versions).unwrap();
        let mut pair = ChannelPair::new(&client, &server);
        let error = pair.exchange_all().unwrap_err();
        assert!(error.to_string().contains("too long"), "{error}");
        assert!(pair.server.peer().is_none());
    }
}

/// Returns a ClientHello with this version and the extensions that the server needs to continue.
fn hello(version: [u8; 2], compression: &[u8]) -> Vec<u8> {
    let mut body = version.to_vec();
    body.extend([7; 32]);
    body.push(0);
    body.extend([0, 4, 0xc0, 0x2b, 0xc0, 0x09]);
    body.push(compression.len() as u8);
    body.extend(compression);
    // Groups, point formats, signature algorithms, extended_master_secret, and renegotiation_info.
    let extensions = [
        &[0, 10, 0, 6, 0, 4, 0, 0x1d, 0, 0x17][..],
        &[0, 11, 0, 2, 1, 0],
        &[0, 13, 0, 4, 0, 2, 4, 3],
        &[0, 23, 0, 0],
        &[0xff, 1, 0, 1, 0],
    ]
    .concat();
    body.extend((extensions.len() as u16).to_be_bytes());
    body.extend(extensions);
    let mut message = vec![1, 0];
    message.extend((body.len() as u16).to_be_bytes());
    message.extend(body);
    let mut record = vec![HANDSHAKE, 3, version[1].min(1)];
    record.extend((message.len() as u16).to_be_bytes());
    record.extend(message);
    record
}

const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const SERVER_HELLO: u8 = 2;
const DEFLATE: u8 = 1;
