//! What both versions do alike.

use std::time::Instant;

use portreeve_channel::{Acceptance, DatagramAcceptor, Event, PeerIdentity, Step};
use portreeve_channel_dtls::{
    DtlsClient, DtlsServer, LONGEST_MESSAGE, ServerExpectation, Settings, Versions,
};
use portreeve_x509::{Credentials, Trust, certificate_facts};

use super::world::{Pair, Seen, World, peer, settings};

const BOTH: [Versions; 2] = [Versions::Only12, Versions::Only13];

#[test]
fn each_end_learns_who_the_other_is_in_every_version() {
    for (client, server) in [
        (Versions::Only12, Versions::Only12),
        (Versions::Only13, Versions::Only13),
        (Versions::From12, Versions::From12),
        (Versions::From12, Versions::Only12),
        (Versions::Only12, Versions::From12),
        (Versions::Only13, Versions::From12),
        (Versions::From12, Versions::Only13),
    ] {
        let world = World::new();
        let older = [client, server].contains(&Versions::Only12);
        let (server, client) = (world.server(server), world.client(client));
        let mut pair = Pair::new(&client, &server);
        pair.settle(false);
        assert_eq!(pair.client_events, [Seen::Open]);
        assert_eq!(pair.server_events, [Seen::Open]);
        let Some(PeerIdentity::Certificate(identity)) = pair.server.as_ref().unwrap().peer() else {
            panic!("no identity")
        };
        assert_eq!(identity.leaf.common_name.as_deref(), Some("ops"));
        assert_eq!(identity.issuers.len(), 1);
        assert!(pair.client.peer().is_some());
        let spoken = if older { "DTLSv1.2" } else { "DTLSv1.3" };
        assert_eq!(pair.client.protocol(), spoken);
        assert_eq!(pair.server.as_ref().unwrap().protocol(), spoken);
        assert_eq!(pair.ask(b"hello"), b"hello");
    }
}

#[test]
fn messages_up_to_a_whole_record_arrive_and_longer_ones_are_refused() {
    for versions in BOTH {
        let world = World::new();
        let (server, client) = (world.server(versions), world.client(versions));
        let mut pair = Pair::new(&client, &server);
        pair.settle(false);
        for length in [0, 1, 1400, 1500, 9000, LONGEST_MESSAGE] {
            if length > 0 {
                assert_eq!(pair.ask(&vec![7; length]), vec![7; length], "{versions:?} {length}");
            }
        }
        assert!(pair.client.send(Instant::now(), &vec![7; LONGEST_MESSAGE + 1]).is_err());
        assert_eq!(pair.ask(b"still open"), b"still open");
    }
}

#[test]
fn every_message_of_a_datagram_is_told_and_answers_may_go_in_between() {
    for versions in BOTH {
        let world = World::new();
        let (server, client) = (world.server(versions), world.client(versions));
        let mut pair = Pair::new(&client, &server);
        pair.settle(false);
        let (now, mut room, mut glued) = (Instant::now(), [0; 2000], Vec::new());
        for message in [b"one", b"two", b"six"] {
            pair.client.send(now, message).unwrap();
            let length = pair.client.poll_transmit(&mut room).unwrap();
            glued.extend_from_slice(&room[..length]);
        }
        let server = pair.server.as_mut().unwrap();
        server.handle_datagram(now, &mut glued);
        for message in [b"one", b"two", b"six"] {
            assert_eq!(server.poll_event(&mut room), Some(Event::Message(0..3)), "{versions:?}");
            assert_eq!(&room[..3], message, "{versions:?}");
            server.send(now, message).unwrap();
            let length = server.poll_transmit(&mut room).unwrap();
            pair.client.handle_datagram(now, &mut room[..length]);
            assert_eq!(pair.client.poll_event(&mut room), Some(Event::Message(0..3)), "{versions:?}");
            assert_eq!(&room[..3], message, "{versions:?}");
        }
        assert_eq!(server.poll_event(&mut room), None);
        assert_eq!(server.poll_transmit(&mut room), None);
        assert_eq!(server.next_timeout(), None, "{versions:?}: an open channel waits for nothing");
        assert_eq!(pair.client.poll_event(&mut room), None);
    }
}

#[test]
fn what_has_too_little_room_is_lost_alone() {
    for versions in BOTH {
        let world = World::new();
        let (server, client) = (world.server(versions), world.client(versions));
        let mut pair = Pair::new(&client, &server);
        pair.settle(false);
        pair.client.send(Instant::now(), &[7; 1000]).unwrap();
        assert_eq!(pair.client.poll_transmit(&mut [0; 100]), None, "{versions:?}");
        assert_eq!(pair.ask(b"still here"), b"still here", "{versions:?}");
    }
}

#[test]
fn a_flight_that_is_lost_is_repeated() {
    for versions in BOTH {
        for lost in 1..8 {
            let world = World::new();
            let (server, client) = (world.server(versions), world.client(versions));
            let mut pair = Pair::new(&client, &server);
            pair.network = Box::new(move |number, _| number != lost);
            pair.settle(true);
            assert_eq!(pair.client_events, [Seen::Open], "{versions:?}, without datagram {lost}");
            pair.network = Box::new(|_, _| true);
            assert_eq!(pair.ask(b"hello"), b"hello", "{versions:?}, without datagram {lost}");
        }
    }
}

/// A server that remembers the hello of 1.3 would drop a record that has its number.
#[test]
fn the_older_version_goes_on_numbering_where_the_newest_has_ended() {
    let world = World::new();
    let (server, client) = (world.server(Versions::Only12), world.client(Versions::From12));
    let mut channel =
        client.connect(Instant::now(), &ServerExpectation::named("agent.example").unwrap()).unwrap();
    let (mut buffer, mut reply) = ([0; 2000], [0; 2000]);
    let number = |record: &[u8]| u64::from_be_bytes(record[3..11].try_into().unwrap());
    let mut numbers = Vec::new();
    for _ in 0..3 {
        let length = channel.poll_transmit(&mut buffer).unwrap();
        numbers.push(number(&buffer));
        if let Acceptance::Answer(count) =
            server.accept(Instant::now(), peer(), &mut buffer[..length], &mut reply)
        {
            channel.handle_datagram(Instant::now(), &mut reply[..count]);
        }
    }
    // The hello of 1.3, that of 1.2, and the same with its cookie.
    assert_eq!(numbers, [0, 1, 2]);
}

#[test]
fn certificates_of_many_kilobytes_are_taken_by_either_end() {
    let world = World::with_long_certificates();
    assert!(world.server.chain()[0].len() > 8192 && world.client.chain()[0].len() > 8192);
    let (server, client) = (world.server(Versions::Only12), world.client(Versions::Only12));
    let mut pair = Pair::new(&client, &server);
    pair.settle(false);
    assert_eq!(pair.ask(b"hello"), b"hello");
}

#[test]
fn k_whoever_is_not_trusted_hears_why_and_is_given_nothing() {
    for versions in BOTH {
        let (world, stranger) = (World::new(), World::new());
        let server = world.server(versions);
        let client = DtlsClient::new(&stranger.client, world.trust(), settings(versions)).unwrap();
        let mut pair = Pair::new(&client, &server);
        pair.settle(false);
        assert_eq!(pair.failure_of_server().step, Step::ClientIdentity);
        assert!(pair.failure_of_server().cure.is_some());
        assert!(pair.server.as_ref().unwrap().peer().is_none());
        match versions {
            // Refused by an alert before the client thought itself in.
            Versions::Only12 => {
                let failure = pair.failure_of_client();
                assert_eq!(failure.step, Step::ClientIdentity, "{failure}");
            }
            _ => assert_eq!(pair.client_events, [Seen::Open, Seen::ClosedByPeer]),
        }

        let client = DtlsClient::new(&world.client, stranger.trust(), settings(versions)).unwrap();
        let mut pair = Pair::new(&client, &server);
        pair.settle(false);
        assert_eq!(pair.failure_of_client().step, Step::ServerIdentity);
        assert!(pair.client.peer().is_none());
        assert!(!pair.server_events.contains(&Seen::Open));
    }
}

#[test]
fn a_server_with_another_name_is_refused_and_a_pinned_one_is_not() {
    for versions in BOTH {
        let world = World::new();
        let server = world.server(versions);
        let client = world.client(versions);
        let mut pair = Pair::named(&client, &server, "elsewhere.example");
        pair.settle(false);
        assert_eq!(pair.failure_of_client().step, Step::ServerIdentity);

        let mut trust = Trust::default();
        let facts = certificate_facts(&world.server.chain()[0]).unwrap();
        trust.pin(facts.fingerprints[2].clone());
        let client = DtlsClient::new(&world.client, trust, settings(versions)).unwrap();
        let mut pair = Pair::named(&client, &server, "elsewhere.example");
        pair.settle(false);
        assert_eq!(pair.client_events, [Seen::Open]);
    }
}

#[test]
fn a_close_is_told_to_the_other_end() {
    for versions in BOTH {
        let world = World::new();
        let (server, client) = (world.server(versions), world.client(versions));
        let mut pair = Pair::new(&client, &server);
        pair.settle(false);
        pair.client.close(Instant::now());
        assert!(pair.client.send(Instant::now(), b"too late").is_err());
        pair.settle(false);
        assert_eq!(pair.server_events.last(), Some(&Seen::ClosedByPeer));
    }
}

#[test]
fn replaced_trust_holds_for_new_channels_only() {
    for versions in BOTH {
        let world = World::new();
        let (server, client) = (world.server(versions), world.client(versions));
        let mut old = Pair::new(&client, &server);
        old.settle(false);
        server.replace(&world.server, World::new().trust(), settings(versions)).unwrap();
        let mut new = Pair::new(&client, &server);
        new.settle(false);
        assert_eq!(new.failure_of_server().step, Step::ClientIdentity);
        assert_eq!(old.ask(b"still here"), b"still here");
    }
}

#[test]
fn a_key_of_another_certificate_is_found_out_at_once() {
    let (world, other) = (World::new(), World::new());
    let mixed = Credentials::new(world.server.chain().to_vec(), other.server.key().clone_key());
    for versions in BOTH {
        let error = DtlsServer::new(&mixed, world.trust(), settings(versions)).unwrap_err();
        assert!(error.to_string().contains("is not the certificate's"), "{error}");
    }
}

#[test]
fn the_versions_that_are_spoken_follow_the_credentials() {
    let world = World::new();
    assert!(world.server(Versions::From12).speaks_13());
    assert!(!world.server(Versions::Only12).speaks_13());
    // Another authority's leaf in between, which 1.3 could not send.
    let chain = vec![world.server.chain()[0].clone(), world.client.chain()[0].clone()];
    let long = Credentials::new(chain, world.server.key().clone_key());
    assert!(!DtlsServer::new(&long, world.trust(), Settings::default()).unwrap().speaks_13());
    assert!(DtlsServer::new(&long, world.trust(), settings(Versions::Only13)).is_err());
}
