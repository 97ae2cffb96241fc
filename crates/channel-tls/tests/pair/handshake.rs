//! What both versions do.

use std::{
    collections::VecDeque,
    io::{self, ErrorKind},
};

use portreeve_channel::{PeerIdentity, Step, StreamAcceptor};
use portreeve_channel_tls::{TlsClient, TlsServer, Versions};
use portreeve_x509::{Credentials, Trust, certificate_facts};

use super::world::{Pair, World};

#[test]
fn each_end_learns_who_the_other_is_in_every_version() {
    for versions in [Versions::From12, Versions::Only13, Versions::Only12] {
        let world = World::new();
        let server = TlsServer::new(&world.server, world.trust(), versions).unwrap();
        let client = TlsClient::new(&world.client, world.trust(), versions).unwrap();
        let mut pair = Pair::new(&client, &server);
        pair.settle().unwrap();
        let Some(PeerIdentity::Certificate(identity)) = pair.server.peer() else { panic!("no identity") };
        assert_eq!(identity.leaf.common_name.as_deref(), Some("ops"));
        assert_eq!(identity.issuers.len(), 1);
        assert!(pair.client.peer().is_some());
        let spoken = if versions == Versions::Only12 { "TLSv1.2" } else { "TLSv1.3" };
        assert_eq!((pair.client.protocol(), pair.server.protocol()), (spoken, spoken));
        assert_eq!(pair.ask(b"hello"), b"hello");
    }
}

//= rfc6353#5.3.1-4
//= type=test
#[test]
fn a_request_in_the_handshakes_last_octets_is_not_overlooked() {
    let world = World::new();
    let server = TlsServer::new(&world.server, world.trust(), Versions::Only13).unwrap();
    let client = TlsClient::new(&world.client, world.trust(), Versions::Only13).unwrap();
    let mut pair = Pair::new(&client, &server);
    // Nothing is said to a server that has not shown who it is.
    assert_eq!(pair.client.write(b"too early"), 0);
    // The client's hello and the server's flight.
    pair.client_speaks().unwrap();
    assert_eq!(pair.client.write(b"too early"), 0);
    pair.server_speaks().unwrap();
    // The client has all it needs: its last flight and a request go together.
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
fn what_is_written_when_the_handshake_is_done_leaves_together_with_its_last_octets() {
    let world = World::new();
    let server = TlsServer::new(&world.server, world.trust(), Versions::Only13).unwrap();
    let client = TlsClient::new(&world.client, world.trust(), Versions::Only13).unwrap();
    let mut pair = Pair::new(&client, &server);
    pair.client_speaks().unwrap();
    pair.server_speaks().unwrap();
    assert!(pair.client.wants_transmit() && pair.client.peer().is_some());
    assert_eq!(pair.client.write(b"a request"), 9);
    // From now on what waits is the user's, who is to wait as well.
    assert_eq!(pair.client.write(b"another"), 0);
    let mut wire = Vec::new();
    pair.client.transmit(&mut wire).unwrap();
    assert!(!pair.client.wants_transmit());
    let (mut wire, mut buffer) = (VecDeque::from(wire), [0; 64]);
    while !wire.is_empty() {
        pair.server.receive(&mut wire).unwrap().unwrap();
    }
    assert_eq!(pair.server.read(&mut buffer).unwrap(), 9);
    // Its ticket and the answer, too.
    assert!(pair.server.wants_transmit());
    assert_eq!(pair.server.write(b"an answer"), 9);
    pair.server_speaks().unwrap();
    assert_eq!(pair.client.read(&mut buffer).unwrap(), 9);
    assert_eq!(pair.ask(b"hello"), b"hello");
}

#[test]
fn k_whoever_is_not_trusted_hears_why_and_sees_no_data() {
    let (world, stranger) = (World::new(), World::new());
    let server = TlsServer::new(&world.server, world.trust(), Versions::From12).unwrap();
    let client = TlsClient::new(&stranger.client, world.trust(), Versions::From12).unwrap();
    let mut pair = Pair::new(&client, &server);
    let error = pair.settle().unwrap_err();
    assert_eq!(error.step, Step::ClientIdentity);
    assert!(error.cure.is_some(), "{error}");
    assert!(pair.server.peer().is_none());

    let client = TlsClient::new(&world.client, stranger.trust(), Versions::From12).unwrap();
    let mut pair = Pair::new(&client, &server);
    assert_eq!(pair.settle().unwrap_err().step, Step::ServerIdentity);
    assert!(pair.client.peer().is_none());
}

#[test]
fn a_server_with_another_name_is_refused_and_a_pinned_one_is_not() {
    let world = World::new();
    let server = TlsServer::new(&world.server, world.trust(), Versions::From12).unwrap();
    let client = TlsClient::new(&world.client, world.trust(), Versions::From12).unwrap();
    let mut pair = Pair::named(&client, &server, "elsewhere.example");
    assert_eq!(pair.settle().unwrap_err().step, Step::ServerIdentity);

    let mut trust = Trust::default();
    let facts = certificate_facts(&world.server.chain()[0]).unwrap();
    trust.pin(facts.fingerprints[2].clone());
    let client = TlsClient::new(&world.client, trust, Versions::From12).unwrap();
    let mut pair = Pair::named(&client, &server, "elsewhere.example");
    pair.settle().unwrap();
}

#[test]
fn k_a_resumed_session_has_the_same_identity_and_new_trust_ends_it() {
    for versions in [Versions::Only13, Versions::Only12] {
        let world = World::new();
        let server = TlsServer::new(&world.server, world.trust(), versions).unwrap();
        let client = TlsClient::new(&world.client, world.trust(), versions).unwrap();
        let mut first = Pair::new(&client, &server);
        first.settle().unwrap();
        first.ask(b"so that the ticket is read");
        let mut second = Pair::new(&client, &server);
        second.settle().unwrap();
        // Tickets hold the client's chain, and no certificate travels otherwise.
        assert!(second.octets < first.octets * 9 / 10, "{} of {}: not resumed", second.octets, first.octets);
        assert_eq!(second.server.peer(), first.server.peer());

        // Nobody we know is trusted any more: neither new sessions nor tickets.
        server.replace(&world.server, World::new().trust(), versions).unwrap();
        assert!(Pair::new(&client, &server).settle().is_err());
        // Who is in stays in.
        assert_eq!(second.ask(b"still here"), b"still here");
    }
}

#[test]
fn a_close_is_told_from_a_cut() {
    let world = World::new();
    let server = TlsServer::new(&world.server, world.trust(), Versions::From12).unwrap();
    let client = TlsClient::new(&world.client, world.trust(), Versions::From12).unwrap();
    let mut buffer = [0; 16];
    let mut pair = Pair::new(&client, &server);
    pair.settle().unwrap();
    pair.client.close();
    pair.client_speaks().unwrap();
    assert_eq!(pair.server.read(&mut buffer).unwrap(), 0);

    let mut pair = Pair::new(&client, &server);
    pair.settle().unwrap();
    assert_eq!(pair.server.receive(&mut io::empty()).unwrap().unwrap(), 0);
    assert_eq!(pair.server.read(&mut buffer).unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn octets_that_are_no_tls_end_the_channel() {
    let world = World::new();
    let server = TlsServer::new(&world.server, world.trust(), Versions::From12).unwrap();
    for junk in
        [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0x30; 40], &[22, 3, 1, 0xff, 0xff, 1], &[0x80, 0x2e, 1, 3, 1]]
    {
        let mut channel = server.accept().unwrap();
        let mut junk = junk;
        let outcome = channel.receive(&mut junk);
        let waiting = channel.read(&mut [0; 16]).unwrap_err().kind();
        assert!(outcome.is_err() || waiting == ErrorKind::WouldBlock);
        assert!(channel.peer().is_none());
        assert_eq!(channel.write(b"data for nobody"), 0);
    }
}

#[test]
fn a_key_of_another_certificate_is_found_out_at_once() {
    let (world, other) = (World::new(), World::new());
    let mixed = Credentials::new(world.server.chain().to_vec(), other.server.key().clone_key());
    let error = TlsServer::new(&mixed, world.trust(), Versions::From12).unwrap_err();
    assert!(error.to_string().contains("is not the certificate's"), "{error}");
}
