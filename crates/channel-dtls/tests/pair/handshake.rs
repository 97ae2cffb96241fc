//! Handshakes and messages in both versions.

use std::time::Instant;

use portreeve_channel::{AcceptOutcome, ChannelEvent, ChannelStep, DatagramAcceptor, PeerIdentity};
use portreeve_channel_dtls::{
    DtlsClient, DtlsServer, MAX_MESSAGE_LEN, ServerExpectation, Settings, Versions,
};
use portreeve_x509::{Credentials, Trust, certificate_facts};

use super::fixture::{ChannelPair, SeenEvent, TestPki, peer, settings};

const BOTH: [Versions; 2] = [Versions::Only12, Versions::Only13];

#[test]
fn both_peers_are_identified_in_every_version() {
    for (client, server) in [
        (Versions::Only12, Versions::Only12),
        (Versions::Only13, Versions::Only13),
        (Versions::From12, Versions::From12),
        (Versions::From12, Versions::Only12),
        (Versions::Only12, Versions::From12),
        (Versions::Only13, Versions::From12),
        (Versions::From12, Versions::Only13),
    ] {
        let pki = TestPki::new();
        let older = [client, server].contains(&Versions::Only12);
        let (server, client) = (pki.server(server), pki.client(client));
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        assert_eq!(pair.client_events, [SeenEvent::Open]);
        assert_eq!(pair.server_events, [SeenEvent::Open]);
        let Some(PeerIdentity::Certificate(identity)) = pair.server.as_ref().unwrap().peer() else {
            panic!("no identity")
        };
        assert_eq!(identity.leaf.common_name.as_deref(), Some("ops"));
        assert_eq!(identity.issuers.len(), 1);
        assert!(pair.client.peer().is_some());
        let protocol = if older { "DTLSv1.2" } else { "DTLSv1.3" };
        assert_eq!(pair.client.protocol(), protocol);
        assert_eq!(pair.server.as_ref().unwrap().protocol(), protocol);
        assert_eq!(pair.echo(b"hello"), b"hello");
    }
}

#[test]
fn messages_up_to_a_full_record_are_delivered_and_longer_ones_rejected() {
    for versions in BOTH {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        for length in [0, 1, 1400, 1500, 9000, MAX_MESSAGE_LEN] {
            if length > 0 {
                assert_eq!(pair.echo(&vec![7; length]), vec![7; length], "{versions:?} {length}");
            }
        }
        assert!(pair.client.send(Instant::now(), &vec![7; MAX_MESSAGE_LEN + 1]).is_err());
        assert_eq!(pair.echo(b"still open"), b"still open");
    }
}

#[test]
fn all_messages_in_one_datagram_are_delivered() {
    for versions in BOTH {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        let (now, mut buffer, mut joined) = (Instant::now(), [0; 2000], Vec::new());
        for message in [b"one", b"two", b"six"] {
            pair.client.send(now, message).unwrap();
            let length = pair.client.poll_transmit(&mut buffer).unwrap();
            joined.extend_from_slice(&buffer[..length]);
        }
        let server = pair.server.as_mut().unwrap();
        server.handle_datagram(now, &mut joined);
        for message in [b"one", b"two", b"six"] {
            assert_eq!(server.poll_event(&mut buffer), Some(ChannelEvent::Message(0..3)), "{versions:?}");
            assert_eq!(&buffer[..3], message, "{versions:?}");
            server.send(now, message).unwrap();
            let length = server.poll_transmit(&mut buffer).unwrap();
            pair.client.handle_datagram(now, &mut buffer[..length]);
            assert_eq!(
                pair.client.poll_event(&mut buffer),
                Some(ChannelEvent::Message(0..3)),
                "{versions:?}"
            );
            assert_eq!(&buffer[..3], message, "{versions:?}");
        }
        assert_eq!(server.poll_event(&mut buffer), None);
        assert_eq!(server.poll_transmit(&mut buffer), None);
        assert_eq!(server.next_timeout(), None, "{versions:?}: an open channel waits for nothing");
        assert_eq!(pair.client.poll_event(&mut buffer), None);
    }
}

#[test]
fn datagram_larger_than_buffer_is_lost_without_closing_the_channel() {
    for versions in BOTH {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        pair.client.send(Instant::now(), &[7; 1000]).unwrap();
        assert_eq!(pair.client.poll_transmit(&mut [0; 100]), None, "{versions:?}");
        assert_eq!(pair.echo(b"still here"), b"still here", "{versions:?}");
    }
}

#[test]
fn handshake_succeeds_when_any_one_datagram_is_lost() {
    for versions in BOTH {
        for lost in 1..8 {
            let pki = TestPki::new();
            let (server, client) = (pki.server(versions), pki.client(versions));
            let mut pair = ChannelPair::new(&client, &server);
            pair.network = Box::new(move |number, _| number != lost);
            pair.exchange_all(true);
            assert_eq!(pair.client_events, [SeenEvent::Open], "{versions:?}, without datagram {lost}");
            pair.network = Box::new(|_, _| true);
            assert_eq!(pair.echo(b"hello"), b"hello", "{versions:?}, without datagram {lost}");
        }
    }
}

/// A server that keeps the state of the 1.3 hello would drop a record with the same number.
#[test]
fn record_numbers_continue_after_fallback_to_dtls_1_2() {
    let pki = TestPki::new();
    let (server, client) = (pki.server(Versions::Only12), pki.client(Versions::From12));
    let mut channel =
        client.connect(Instant::now(), &ServerExpectation::named("agent.example").unwrap()).unwrap();
    let (mut buffer, mut reply) = ([0; 2000], [0; 2000]);
    let number = |record: &[u8]| u64::from_be_bytes(record[3..11].try_into().unwrap());
    let mut numbers = Vec::new();
    for _ in 0..3 {
        let length = channel.poll_transmit(&mut buffer).unwrap();
        numbers.push(number(&buffer));
        if let AcceptOutcome::Reply(count) =
            server.accept(Instant::now(), peer(), &mut buffer[..length], &mut reply)
        {
            channel.handle_datagram(Instant::now(), &mut reply[..count]);
        }
    }
    // The numbers of the records with the 1.3 hello, the 1.2 hello, and the 1.2 hello with its
    // cookie.
    assert_eq!(numbers, [0, 1, 2]);
}

#[test]
fn certificates_larger_than_8_kb_are_accepted() {
    let pki = TestPki::with_long_certificates();
    assert!(pki.server.chain()[0].len() > 8192 && pki.client.chain()[0].len() > 8192);
    let (server, client) = (pki.server(Versions::Only12), pki.client(Versions::Only12));
    let mut pair = ChannelPair::new(&client, &server);
    pair.exchange_all(false);
    assert_eq!(pair.echo(b"hello"), b"hello");
}

#[test]
fn k_untrusted_peer_is_rejected_and_not_identified() {
    for versions in BOTH {
        let (pki, other_pki) = (TestPki::new(), TestPki::new());
        let server = pki.server(versions);
        let client = DtlsClient::new(&other_pki.client, pki.trust(), settings(versions)).unwrap();
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        assert_eq!(pair.server_error().step, ChannelStep::ClientIdentity);
        assert!(pair.server_error().hint.is_some());
        assert!(pair.server.as_ref().unwrap().peer().is_none());
        match versions {
            // The alert arrives before the client considers the channel open.
            Versions::Only12 => {
                let failure = pair.client_error();
                assert_eq!(failure.step, ChannelStep::ClientIdentity, "{failure}");
            }
            _ => assert_eq!(pair.client_events, [SeenEvent::Open, SeenEvent::ClosedByPeer]),
        }

        let client = DtlsClient::new(&pki.client, other_pki.trust(), settings(versions)).unwrap();
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        assert_eq!(pair.client_error().step, ChannelStep::ServerIdentity);
        assert!(pair.client.peer().is_none());
        assert!(!pair.server_events.contains(&SeenEvent::Open));
    }
}

#[test]
fn name_mismatch_is_rejected_unless_server_is_pinned() {
    for versions in BOTH {
        let pki = TestPki::new();
        let server = pki.server(versions);
        let client = pki.client(versions);
        let mut pair = ChannelPair::named(&client, &server, "elsewhere.example");
        pair.exchange_all(false);
        assert_eq!(pair.client_error().step, ChannelStep::ServerIdentity);

        let mut trust = Trust::default();
        let facts = certificate_facts(&pki.server.chain()[0]).unwrap();
        trust.pin(facts.fingerprints[2].clone());
        let client = DtlsClient::new(&pki.client, trust, settings(versions)).unwrap();
        let mut pair = ChannelPair::named(&client, &server, "elsewhere.example");
        pair.exchange_all(false);
        assert_eq!(pair.client_events, [SeenEvent::Open]);
    }
}

#[test]
fn close_of_a_channel_is_reported_to_the_peer() {
    for versions in BOTH {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        pair.client.close(Instant::now());
        assert!(pair.client.send(Instant::now(), b"too late").is_err());
        pair.exchange_all(false);
        assert_eq!(pair.server_events.last(), Some(&SeenEvent::ClosedByPeer));
    }
}

#[test]
fn changed_trust_settings_apply_only_to_new_channels() {
    for versions in BOTH {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut old = ChannelPair::new(&client, &server);
        old.exchange_all(false);
        server.replace(&pki.server, TestPki::new().trust(), settings(versions)).unwrap();
        let mut new = ChannelPair::new(&client, &server);
        new.exchange_all(false);
        assert_eq!(new.server_error().step, ChannelStep::ClientIdentity);
        assert_eq!(old.echo(b"still here"), b"still here");
    }
}

#[test]
fn private_key_that_does_not_match_its_certificate_is_rejected() {
    let (pki, other) = (TestPki::new(), TestPki::new());
    let mismatched = Credentials::new(pki.server.chain().to_vec(), other.server.key().clone_key());
    for versions in BOTH {
        let error = DtlsServer::new(&mismatched, pki.trust(), settings(versions)).unwrap_err();
        assert!(error.to_string().contains("does not match the certificate"), "{error}");
    }
}

#[test]
fn server_supports_dtls13_only_if_enabled_and_without_intermediates() {
    let pki = TestPki::new();
    assert!(pki.server(Versions::From12).supports_13());
    assert!(!pki.server(Versions::Only12).supports_13());
    // A chain of two certificates. Our DTLS 1.3 can send only one. The client's certificate takes
    // the place of an intermediate here.
    let chain = vec![pki.server.chain()[0].clone(), pki.client.chain()[0].clone()];
    let long = Credentials::new(chain, pki.server.key().clone_key());
    assert!(!DtlsServer::new(&long, pki.trust(), Settings::default()).unwrap().supports_13());
    assert!(DtlsServer::new(&long, pki.trust(), settings(Versions::Only13)).is_err());
}
