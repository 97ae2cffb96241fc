//! What holds for every transport.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use portreeve_transport::Limits;

use super::fixture::{ACCEPT, DROP, ECHO, Kind, LARGE, LATER, ON_WAKE, PANIC, RECOVERED, Server, frame};

macro_rules! battery {
    ($($name:ident,)*) => {
        battery!(@ udp4 Udp4 $($name,)*);
        battery!(@ udp6 Udp6 $($name,)*);
        battery!(@ tcp4 Tcp4 $($name,)*);
        battery!(@ tcp6 Tcp6 $($name,)*);
        battery!(@ tls4 Tls4 $($name,)*);
        battery!(@ tls6 Tls6 $($name,)*);
        battery!(@ ssh4 Ssh4 $($name,)*);
        battery!(@ ssh6 Ssh6 $($name,)*);
        battery!(@ dtls4 Dtls4 $($name,)*);
        battery!(@ dtls6 Dtls6 $($name,)*);
        battery!(@ dtls13 Dtls13 $($name,)*);
        battery!(@ relay Relay $($name,)*);
    };
    (@ $module:ident $kind:ident $($name:ident,)*) => {
        mod $module {
            $(#[test] fn $name() { super::$name(super::Kind::$kind); })*
        }
    };
}

battery! {
    a_request_is_answered,
    a_thousand_messages_are_answered_in_order,
    an_answer_of_sixty_thousand_octets_arrives_whole,
    an_answer_that_takes_time_holds_up_nobody,
    a_worker_can_be_woken_from_another_thread,
    what_is_dropped_or_needs_no_answer_gets_none,
    a_panic_ends_with_its_message,
    the_answer_comes_from_the_address_that_was_asked,
    several_workers_serve_many_peers,
    after_a_shutdown_the_port_is_free,
}

fn a_request_is_answered(kind: Kind) {
    let server = Server::start(kind);
    let message = frame(ECHO, b"hello");
    assert_eq!(server.peer().ask(&message), message);
}

fn a_thousand_messages_are_answered_in_order(kind: Kind) {
    let server = Server::start(kind);
    let mut peer = server.peer();
    // In lots, so that no socket buffer overflows.
    for lot in 0..20_u16 {
        let messages: Vec<_> = (0..50).map(|n| frame(ECHO, &(lot * 50 + n).to_be_bytes())).collect();
        messages.iter().for_each(|message| peer.send(message));
        for message in &messages {
            assert_eq!(peer.receive(), *message);
        }
    }
}

fn an_answer_of_sixty_thousand_octets_arrives_whole(kind: Kind) {
    let server = Server::start(kind);
    if kind.is_dtls() {
        // A record carries less; what a session may be answered with says so.
        return a_request_is_answered(kind);
    }
    assert_eq!(server.peer().ask(&frame(LARGE, &[])), frame(LARGE, &vec![7; 60_000]));
}

fn an_answer_that_takes_time_holds_up_nobody(kind: Kind) {
    let server = Server::start(kind);
    let (mut patient, mut other) = (server.peer(), server.peer());
    let start = Instant::now();
    patient.send(&frame(LATER, b"1"));
    patient.send(&frame(ECHO, b"2"));
    assert_eq!(patient.receive(), frame(ECHO, b"2"));
    other.ask(&frame(ECHO, b"3"));
    assert_eq!(patient.receive(), frame(LATER, b"1"));
    assert!(start.elapsed() >= Duration::from_millis(50));
}

fn a_worker_can_be_woken_from_another_thread(kind: Kind) {
    let server = Server::start(kind);
    let mut peer = server.peer();
    peer.send(&frame(ON_WAKE, b"1"));
    peer.ask(&frame(ECHO, b"2"));
    let waker = server.running().wakers()[0].clone();
    std::thread::spawn(move || waker.wake()).join().unwrap();
    assert_eq!(peer.receive(), frame(ON_WAKE, b"1"));
}

fn what_is_dropped_or_needs_no_answer_gets_none(kind: Kind) {
    let server = Server::start(kind);
    let mut peer = server.peer();
    peer.send(&frame(DROP, &[]));
    peer.send(&frame(ACCEPT, &[]));
    assert_eq!(peer.ask(&frame(ECHO, &[])), frame(ECHO, &[]));
}

fn a_panic_ends_with_its_message(kind: Kind) {
    let server = Server::start(kind);
    let (mut before, mut bad) = (server.peer(), server.peer());
    before.ask(&frame(ECHO, b"1"));
    bad.send(&frame(PANIC, &[]));
    server.wait_for("the panic", |statistics| statistics.handler_panics == 1);
    assert_eq!(before.ask(&frame(ECHO, b"2")), frame(ECHO, b"2"));
    assert_eq!(server.peer().ask(&frame(RECOVERED, &[])), frame(RECOVERED, &[1]));
}

fn the_answer_comes_from_the_address_that_was_asked(kind: Kind) {
    if !kind.is_ipv4() {
        // IPv6 has one loopback address; what a host's others do is shown beside the system calls.
        return a_request_is_answered(kind);
    }
    let server = Server::start(kind);
    for address in ["127.0.0.1", "127.0.0.2", "127.1.2.3"] {
        let asked = SocketAddr::new(address.parse().unwrap(), server.address.port());
        // At once, and when the answer takes time.
        for what in [ECHO, LATER] {
            assert_eq!(server.peer_at(asked).ask(&frame(what, b"x")), frame(what, b"x"));
        }
    }
}

fn several_workers_serve_many_peers(kind: Kind) {
    let server = Server::with(kind, 3, Limits::default());
    let mut peers: Vec<_> = (0..40).map(|_| server.peer()).collect();
    for round in 0..5_u8 {
        for (n, peer) in peers.iter_mut().enumerate() {
            peer.send(&frame(ECHO, &[round, n as u8]));
        }
        for (n, peer) in peers.iter_mut().enumerate() {
            assert_eq!(peer.receive(), frame(ECHO, &[round, n as u8]));
        }
    }
}

fn after_a_shutdown_the_port_is_free(kind: Kind) {
    let mut server = Server::with(kind, 2, Limits::default());
    let mut peer = server.peer();
    peer.ask(&frame(ECHO, &[]));
    let start = Instant::now();
    server.running.take().unwrap().shutdown();
    assert!(start.elapsed() < Duration::from_millis(900), "a session that owes nothing does not delay it");
    match kind {
        Kind::Dtls4 | Kind::Dtls6 | Kind::Dtls13 => {
            assert!(peer.is_cut());
            drop(std::net::UdpSocket::bind(server.address).unwrap());
        }
        Kind::Udp4 | Kind::Udp6 => drop(std::net::UdpSocket::bind(server.address).unwrap()),
        Kind::Tcp4 | Kind::Tcp6 | Kind::Tls4 | Kind::Tls6 | Kind::Ssh4 | Kind::Ssh6 => assert!(peer.is_cut()),
        Kind::Relay => {
            assert!(peer.is_cut());
            assert!(!server.socket().exists(), "nor is a socket left behind");
        }
    }
}
