//! Tests specific to streams, over TCP and relay sockets.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use portreeve_transport::Limits;

use super::fixture::{
    ACCEPT, DEFERRED, DROP, ECHO, LARGE, PANIC, Subject, TestPeer, TestServer, TransportKind, frame,
};
use super::wire::Wire;

#[test]
fn coalesced_messages_are_answered_separately() {
    for subject in STREAMS {
        let server = TestServer::start(subject);
        let mut peer = server.peer();
        let messages: Vec<_> = (0..200_u8).map(|n| server.frame(ECHO, &vec![n; usize::from(n)])).collect();
        peer.send(&messages.concat());
        for message in &messages {
            assert_eq!(peer.receive(), *message);
        }
    }
}

#[test]
fn message_sent_octet_by_octet_is_assembled() {
    for subject in STREAMS {
        let server = TestServer::start(subject);
        let mut peer = server.peer();
        let message = server.frame(ECHO, &[3; 150]);
        let coalesced = [message.clone(), message.clone()].concat();
        for octet in &coalesced {
            peer.send(std::slice::from_ref(octet));
        }
        assert_eq!(peer.receive(), message);
        assert_eq!(peer.receive(), message);
    }
}

#[test]
fn message_over_max_size_closes_the_session() {
    for kind in SNMP_STREAMS {
        let limits = Limits { max_message_size: 1000, ..Limits::default() };
        let server = TestServer::with_limits(kind, 1, limits);
        let mut peer = server.peer();
        let largest = frame(ECHO, &[1; 994]);
        assert_eq!(largest.len(), 1000);
        assert_eq!(peer.request(&largest), largest);
        // The server closes the session when it has read the header of a message that is too long.
        peer.send(&frame(ECHO, &[1; 995])[..5]);
        assert!(peer.is_closed());
        assert_eq!(server.statistics().closed_message_too_long, 1);
    }
}

#[test]
fn malformed_message_closes_the_session() {
    for kind in SNMP_STREAMS {
        let server = TestServer::start(kind);
        for octets in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0x30, 0x80], &[0x30, 0x88, 1]] {
            let mut peer = server.peer();
            peer.request(&frame(ECHO, &[]));
            peer.send(octets);
            assert!(peer.is_closed());
        }
        assert_eq!(server.statistics().closed_malformed_message, 3);
    }
}

#[test]
fn session_closed_by_peer_mid_message_is_counted_separately() {
    for subject in STREAMS {
        let server = TestServer::start(subject);
        let mut peer = server.peer();
        peer.send(&server.frame(ECHO, &[1; 100])[..50]);
        drop(peer);
        server.wait_for_statistics("session close", |statistics| statistics.closed_by_peer_mid_message == 1);
        let mut peer = server.peer();
        peer.request(&server.frame(ECHO, &[]));
        drop(peer);
        server.wait_for_statistics("peer close", |statistics| statistics.closed_by_peer == 1);
    }
}

#[test]
fn half_closed_peer_still_receives_responses() {
    for subject in STREAMS {
        let server = TestServer::start(subject);
        let mut peer = server.peer();
        for _ in 0..100 {
            peer.send(&server.frame(LARGE, &[]));
        }
        peer.finish_sending();
        for _ in 0..100 {
            assert!(peer.receive().len() > 60_000);
        }
        assert!(peer.is_closed());
        server.wait_for_statistics("peer close", |statistics| statistics.closed_by_peer == 1);
    }
}

#[test]
fn silent_connections_time_out_without_delaying_others() {
    for subject in STREAMS {
        let limits = Limits { first_message_timeout: Duration::from_millis(400), ..Limits::default() };
        let server = TestServer::with_limits(subject, 1, limits);
        let mut silent: Vec<_> = (0..200).map(|_| server.peer()).collect();
        // Neither an incomplete message nor a dropped message extends the timeout.
        silent[0].send(&[0x30]);
        silent[1].send(&server.frame(DROP, &[]));
        let mut answered = server.peer();
        let mut notifier = server.peer();
        let start = Instant::now();
        answered.request(&server.frame(ECHO, b"quick"));
        notifier.send(&server.frame(ACCEPT, &[]));
        assert!(start.elapsed() < Duration::from_millis(300));
        assert!(silent.iter_mut().all(TestPeer::is_closed));
        assert_eq!(server.statistics().closed_no_message, 200);
        assert_eq!(answered.request(&server.frame(ECHO, b"again")), server.frame(ECHO, b"again"));
        assert_eq!(notifier.request(&server.frame(ECHO, b"again")), server.frame(ECHO, b"again"));
    }
}

#[test]
fn idle_session_is_closed() {
    for subject in STREAMS {
        let limits = Limits { idle_timeout: Duration::from_millis(300), ..Limits::default() };
        let server = TestServer::with_limits(subject, 1, limits);
        let mut peer = server.peer();
        let start = Instant::now();
        for _ in 0..4 {
            peer.request(&server.frame(ECHO, &[]));
            std::thread::sleep(Duration::from_millis(100));
        }
        assert!(start.elapsed() >= Duration::from_millis(300), "the session closed despite activity");
        assert!(peer.is_closed());
        assert_eq!(server.statistics().closed_idle, 1);
    }
}

#[test]
fn oldest_inactive_connection_is_evicted_at_source_limit() {
    for subject in STREAMS {
        let limits = Limits { max_sessions_per_source: 3, ..Limits::default() };
        let server = TestServer::with_limits(subject, 2, limits);
        let mut first = server.peer();
        first.request(&server.frame(ECHO, &[]));
        let mut second = server.peer();
        server.wait_for_statistics("two sessions", |statistics| statistics.sessions_opened == 2);
        let _third = server.peer();
        server.wait_for_statistics("three sessions", |statistics| statistics.sessions_opened == 3);
        let mut fourth = server.peer();
        assert_eq!(fourth.request(&server.frame(ECHO, b"new")), server.frame(ECHO, b"new"));
        assert!(second.is_closed());
        assert_eq!(first.request(&server.frame(ECHO, b"old")), server.frame(ECHO, b"old"));
        assert_eq!(server.statistics().closed_evicted, 1);
    }
}

#[test]
fn connection_is_refused_when_its_source_holds_all_session_slots() {
    for subject in STREAMS {
        let server = TestServer::with_limits(subject, 1, Limits { max_sessions: 2, ..Limits::default() });
        let mut kept: Vec<_> = (0..2).map(|_| server.peer()).collect();
        kept.iter_mut()
            .for_each(|peer| assert_eq!(peer.request(&server.frame(ECHO, &[])), server.frame(ECHO, &[])));
        assert!(server.peer().is_closed());
        kept.iter_mut()
            .for_each(|peer| assert_eq!(peer.request(&server.frame(ECHO, &[])), server.frame(ECHO, &[])));
        assert_eq!(server.statistics().sessions_refused, 1);
    }
}

#[test]
fn review_l3_incomplete_messages_of_all_sessions_share_one_memory_limit() {
    for subject in STREAMS {
        let limits = Limits { unauthenticated_memory: 1 << 20, ..Limits::default() };
        let server = TestServer::with_limits(subject, 2, limits);
        let mut active = server.peer();
        // A session is active when its first response has been sent, which the second one proves.
        (0..2).for_each(|_| drop(active.request(&server.frame(ECHO, b"1"))));
        let message = server.frame(ECHO, &[1; 60_000]);
        let mut peers: Vec<_> = (0..50).map(|_| server.peer()).collect();
        peers.iter_mut().for_each(|peer| peer.send_unless_closed(&message[..59_000]));
        // Each incomplete message occupies more than 59 000 bytes.
        server.wait_for_statistics("evictions", |statistics| statistics.closed_evicted >= 50 - 18);
        assert_eq!(active.request(&server.frame(ECHO, b"2")), server.frame(ECHO, b"2"));
        assert_eq!(server.peer().request(&message), message, "a new peer is locked out");
    }
}

#[test]
fn peer_that_does_not_read_is_throttled_and_then_disconnected() {
    for subject in STREAMS {
        let limits = Limits { stall_timeout: Duration::from_millis(500), ..Limits::default() };
        let server = TestServer::with_limits(subject, 1, limits);
        let mut stalled = server.peer();
        match &mut stalled {
            TestPeer::Stream(stream, _) => {
                stream.set_nonblocking(true).unwrap();
                write_until_buffers_are_full(stream, &server.frame(LARGE, &[]));
            }
            TestPeer::Relay(stream, _) => {
                stream.set_nonblocking(true).unwrap();
                write_until_buffers_are_full(stream, &server.frame(LARGE, &[]));
            }
            _ => panic!("expected a TCP or relay peer"),
        }
        assert_eq!(server.peer().request(&server.frame(ECHO, b"other")), server.frame(ECHO, b"other"));
        server.wait_for_statistics("session close", |statistics| statistics.closed_stalled == 1);
    }
}

/// Fills the send and receive buffers. `stream` must be non-blocking.
fn write_until_buffers_are_full(stream: &mut impl Write, request: &[u8]) {
    let requests = request.repeat(1000);
    let (mut written, mut full_since) = (0, None);
    loop {
        match stream.write(&requests) {
            Ok(count) => {
                written += count;
                full_since = None;
                assert!(written < 64 << 20, "the server keeps reading requests");
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if full_since.get_or_insert_with(Instant::now).elapsed() > Duration::from_millis(100) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            // On a slow machine, the server may already have closed the connection.
            Err(_) => return,
        }
    }
}

#[test]
fn panic_while_handling_a_message_closes_only_that_session() {
    for subject in STREAMS {
        let server = TestServer::start(subject);
        let (mut good, mut bad) = (server.peer(), server.peer());
        good.request(&server.frame(ECHO, &[]));
        bad.send(&server.frame(PANIC, &[]));
        assert!(bad.is_closed());
        assert_eq!(good.request(&server.frame(ECHO, b"on")), server.frame(ECHO, b"on"));
        assert_eq!(server.statistics().closed_by_panic, 1);
    }
}

#[test]
fn late_response_for_closed_session_is_counted() {
    for kind in SNMP_STREAMS {
        let server = TestServer::start(kind);
        let mut peer = server.peer();
        peer.send(&frame(DEFERRED, &[]));
        peer.request(&frame(ECHO, &[]));
        // A peer that only finishes sending still receives its responses.
        peer.send(b"malformed");
        assert!(peer.is_closed());
        server.wait_for_statistics("lost response", |statistics| {
            statistics.late_responses_without_session == 1
        });
    }
}

/// Cleartext streams, over which a test can write arbitrary octets.
const STREAMS: [Subject; 5] = [
    Subject(TransportKind::Tcp4, Wire::Snmp),
    Subject(TransportKind::Tcp6, Wire::Snmp),
    Subject(TransportKind::Relay, Wire::Snmp),
    Subject(TransportKind::Tcp4, Wire::Lines),
    Subject(TransportKind::Relay, Wire::Lines),
];

/// Streams over which SNMP is sent in cleartext.
const SNMP_STREAMS: [TransportKind; 3] = [TransportKind::Tcp4, TransportKind::Tcp6, TransportKind::Relay];
