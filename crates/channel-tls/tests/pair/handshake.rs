//! Handshakes in both versions.

use std::{
    collections::VecDeque,
    io::{self, ErrorKind},
};

use portreeve_channel::{ChannelStep, PeerIdentity, StreamAcceptor};
use portreeve_channel_tls::{KeyExchanges, ServerExpectation, TlsClient, TlsServer, Versions};
use portreeve_x509::{Credentials, Trust, certificate_facts};
use rustls::{
    HandshakeKind, NamedGroup, ServerConfig, ServerConnection,
    crypto::aws_lc_rs,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};

use super::fixture::{ChannelPair, TestPki, transmitted};

#[test]
fn both_peers_are_identified_in_every_version() {
    for versions in [Versions::From12, Versions::Only13, Versions::Only12] {
        let pki = TestPki::new();
        let server = TlsServer::new(&pki.server, pki.trust(), versions).unwrap();
        let client = TlsClient::new(&pki.client, pki.trust(), versions).unwrap();
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all().unwrap();
        let Some(PeerIdentity::Certificate(identity)) = pair.server.peer() else { panic!("no identity") };
        assert_eq!(identity.leaf.common_name.as_deref(), Some("ops"));
        assert_eq!(identity.issuers.len(), 1);
        assert!(pair.client.peer().is_some());
        let protocol = if versions == Versions::Only12 { "TLSv1.2" } else { "TLSv1.3" };
        assert_eq!((pair.client.protocol(), pair.server.protocol()), (protocol, protocol));
        assert_eq!(pair.echo(b"hello"), b"hello");
    }
}

#[test]
fn server_uses_post_quantum_key_exchange_when_client_offers_no_other() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::From12).unwrap();
    for (offered, negotiated) in
        [(KeyExchanges::All, "X25519"), (KeyExchanges::OnlyMlKem768X25519, "X25519MLKEM768")]
    {
        let client =
            TlsClient::with_key_exchanges(&pki.client, pki.trust(), Versions::From12, offered).unwrap();
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all().unwrap();
        assert_eq!(pair.client.handshake().group.as_deref(), Some(negotiated));
        assert_eq!(pair.echo(b"hello"), b"hello");
    }
}

//= rfc6353#5.3.1-4
//= type=test
#[test]
fn request_is_sent_with_the_last_handshake_flight_but_not_earlier() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::Only13).unwrap();
    let client = TlsClient::new(&pki.client, pki.trust(), Versions::Only13).unwrap();
    let mut pair = ChannelPair::new(&client, &server);
    // The client sends no data to a server that is not verified yet.
    assert_eq!(pair.client.write(b"too early"), 0);
    // Deliver the ClientHello, and then the server's flight.
    pair.client_to_server().unwrap();
    assert_eq!(pair.client.write(b"too early"), 0);
    pair.server_to_client().unwrap();
    // The client has completed its handshake: its last flight and a request are sent together.
    let mut wire = Vec::new();
    while pair.client.wants_transmit() {
        pair.client.transmit(&mut wire).unwrap();
    }
    assert_eq!(pair.client.write(b"a request"), 9);
    pair.client.transmit(&mut wire).unwrap();
    let mut wire = VecDeque::from(wire);
    let mut buffer = [0; 64];
    assert_eq!(pair.server.read(&mut buffer).unwrap_err().kind(), ErrorKind::WouldBlock);
    while !wire.is_empty() {
        pair.server.receive(&mut wire).unwrap().unwrap();
    }
    assert!(pair.server.peer().is_some());
    assert_eq!(pair.server.read(&mut buffer).unwrap(), 9);
}

#[test]
fn first_write_is_sent_together_with_waiting_handshake_octets() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::Only13).unwrap();
    let client = TlsClient::new(&pki.client, pki.trust(), Versions::Only13).unwrap();
    let mut pair = ChannelPair::new(&client, &server);
    pair.client_to_server().unwrap();
    pair.server_to_client().unwrap();
    assert!(pair.client.wants_transmit() && pair.client.peer().is_some());
    assert_eq!(pair.client.write(b"a request"), 9);
    // From now on application data is waiting, so further writes are not accepted.
    assert_eq!(pair.client.write(b"another"), 0);
    let mut wire = Vec::new();
    pair.client.transmit(&mut wire).unwrap();
    assert!(!pair.client.wants_transmit());
    let (mut wire, mut buffer) = (VecDeque::from(wire), [0; 64]);
    while !wire.is_empty() {
        pair.server.receive(&mut wire).unwrap().unwrap();
    }
    assert_eq!(pair.server.read(&mut buffer).unwrap(), 9);
    // The server's ticket and a response are sent together, too.
    assert!(pair.server.wants_transmit());
    assert_eq!(pair.server.write(b"a response"), 10);
    pair.server_to_client().unwrap();
    assert_eq!(pair.client.read(&mut buffer).unwrap(), 10);
    assert_eq!(pair.echo(b"hello"), b"hello");
}

/// A server such as Java's sends its flight in several segments.
#[test]
fn change_cipher_spec_is_sent_with_the_last_handshake_flight() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::Only13).unwrap();
    let client = TlsClient::new(&pki.client, pki.trust(), Versions::Only13).unwrap();
    let mut pair = ChannelPair::new(&client, &server);
    pair.client_to_server().unwrap();
    let flight = transmitted(&mut *pair.server);
    let (server_hello, rest) = flight.split_at(5 + usize::from(u16::from_be_bytes([flight[3], flight[4]])));
    pair.client.receive(&mut &*server_hello).unwrap().unwrap();
    assert!(!pair.client.wants_transmit());
    let mut rest = rest;
    while !rest.is_empty() {
        pair.client.receive(&mut rest).unwrap().unwrap();
    }
    let flight = transmitted(&mut *pair.client);
    assert_eq!(flight[..6], CHANGE_CIPHER_SPEC);
    pair.server.receive(&mut &*flight).unwrap().unwrap();
    assert_eq!(pair.echo(b"hello"), b"hello");
}

#[test]
fn waiting_change_cipher_spec_does_not_delay_an_alert() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::Only13).unwrap();
    let client = TlsClient::new(&pki.client, pki.trust(), Versions::Only13).unwrap();
    for is_closed_by_caller in [true, false] {
        let mut pair = ChannelPair::new(&client, &server);
        pair.client_to_server().unwrap();
        let flight = transmitted(&mut *pair.server);
        let length = 5 + usize::from(u16::from_be_bytes([flight[3], flight[4]]));
        pair.client.receive(&mut &flight[..length]).unwrap().unwrap();
        if is_closed_by_caller {
            pair.client.close();
        } else {
            assert!(pair.client.receive(&mut &[0xff; 20][..]).is_err());
        }
        let sent = transmitted(&mut *pair.client);
        assert_eq!(sent[..6], CHANGE_CIPHER_SPEC);
        assert!(sent.len() > 6, "no alert");
    }
}

/// The client sends the change_cipher_spec record before its second ClientHello.
#[test]
fn second_client_hello_is_sent_at_once_when_server_requests_another_group() {
    let pki = TestPki::new();
    let client = TlsClient::new(&pki.client, pki.trust(), Versions::Only13).unwrap();
    let mut provider = aws_lc_rs::default_provider();
    provider.kx_groups.retain(|group| group.name() == NamedGroup::secp384r1);
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pki.server.key().secret_der().to_vec()));
    let config = ServerConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(pki.server.chain().to_vec(), key)
        .unwrap();
    let mut server = ServerConnection::new(config.into()).unwrap();
    let mut channel = client.connect(&ServerExpectation::named("agent.example").unwrap()).unwrap();
    for first in [HANDSHAKE, CHANGE_CIPHER_SPEC[0]] {
        let hello = transmitted(&mut *channel);
        assert_eq!(hello[0], first);
        server.read_tls(&mut &*hello).unwrap();
        server.process_new_packets().unwrap();
        let mut response = Vec::new();
        server.write_tls(&mut response).unwrap();
        // The server requests no certificate, so the second response fails.
        let _ = channel.receive(&mut &*response);
    }
    assert_eq!(server.handshake_kind(), Some(HandshakeKind::FullWithHelloRetryRequest));
}

#[test]
fn k_untrusted_peer_is_rejected_and_not_identified() {
    let (pki, other_pki) = (TestPki::new(), TestPki::new());
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::From12).unwrap();
    let client = TlsClient::new(&other_pki.client, pki.trust(), Versions::From12).unwrap();
    let mut pair = ChannelPair::new(&client, &server);
    let error = pair.exchange_all().unwrap_err();
    assert_eq!(error.step, ChannelStep::ClientIdentity);
    assert!(error.hint.is_some(), "{error}");
    assert!(pair.server.peer().is_none());

    let client = TlsClient::new(&pki.client, other_pki.trust(), Versions::From12).unwrap();
    let mut pair = ChannelPair::new(&client, &server);
    assert_eq!(pair.exchange_all().unwrap_err().step, ChannelStep::ServerIdentity);
    assert!(pair.client.peer().is_none());
}

#[test]
fn name_mismatch_is_rejected_unless_server_is_pinned() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::From12).unwrap();
    let client = TlsClient::new(&pki.client, pki.trust(), Versions::From12).unwrap();
    let mut pair = ChannelPair::named(&client, &server, "elsewhere.example");
    assert_eq!(pair.exchange_all().unwrap_err().step, ChannelStep::ServerIdentity);

    let mut trust = Trust::default();
    let facts = certificate_facts(&pki.server.chain()[0]).unwrap();
    trust.pin(facts.fingerprints[2].clone());
    let client = TlsClient::new(&pki.client, trust, Versions::From12).unwrap();
    let mut pair = ChannelPair::named(&client, &server, "elsewhere.example");
    pair.exchange_all().unwrap();
}

#[test]
fn k_resumed_session_retains_identity_until_trust_settings_change() {
    for versions in [Versions::Only13, Versions::Only12] {
        let pki = TestPki::new();
        let server = TlsServer::new(&pki.server, pki.trust(), versions).unwrap();
        let client = TlsClient::new(&pki.client, pki.trust(), versions).unwrap();
        let mut first = ChannelPair::new(&client, &server);
        first.exchange_all().unwrap();
        first.echo(b"so that the ticket is read");
        let mut second = ChannelPair::new(&client, &server);
        second.exchange_all().unwrap();
        // The ticket contains the client's chain, and no certificate is sent again.
        assert!(second.octets < first.octets * 9 / 10, "{} of {}: not resumed", second.octets, first.octets);
        assert_eq!(second.server.peer(), first.server.peer());

        // The earlier client is no longer trusted, neither in new sessions nor with a ticket.
        server.replace(&pki.server, TestPki::new().trust(), versions).unwrap();
        assert!(ChannelPair::new(&client, &server).exchange_all().is_err());
        // Open sessions remain open.
        assert_eq!(second.echo(b"still here"), b"still here");
    }
}

#[test]
fn close_notify_is_distinguished_from_truncation() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::From12).unwrap();
    let client = TlsClient::new(&pki.client, pki.trust(), Versions::From12).unwrap();
    let mut buffer = [0; 16];
    let mut pair = ChannelPair::new(&client, &server);
    pair.exchange_all().unwrap();
    pair.client.close();
    pair.client_to_server().unwrap();
    assert_eq!(pair.server.read(&mut buffer).unwrap(), 0);

    let mut pair = ChannelPair::new(&client, &server);
    pair.exchange_all().unwrap();
    assert_eq!(pair.server.receive(&mut io::empty()).unwrap().unwrap(), 0);
    assert_eq!(pair.server.read(&mut buffer).unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn channel_never_opens_when_input_is_not_tls() {
    let pki = TestPki::new();
    let server = TlsServer::new(&pki.server, pki.trust(), Versions::From12).unwrap();
    for junk in
        [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0x30; 40], &[22, 3, 1, 0xff, 0xff, 1], &[0x80, 0x2e, 1, 3, 1]]
    {
        let mut channel = server.accept().unwrap();
        let mut junk = junk;
        let outcome = channel.receive(&mut junk);
        let waiting = channel.read(&mut [0; 16]).unwrap_err().kind();
        assert!(outcome.is_err() || waiting == ErrorKind::WouldBlock);
        assert!(channel.peer().is_none());
        assert_eq!(channel.write(b"data too early"), 0);
    }
}

#[test]
fn private_key_that_does_not_match_its_certificate_is_rejected() {
    let (pki, other) = (TestPki::new(), TestPki::new());
    let mismatched = Credentials::new(pki.server.chain().to_vec(), other.server.key().clone_key());
    let error = TlsServer::new(&mismatched, pki.trust(), Versions::From12).unwrap_err();
    assert!(error.to_string().contains("does not match the certificate"), "{error}");
}

/// The type of a record with handshake messages (RFC 8446 §5.1).
const HANDSHAKE: u8 = 22;
const CHANGE_CIPHER_SPEC: [u8; 6] = [20, 3, 3, 0, 1, 1];
