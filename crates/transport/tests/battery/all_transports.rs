//! Tests that run over every transport, and for streams also with a second protocol.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use portreeve_transport::Limits;

use super::fixture::{
    ACCEPT, DEFERRED, DROP, ECHO, LARGE, ON_WAKE, PANIC, RECOVERED, Subject, TestServer, TransportKind,
};
use super::wire::Wire;

macro_rules! battery {
    ($($name:ident,)*) => {
        battery!(@ udp4 Udp4 Snmp $($name,)*);
        battery!(@ udp6 Udp6 Snmp $($name,)*);
        battery!(@ tcp4 Tcp4 Snmp $($name,)*);
        battery!(@ tcp6 Tcp6 Snmp $($name,)*);
        battery!(@ tls4 Tls4 Snmp $($name,)*);
        battery!(@ tls6 Tls6 Snmp $($name,)*);
        battery!(@ ssh4 Ssh4 Snmp $($name,)*);
        battery!(@ ssh6 Ssh6 Snmp $($name,)*);
        battery!(@ dtls4 Dtls4 Snmp $($name,)*);
        battery!(@ dtls6 Dtls6 Snmp $($name,)*);
        battery!(@ dtls13 Dtls13 Snmp $($name,)*);
        battery!(@ relay Relay Snmp $($name,)*);
        battery!(@ tcp4_lines Tcp4 Lines $($name,)*);
        battery!(@ tcp6_lines Tcp6 Lines $($name,)*);
        battery!(@ tls4_lines Tls4 Lines $($name,)*);
        battery!(@ tls6_lines Tls6 Lines $($name,)*);
        battery!(@ ssh4_lines Ssh4 Lines $($name,)*);
        battery!(@ ssh6_lines Ssh6 Lines $($name,)*);
        battery!(@ relay_lines Relay Lines $($name,)*);
    };
    (@ $module:ident $kind:ident $wire:ident $($name:ident,)*) => {
        mod $module {
            $(#[test] fn $name() { super::$name(super::Subject(super::TransportKind::$kind, super::Wire::$wire)); })*
        }
    };
}

battery! {
    request_is_answered,
    thousand_messages_are_answered_in_order,
    response_of_60000_octets_arrives_complete,
    deferred_response_does_not_block_other_responses,
    worker_can_be_woken_from_another_thread,
    dropped_or_accepted_message_is_not_answered,
    handler_recovers_from_panic_and_serves_other_peers,
    response_is_sent_from_the_address_that_received_the_request,
    several_workers_serve_many_peers,
    shutdown_without_pending_responses_is_quick_and_closes_sockets,
    response_that_becomes_ready_during_shutdown_is_sent,
}

fn request_is_answered(subject: Subject) {
    let server = TestServer::start(subject);
    let message = server.frame(ECHO, b"hello");
    assert_eq!(server.peer().request(&message), message);
}

fn thousand_messages_are_answered_in_order(subject: Subject) {
    let server = TestServer::start(subject);
    let mut peer = server.peer();
    // Send the messages in groups, so that no socket buffer overflows.
    for group in 0..20_u16 {
        let messages: Vec<_> = (0..50).map(|n| server.frame(ECHO, &(group * 50 + n).to_be_bytes())).collect();
        messages.iter().for_each(|message| peer.send(message));
        for message in &messages {
            assert_eq!(peer.receive(), *message);
        }
    }
}

fn response_of_60000_octets_arrives_complete(subject: Subject) {
    let server = TestServer::start(subject);
    if subject.0.is_dtls() {
        // A DTLS record carries fewer than 60 000 octets, so no DTLS session can send such a
        // response.
        return request_is_answered(subject);
    }
    assert_eq!(server.peer().request(&server.frame(LARGE, &[])), server.frame(LARGE, &vec![7; 60_000]));
}

fn deferred_response_does_not_block_other_responses(subject: Subject) {
    let server = TestServer::start(subject);
    let (mut first, mut other) = (server.peer(), server.peer());
    let start = Instant::now();
    first.send(&server.frame(DEFERRED, b"1"));
    first.send(&server.frame(ECHO, b"2"));
    assert_eq!(first.receive(), server.frame(ECHO, b"2"));
    other.request(&server.frame(ECHO, b"3"));
    assert_eq!(first.receive(), server.frame(DEFERRED, b"1"));
    assert!(start.elapsed() >= Duration::from_millis(50));
}

fn worker_can_be_woken_from_another_thread(subject: Subject) {
    let server = TestServer::start(subject);
    let mut peer = server.peer();
    peer.send(&server.frame(ON_WAKE, b"1"));
    peer.request(&server.frame(ECHO, b"2"));
    server.wake_worker();
    assert_eq!(peer.receive(), server.frame(ON_WAKE, b"1"));
}

fn dropped_or_accepted_message_is_not_answered(subject: Subject) {
    let server = TestServer::start(subject);
    let mut peer = server.peer();
    peer.send(&server.frame(DROP, &[]));
    peer.send(&server.frame(ACCEPT, &[]));
    assert_eq!(peer.request(&server.frame(ECHO, &[])), server.frame(ECHO, &[]));
}

fn handler_recovers_from_panic_and_serves_other_peers(subject: Subject) {
    let server = TestServer::start(subject);
    let (mut before, mut bad) = (server.peer(), server.peer());
    before.request(&server.frame(ECHO, b"1"));
    bad.send(&server.frame(PANIC, &[]));
    server.wait_for_statistics("handler panic", |statistics| statistics.handler_panics == 1);
    assert_eq!(before.request(&server.frame(ECHO, b"2")), server.frame(ECHO, b"2"));
    if subject.1 == Wire::Snmp {
        assert_eq!(server.peer().request(&server.frame(RECOVERED, &[])), server.frame(RECOVERED, &[1]));
    }
}

fn response_is_sent_from_the_address_that_received_the_request(subject: Subject) {
    if !subject.0.is_ipv4() {
        // IPv6 has only one loopback address; other local addresses are tested in the crate `sys`.
        return request_is_answered(subject);
    }
    let server = TestServer::start(subject);
    for address in ["127.0.0.1", "127.0.0.2", "127.1.2.3"] {
        let target = SocketAddr::new(address.parse().unwrap(), server.address.port());
        // Test both an immediate and a deferred response.
        for what in [ECHO, DEFERRED] {
            assert_eq!(server.peer_at(target).request(&server.frame(what, b"x")), server.frame(what, b"x"));
        }
    }
}

fn several_workers_serve_many_peers(subject: Subject) {
    let server = TestServer::with_limits(subject, 3, Limits::default());
    let mut peers: Vec<_> = (0..40).map(|_| server.peer()).collect();
    for round in 0..5_u8 {
        for (n, peer) in peers.iter_mut().enumerate() {
            peer.send(&server.frame(ECHO, &[round, n as u8]));
        }
        for (n, peer) in peers.iter_mut().enumerate() {
            assert_eq!(peer.receive(), server.frame(ECHO, &[round, n as u8]));
        }
    }
}

fn response_that_becomes_ready_during_shutdown_is_sent(subject: Subject) {
    let mut server = TestServer::start(subject);
    let mut peer = server.peer();
    let message = server.frame(ON_WAKE, b"1");
    peer.send(&message);
    peer.request(&server.frame(ECHO, b"2"));
    server.shutdown_and_wake(|| assert_eq!(peer.receive(), message));
}

fn shutdown_without_pending_responses_is_quick_and_closes_sockets(subject: Subject) {
    let mut server = TestServer::with_limits(subject, 2, Limits::default());
    let mut peer = server.peer();
    peer.request(&server.frame(ECHO, &[]));
    let start = Instant::now();
    server.running.take().unwrap().shutdown();
    assert!(
        start.elapsed() < Duration::from_millis(900),
        "a session without pending responses must not delay the shutdown"
    );
    match subject.0 {
        TransportKind::Dtls4 | TransportKind::Dtls6 | TransportKind::Dtls13 => {
            assert!(peer.is_closed());
            drop(std::net::UdpSocket::bind(server.address).unwrap());
        }
        TransportKind::Udp4 | TransportKind::Udp6 => drop(std::net::UdpSocket::bind(server.address).unwrap()),
        TransportKind::Tcp4
        | TransportKind::Tcp6
        | TransportKind::Tls4
        | TransportKind::Tls6
        | TransportKind::Ssh4
        | TransportKind::Ssh6 => assert!(peer.is_closed()),
        TransportKind::Relay => {
            assert!(peer.is_closed());
            assert!(!server.socket().exists(), "the socket file still exists");
        }
    }
}
