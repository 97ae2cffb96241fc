//! Channels of an SSH connection, each of which is a session.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use portreeve_transport::Limits;
use russh::Pty;

use super::fixture::{
    ACCEPT, DEFERRED, ECHO, IDENTITY, LARGE, ON_WAKE, TestPeer, TestServer, TransportKind, frame,
};
use super::ssh_encrypted::{CHANNEL_DATA, EncryptedSsh, data};
use super::ssh_peer::{RUNTIME, SshPeer};
use super::ssh_server::USER;
use super::wire::Inbox;

#[test]
fn request_sent_before_subsystem_reply_is_answered() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::connect(server.address, USER);
    let message = frame(ECHO, b"early");
    // Send the subsystem request and the message before reading the reply to the subsystem request.
    peer.request_subsystem("snmp");
    peer.write_all(&message).unwrap();
    let mut answer = vec![0; message.len()];
    peer.read_exact(&mut answer).unwrap();
    assert_eq!(answer, message);
}

/// Clients that run `ssh -tt` give up without a terminal.
#[test]
fn terminal_request_succeeds_and_changes_no_octet() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::connect(server.address, USER);
    let modes = [(Pty::ECHO, 1), (Pty::ICRNL, 1), (Pty::ISIG, 1)];
    RUNTIME.block_on(peer.channel.request_pty(true, "vt100", 80, 24, 0, 0, &modes)).unwrap();
    assert!(peer.is_granted());
    peer.request_subsystem("snmp");
    assert!(peer.is_granted());
    let message = frame(ECHO, b"\r\n\x03\x04\t");
    peer.write_all(&message).unwrap();
    assert_eq!(peer.finish(), message);
}

#[test]
fn half_closed_peer_receives_responses_and_exit_status() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::log_in(server.address);
    let message = frame(LARGE, &[]);
    peer.write_all(&message).unwrap();
    let answers = peer.finish();
    assert_eq!(answers, frame(LARGE, &vec![7; 60_000]));
    assert_eq!(peer.exit_status, Some(0));
    server.wait_for_statistics("peer close", |statistics| statistics.closed_by_peer == 1);
}

/// A session that waits for its answers is paused. russh extends the window of its peer for each
/// part that it receives, however short, and the peer uses it at once.
#[test]
fn peer_of_a_paused_session_waits_and_is_not_disconnected() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::log_in(server.address);
    let paused = frame(ON_WAKE, b"1").repeat(MAX_PENDING);
    peer.write_all(&paused).unwrap();
    let mut stream = peer.run_in_background();
    stream.set_nonblocking(true).unwrap();
    let message = frame(ECHO, &[7; 1000]);
    let (mut sent, mut last_progress) = (0, Instant::now());
    while last_progress.elapsed() < Duration::from_secs(1) {
        match stream.write(&message[sent % message.len()..]) {
            Ok(octets) => {
                sent += octets;
                last_progress = Instant::now();
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => panic!("{error}"),
        }
        assert!(sent < 2_000_000, "the peer can send without a limit");
    }
    stream.set_nonblocking(false).unwrap();
    server.wake_worker();
    let rest = &message[sent % message.len()..];
    stream.write_all(rest).unwrap();
    let mut answers = vec![0; paused.len() + sent + rest.len()];
    stream.read_exact(&mut answers).unwrap();
    assert!(answers.ends_with(&message));
}

/// More requests than a session handles at once, and the end of data together with them.
#[test]
fn all_requests_before_the_end_of_data_are_answered() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::log_in(server.address);
    let requests: Vec<_> = (0..3000_u32).map(|number| frame(ECHO, &number.to_be_bytes())).collect();
    peer.write_all(&requests.concat()).unwrap();
    let answers = peer.finish();
    assert_eq!(answers, requests.concat());
    assert_eq!(peer.exit_status, Some(0));
    // Only the channel is closed.
    let mut next = TestPeer::Ssh(peer.another_channel(), Inbox::default());
    assert_eq!(next.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
}

#[test]
fn channels_of_one_connection_are_sessions_of_their_own() {
    let server = TestServer::start(TransportKind::Ssh4);
    let first = SshPeer::log_in(server.address);
    let mut peers: Vec<_> =
        (1..10).map(|_| TestPeer::Ssh(first.another_channel(), Inbox::default())).collect();
    peers.push(TestPeer::Ssh(first, Inbox::default()));
    // Each deferred response is sent in the session of its request.
    for (number, peer) in (0_u8..).zip(&mut peers) {
        peer.send(&frame(DEFERRED, &[number]));
    }
    for (number, peer) in (0_u8..).zip(&mut peers) {
        assert_eq!(peer.receive(), frame(DEFERRED, &[number]));
        assert_eq!(peer.request(&frame(IDENTITY, b"")), frame(IDENTITY, b"ops authPriv ssh"));
    }
    assert_eq!(server.statistics().sessions_opened, 10);
    drop(peers);
    server.wait_for_statistics("all closes", |statistics| statistics.closed_by_peer == 10);
}

#[test]
fn connection_without_sessions_serves_new_channels() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::log_in(server.address);
    for round in 1..=30 {
        peer = replace_session(&server, peer, round);
    }
    server.wait_for_statistics("the last session", |statistics| statistics.sessions_opened == 31);
}

#[test]
fn connection_without_sessions_is_closed_after_the_idle_timeout() {
    let limits = Limits { idle_timeout: Duration::from_millis(300), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = SshPeer::log_in(server.address);
    peer.finish();
    server.wait_for_statistics("session close", |statistics| statistics.closed_by_peer == 1);
    peer.wait_until_disconnected();
    assert_eq!(server.statistics().closed_idle, 0, "the session was closed by the peer");
}

/// The octets of ended sessions are in no buffer any more. They exceed the memory of connections
/// without a session.
#[test]
fn connection_without_sessions_is_not_charged_for_octets_of_ended_sessions() {
    let limits = Limits { unauthenticated_memory: 1 << 20, ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = SshPeer::log_in(server.address);
    peer.write_all(&frame(ACCEPT, &[0; 60_000]).repeat(40)).unwrap();
    for round in 1..=10 {
        peer = replace_session(&server, peer, round);
    }
}

#[test]
fn malformed_message_closes_only_its_channel() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut bad = SshPeer::log_in(server.address);
    let mut good = TestPeer::Ssh(bad.another_channel(), Inbox::default());
    bad.write_all(b"GET / HTTP/1.1").unwrap();
    bad.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(bad.exit_status, Some(1));
    assert_eq!(good.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
    assert_eq!(server.statistics().closed_malformed_message, 1);
}

/// The agent knows the size of a window only after the peer has extended it.
#[test]
fn full_window_of_a_channel_blocks_only_that_channel() {
    for is_extended in [false, true] {
        let server = TestServer::start(TransportKind::Ssh4);
        let mut peer = EncryptedSsh::log_in(&server, USER);
        let blocked = peer.open_session(1000);
        if is_extended {
            peer.open_window(blocked, 1000);
        }
        peer.send_data(blocked, &frame(LARGE, &[]).repeat(5));
        let mut unread = 5 * frame(LARGE, &[7; 60_000]).len();
        unread -= data(&peer.receive_message(CHANNEL_DATA)).len();
        let good = peer.open_session(100_000);
        for what in [ECHO, DEFERRED].repeat(5) {
            let request = frame(what, b"1");
            peer.send_data(good, &request);
            assert_eq!(data(&peer.receive_message(CHANNEL_DATA)), request);
        }
        peer.open_window(blocked, 400_000);
        while unread > 0 {
            unread -= data(&peer.receive_message(CHANNEL_DATA)).len();
        }
    }
}

/// Responses that are sent at once and deferred ones take different ways to the peer.
#[test]
fn responses_arrive_in_order_and_never_exceed_the_window() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    let channel = peer.open_session(300);
    let mut window = 300;
    for number in 0..300_usize {
        let what = if number % 8 == 7 { DEFERRED } else { ECHO };
        let request = frame(what, &vec![number as u8; number * 37 % 800]);
        peer.send_data(channel, &request);
        let mut response = Vec::<u8>::new();
        while response.len() < request.len() {
            if window < 50 {
                let more = 100 + number * 7 % 900;
                peer.open_window(channel, more as u32);
                window += more;
            }
            let message = peer.receive_message(CHANNEL_DATA);
            window = window.checked_sub(data(&message).len()).expect("no more octets than the window");
            response.extend(data(&message));
        }
        assert_eq!(response, request, "{number}");
    }
}

/// Ends the session of the peer after one request, as the session with this number that its peer
/// closes. Returns a new session of the same connection.
fn replace_session(server: &TestServer, mut peer: SshPeer, number: u64) -> SshPeer {
    peer.write_all(&frame(ECHO, b"1")).unwrap();
    assert_eq!(peer.finish(), frame(ECHO, b"1"));
    server.wait_for_statistics("session close", |statistics| statistics.closed_by_peer == number);
    peer.another_channel()
}

/// The number of unanswered messages with which a session is paused.
const MAX_PENDING: usize = 32;
