//! Peers that send many requests without waiting for the responses. A simulated table is stale most
//! of the time, so that most requests cannot be answered at once and many responses become ready
//! together.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_transport::Limits;

use super::fixture::{
    ECHO, IDENTITY, LARGE, LAST, LINES, MAX_UNANSWERED, STALE, Subject, TestPeer, TestServer, TransportKind,
    frame,
};
use super::ssh_peer::SshPeer;
use super::ssh_server::USER;
use super::tls::TlsPeer;
use super::wire::{Inbox, Wire};

macro_rules! pipelining {
    ($($module:ident $kind:ident $wire:ident,)*) => {
        $(mod $module {
            use super::{Pace, Subject, TransportKind, Wire};

            const SUBJECT: Subject = Subject(TransportKind::$kind, Wire::$wire);

            #[test]
            fn ten_thousand_pipelined_requests_are_answered_to_an_eager_reader() {
                super::all_pipelined_requests_are_answered(SUBJECT, Pace::Eager);
            }

            #[test]
            fn ten_thousand_pipelined_requests_are_answered_to_a_slow_reader() {
                super::all_pipelined_requests_are_answered(SUBJECT, Pace::Slow);
            }

            #[test]
            fn ten_thousand_pipelined_requests_are_answered_to_a_reader_that_pauses() {
                super::all_pipelined_requests_are_answered(SUBJECT, Pace::Paused);
            }

            #[test]
            fn large_answers_that_become_ready_together_are_all_sent() {
                super::large_answers_that_become_ready_together_are_all_sent(SUBJECT);
            }

            #[test]
            fn peer_that_reads_no_delayed_answers_is_closed_after_stall_timeout() {
                super::peer_that_reads_no_delayed_answers_is_closed_after_stall_timeout(SUBJECT);
            }

            #[test]
            fn session_is_not_idle_while_its_peer_does_not_read() {
                super::session_is_not_idle_while_its_peer_does_not_read(SUBJECT);
            }
        })*
    };
}

pipelining! {
    tcp4 Tcp4 Snmp,
    tls4 Tls4 Snmp,
    ssh4 Ssh4 Snmp,
    relay Relay Snmp,
    tcp4_lines Tcp4 Lines,
    tls4_lines Tls4 Lines,
    ssh4_lines Ssh4 Lines,
    relay_lines Relay Lines,
}

/// The way in which a peer reads its responses.
#[derive(Clone, Copy, PartialEq)]
enum Pace {
    Eager,
    /// Reads few octets at a time, with pauses.
    Slow,
    /// Begins to read after a pause in which the server can send nothing.
    Paused,
}

fn all_pipelined_requests_are_answered(subject: Subject, pace: Pace) {
    let server = TestServer::start(subject);
    let (mut reader, mut writer) = duplex(&server);
    let writing = thread::spawn(move || {
        for number in 0..REQUESTS {
            writer.write_all(&sized_request(subject.1, number)).unwrap();
        }
        writer
    });
    if pace == Pace::Paused {
        thread::sleep(PAUSE);
    }
    let mut inbox = Inbox::new(subject.1);
    let mut missing: BTreeSet<u32> = (0..REQUESTS).collect();
    let mut buffer = vec![0; if pace == Pace::Slow { 8_000 } else { 100_000 }];
    while !missing.is_empty() {
        let count = reader.read(&mut buffer).unwrap();
        assert_ne!(count, 0, "{} of {REQUESTS} responses are missing", missing.len());
        inbox.push(&buffer[..count]);
        while let Some(message) = inbox.next_message() {
            let number = number_of_response(subject.1, &message);
            assert!(missing.remove(&number), "two responses to request {number}");
            let expected = subject.1.frame(STALE, &[&number.to_be_bytes(), &*filling(number)].concat());
            assert!(message == expected, "wrong response to request {number}");
        }
        if pace == Pace::Slow {
            thread::sleep(Duration::from_micros(500));
        }
    }
    drop(writing.join().unwrap());
    if subject.1 == Wire::Snmp {
        assert!(max_unanswered(&server) <= MAX_SESSION_ANSWERS);
    }
}

fn large_answers_that_become_ready_together_are_all_sent(subject: Subject) {
    let server = TestServer::start(subject);
    let mut peer = server.peer();
    for count in (1..=20).chain([40, 100]) {
        let request = server.frame(STALE, &[1_u32.to_be_bytes(), 60_000_u32.to_be_bytes()].concat());
        peer.send(&request.repeat(count));
        for _ in 0..count {
            assert!(peer.receive().len() > 60_000);
        }
    }
}

fn peer_that_reads_no_delayed_answers_is_closed_after_stall_timeout(subject: Subject) {
    let limits = Limits { stall_timeout: Duration::from_millis(700), ..Limits::default() };
    let server = TestServer::with_limits(subject, 1, limits);
    let (mut reader, mut writer) = duplex(&server);
    let request = server.frame(STALE, &[1_u32.to_be_bytes(), 60_000_u32.to_be_bytes()].concat());
    let writing = thread::spawn(move || {
        let mut written = 0;
        // The server stops reading, so the loop ends only when it closes the session.
        while writer.write_all(&request).is_ok() && written < MAX_WRITTEN {
            written += request.len();
        }
        written
    });
    let start = Instant::now();
    server.wait_for_statistics("session close", |statistics| statistics.closed_stalled == 1);
    assert!(start.elapsed() >= Duration::from_millis(700));
    // Octets on the way to the peer must not keep its connection open.
    let _ = std::io::copy(&mut reader, &mut std::io::sink());
    assert!(writing.join().unwrap() < MAX_WRITTEN, "the server keeps reading requests");
    if subject.1 == Wire::Snmp {
        assert!(max_unanswered(&server) <= MAX_SESSION_ANSWERS);
    }
}

fn session_is_not_idle_while_its_peer_does_not_read(subject: Subject) {
    let limits = Limits { idle_timeout: IDLE_TIMEOUT, ..Limits::default() };
    let server = TestServer::with_limits(subject, 1, limits);
    let (mut reader, mut writer) = duplex(&server);
    let content = [1_u32.to_be_bytes(), UNBUFFERED.to_be_bytes()].concat();
    writer.write_all(&server.frame(STALE, &content)).unwrap();
    thread::sleep(IDLE_TIMEOUT * 2);
    let response = server.frame(STALE, &vec![7; 4 + UNBUFFERED as usize]);
    reader.read_exact(&mut vec![0; response.len()]).expect("the whole response");
    let message = server.frame(ECHO, b"after the pause");
    writer.write_all(&message).unwrap();
    let mut answer = vec![0; message.len()];
    reader.read_exact(&mut answer).expect("an answer");
    assert_eq!(answer, message);
    assert_eq!(server.statistics().closed_idle, 0);
    server.wait_for_statistics("idle close", |statistics| statistics.closed_idle == 1);
}

#[test]
fn sessions_of_one_worker_share_a_limit_of_unanswered_requests() {
    let server = TestServer::start(TransportKind::Tcp4);
    let mut peers: Vec<_> = (0..40).map(|_| server.peer()).collect();
    let request = frame(STALE, &[1_u32.to_be_bytes(), 100_u32.to_be_bytes()].concat());
    for peer in &mut peers {
        peer.send(&request.repeat(100));
    }
    for peer in &mut peers {
        (0..100).for_each(|_| assert!(peer.receive().len() > 100));
    }
    assert!(max_unanswered(&server) <= MAX_WORKER_ANSWERS);
}

#[test]
fn half_closed_peer_receives_delayed_responses() {
    for wire in [Wire::Snmp, Wire::Lines] {
        for kind in [TransportKind::Tcp4, TransportKind::Relay] {
            let server = TestServer::start(Subject(kind, wire));
            let mut peer = server.peer();
            let request = server.frame(STALE, &[1_u32.to_be_bytes(), 10_000_u32.to_be_bytes()].concat());
            peer.send(&request.repeat(100));
            peer.finish_sending();
            (0..100).for_each(|_| assert!(peer.receive().len() > 10_000));
            assert!(peer.is_closed());
            server.wait_for_statistics("peer close", |statistics| statistics.closed_by_peer == 1);
        }
    }
}

#[test]
fn session_is_closed_after_the_last_message_of_its_protocol() {
    for kind in [TransportKind::Tcp4, TransportKind::Relay, TransportKind::Tls4] {
        let server = TestServer::start(Subject(kind, Wire::Lines));
        let mut peer = server.peer();
        let message = server.frame(LAST, b"bye");
        peer.send(&[&server.frame(LARGE, &[]), &*message, &server.frame(ECHO, b"ignored")].concat());
        assert!(peer.receive().len() > 60_000, "{kind:?}");
        assert_eq!(peer.receive(), message, "{kind:?}");
        assert!(peer.is_closed(), "{kind:?}");
        server.wait_for_statistics("close", |statistics| statistics.closed_by_peer == 1);
    }
}

#[test]
fn protocol_receives_the_identity_of_the_peer() {
    for (kind, user) in [(TransportKind::Tcp4, ""), (TransportKind::Tls4, "ops"), (TransportKind::Ssh4, USER)]
    {
        let server = TestServer::start(Subject(kind, Wire::Lines));
        let answer = server.peer().request(&server.frame(IDENTITY, &[]));
        assert_eq!(answer, server.frame(IDENTITY, user.as_bytes()), "{kind:?}");
    }
}

//= rfc5592#5.3-6
//= type=test
#[test]
fn subsystem_selects_the_service_of_an_ssh_listener() {
    let server = TestServer::start(Subject(TransportKind::Ssh4, Wire::Lines));
    for (name, wire) in [("snmp", Wire::Snmp), (LINES, Wire::Lines)] {
        let mut peer = TestPeer::Ssh(SshPeer::log_in_to(server.address, name), Inbox::new(wire));
        let message = wire.frame(ECHO, b"1");
        assert_eq!(peer.request(&message), message);
    }
    let mut peer = SshPeer::connect(server.address, USER);
    peer.request_subsystem("netconf");
    assert!(!peer.is_granted());
}

/// Returns the two directions of a new session, which can be used at the same time.
fn duplex(server: &TestServer) -> (Box<dyn Read + Send>, Box<dyn Write + Send>) {
    if matches!(server.kind, TransportKind::Tls4 | TransportKind::Tls6) {
        let stream = TlsPeer::connect_in_background(server.address);
        return (Box::new(stream.try_clone().unwrap()), Box::new(stream));
    }
    match server.peer() {
        TestPeer::Stream(stream, _) => (Box::new(stream.try_clone().unwrap()), Box::new(stream)),
        TestPeer::Relay(stream, _) => (Box::new(stream.try_clone().unwrap()), Box::new(stream)),
        TestPeer::Ssh(peer, _) => {
            let stream = peer.run_in_background();
            (Box::new(stream.try_clone().unwrap()), Box::new(stream))
        }
        TestPeer::Tls(..) | TestPeer::Datagram(_) | TestPeer::Dtls(_) => panic!("expected a stream"),
    }
}

/// Returns a request whose size, and the size of its response, depend on the number.
fn sized_request(wire: Wire, number: u32) -> Vec<u8> {
    let size = u32::try_from(filling(number).len()).unwrap();
    let padding = if number % 1000 == 500 { 60_000 } else { number as usize % 300 };
    wire.frame(STALE, &[&number.to_be_bytes(), &size.to_be_bytes(), &*vec![1; padding]].concat())
}

/// Returns the content of a response after the number.
fn filling(number: u32) -> Vec<u8> {
    let size = match number {
        _ if number.is_multiple_of(1000) => 60_000,
        _ if number.is_multiple_of(100) => 20_000,
        _ => number % 400,
    };
    vec![7; size as usize]
}

fn number_of_response(wire: Wire, message: &[u8]) -> u32 {
    let action = match wire {
        Wire::Snmp if message[1] >= 0x80 => 2 + usize::from(message[1] & 0x7f),
        Wire::Snmp => 2,
        Wire::Lines => 0,
    };
    u32::from_be_bytes(message[action + 1..action + 5].try_into().unwrap())
}

/// Returns the maximum number of requests that the handler has not answered at the same time.
fn max_unanswered(server: &TestServer) -> u32 {
    let answer = server.peer().request(&frame(MAX_UNANSWERED, &[]));
    u32::from_be_bytes(answer[3..].try_into().unwrap())
}

const REQUESTS: u32 = 10_000;
/// The pause is what the test does to the server, not a wait for an event. It is longer than the
/// interval at which the server refreshes the table and the time it gives a channel to close, and
/// shorter than the default timeouts of sessions.
const PAUSE: Duration = Duration::from_millis(1500);
/// The pause of the peer is twice as long. After it, the peer needs less time for its next request,
/// even on a loaded machine.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);
/// The size of a response that is longer than all buffers between the handler and the peer.
const UNBUFFERED: u32 = 15 << 20;
/// The limits of `outbox.rs`.
const MAX_SESSION_ANSWERS: u32 = 32;
const MAX_WORKER_ANSWERS: u32 = 192;
/// More octets than all buffers between the peer and the handler contain.
const MAX_WRITTEN: usize = 64 << 20;
