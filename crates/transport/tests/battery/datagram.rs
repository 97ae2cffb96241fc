//! Tests specific to datagram transports.

use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::thread;

use portreeve_transport::{Clock, Limits, bind, run};

use super::fixture::{ECHO, EchoHandler, ON_WAKE, TEST_TIMEOUT, TOO_LARGE, TestServer, TransportKind, frame};
use super::security::security;

#[test]
fn datagram_over_max_message_size_is_dropped_and_counted() {
    for kind in [TransportKind::Udp4, TransportKind::Udp6] {
        let server = TestServer::with_limits(kind, 1, Limits { max_message_size: 1000, ..Limits::default() });
        let mut peer = server.peer();
        peer.send(&frame(ECHO, &[0; 2000]));
        assert_eq!(peer.request(&frame(ECHO, b"next")), frame(ECHO, b"next"));
        assert_eq!(server.statistics().datagrams_truncated, 1);
    }
}

#[test]
fn response_too_large_for_a_datagram_is_counted_and_others_are_sent() {
    for kind in [TransportKind::Udp4, TransportKind::Udp6] {
        let server = TestServer::start(kind);
        let mut peer = server.peer();
        peer.send(&frame(ECHO, b"1"));
        peer.send(&frame(TOO_LARGE, &[]));
        peer.send(&frame(ECHO, b"2"));
        assert_eq!(peer.receive(), frame(ECHO, b"1"));
        assert_eq!(peer.receive(), frame(ECHO, b"2"));
        server.wait_for_statistics("send error count", |statistics| statistics.datagram_send_errors == 1);
    }
}

/// They are sent in batches; long ones on their own.
#[test]
fn many_deferred_responses_reach_their_peers() {
    for kind in [TransportKind::Udp4, TransportKind::Udp6] {
        let server = TestServer::start(kind);
        let mut peers: Vec<_> = (0..3).map(|_| server.peer()).collect();
        let message = |number: usize| {
            let length = if number.is_multiple_of(10) { 5000 } else { number };
            frame(ON_WAKE, &vec![number as u8; length])
        };
        for number in 0..75 {
            peers[number % 3].send(&message(number));
        }
        // All requests have been handled when this one is answered.
        assert_eq!(peers[0].request(&frame(ECHO, b"last")), frame(ECHO, b"last"));
        server.wake_worker();
        for (index, peer) in peers.iter_mut().enumerate() {
            let mut expected: Vec<_> = (0..75).skip(index).step_by(3).map(message).collect();
            let mut received: Vec<_> = expected.iter().map(|_| peer.receive()).collect();
            expected.sort();
            received.sort();
            assert!(received == expected, "{index}");
        }
    }
}

#[test]
fn icmp_errors_from_closed_ports_do_not_stop_server() {
    for kind in [TransportKind::Udp4, TransportKind::Udp6] {
        let server = TestServer::start(kind);
        for _ in 0..20 {
            // Each response is sent to a closed port, which returns an ICMP error.
            server.peer().send(&frame(ECHO, &[]));
        }
        assert_eq!(server.peer().request(&frame(ECHO, b"alive")), frame(ECHO, b"alive"));
    }
}

#[test]
fn start_fails_when_one_of_two_workers_panics_while_it_creates_its_handler() {
    let limits = Limits::default();
    let bound = bind(&[TransportKind::Udp4.listener()], NonZeroUsize::new(2).unwrap(), &limits).unwrap();
    let (sender, results) = mpsc::channel();
    thread::spawn(move || {
        let result = run(bound, limits, security(), Clock::start(), |context| {
            assert_eq!(context.index, 0, "expected panic");
            EchoHandler::default()
        });
        sender.send(result.is_err()).unwrap();
    });
    assert!(results.recv_timeout(TEST_TIMEOUT).expect("`run` does not return"));
}
