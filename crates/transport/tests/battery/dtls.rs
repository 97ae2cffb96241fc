//! A DTLS peer, and tests specific to DTLS sessions.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_channel::{ChannelEvent, SecureDatagrams};
use portreeve_channel_dtls::{DtlsClient, DtlsServer, ServerExpectation, Settings, Versions};
use portreeve_transport::{Limits, TransportSecurity};

use super::fixture::{DEFERRED, ECHO, LARGE, PANIC, TEST_TIMEOUT, TestServer, TransportKind, frame};
use super::security::security;
use super::tls::{client_credentials, server_credentials, trust, trust_without_client, unnamed_credentials};

const BOTH_VERSIONS: [TransportKind; 2] = [TransportKind::Dtls4, TransportKind::Dtls13];

#[test]
fn response_larger_than_a_dtls_record_is_counted_and_others_are_sent() {
    for kind in BOTH_VERSIONS {
        let server = TestServer::start(kind);
        let mut peer = server.peer();
        peer.send(&frame(LARGE, &[]));
        assert_eq!(peer.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
        server.wait_for_statistics("counter", |statistics| statistics.datagram_send_errors == 1);
    }
}

#[test]
fn response_that_almost_fills_a_dtls_record_is_delivered() {
    for kind in BOTH_VERSIONS {
        let server = TestServer::start(kind);
        let message = frame(ECHO, &[7; 16_000]);
        assert_eq!(server.peer().request(&message), message);
    }
}

#[test]
fn non_dtls_datagram_is_dropped_and_counted() {
    let server = TestServer::start(TransportKind::Dtls4);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(server.address).unwrap();
    for datagram in [&frame(ECHO, b"in clear")[..], b"GET / HTTP/1.1\r\n\r\n", &[22; 300], &[]] {
        socket.send(datagram).unwrap();
    }
    server.wait_for_statistics("counter", |statistics| statistics.datagrams_without_session == 4);
    socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    assert!(socket.recv(&mut [0; 100]).is_err(), "a reply to an invalid datagram");
}

#[test]
fn session_without_security_name_is_closed_before_any_response() {
    for kind in BOTH_VERSIONS {
        let server = TestServer::start(kind);
        let client = DtlsClient::new(&unnamed_credentials(), trust(), settings(versions_of(kind))).unwrap();
        let mut peer = DtlsPeer::connect(server.address, &client);
        let _ = peer.send(&frame(ECHO, b"1"));
        assert!(peer.receive().is_none());
        server.wait_for_statistics("session close", |statistics| statistics.closed_no_security_name == 1);
    }
}

#[test]
fn stalled_handshake_times_out_and_frees_its_session_slot() {
    let limits = Limits { first_message_timeout: Duration::from_millis(300), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Dtls4, 1, limits);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(server.address).unwrap();
    let mut channel = connect(&client(Versions::Only12));
    let mut buffer = [0; 2000];
    // Exchange the ClientHello, the HelloVerifyRequest and the ClientHello with the cookie, then
    // send nothing more.
    for _ in 0..2 {
        let length = channel.poll_transmit(&mut buffer).unwrap();
        socket.send(&buffer[..length]).unwrap();
        let length = socket.recv(&mut buffer).unwrap();
        channel.handle_datagram(Instant::now(), &mut buffer[..length]);
    }
    assert_eq!(server.statistics().sessions_opened, 1);
    assert_eq!(server.peer().request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
    server.wait_for_statistics("session close", |statistics| statistics.closed_no_message == 1);
}

#[test]
fn idle_session_is_closed_with_alert() {
    for kind in BOTH_VERSIONS {
        let limits = Limits { idle_timeout: Duration::from_millis(300), ..Limits::default() };
        let server = TestServer::with_limits(kind, 1, limits);
        let mut peer = server.peer();
        peer.request(&frame(ECHO, b"1"));
        assert!(peer.is_closed());
        server.wait_for_statistics("counter", |statistics| statistics.closed_idle == 1);
    }
}

#[test]
fn inactive_session_of_a_source_is_evicted_first_at_its_limit() {
    let limits = Limits { max_sessions_per_source: 2, ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Dtls4, 1, limits);
    let mut busy = server.peer();
    busy.request(&frame(ECHO, b"1"));
    let mut silent = server.peer();
    let mut newest = server.peer();
    assert_eq!(newest.request(&frame(ECHO, b"2")), frame(ECHO, b"2"));
    assert!(silent.is_closed());
    assert_eq!(busy.request(&frame(ECHO, b"3")), frame(ECHO, b"3"));
    assert_eq!(server.statistics().closed_evicted, 1);
}

#[test]
fn panic_while_handling_a_message_closes_only_that_session() {
    for kind in BOTH_VERSIONS {
        let server = TestServer::start(kind);
        let (mut good, mut bad) = (server.peer(), server.peer());
        bad.send(&frame(PANIC, &[]));
        server.wait_for_statistics("session close", |statistics| statistics.closed_by_panic == 1);
        assert_eq!(good.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
    }
}

#[test]
fn session_is_replaced_only_after_new_handshake_completes() {
    for kind in BOTH_VERSIONS {
        let server = TestServer::start(kind);
        let client = client(versions_of(kind));
        let mut first = DtlsPeer::connect(server.address, &client);
        assert_eq!(first.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
        // An attacker who can forge the first peer's address starts a handshake and does not
        // continue it.
        let mut attacker = connect(&client);
        let mut buffer = [0; 2000];
        let length = attacker.poll_transmit(&mut buffer).unwrap();
        first.socket.send(&buffer[..length]).unwrap();
        let mut hello = [0; 2000];
        first.socket.recv(&mut hello).unwrap();
        assert_eq!(first.request(&frame(ECHO, b"2")), frame(ECHO, b"2"));
        // The peer itself, having lost its keys, starts again from the same port.
        let socket = first.socket.try_clone().unwrap();
        let mut second = DtlsPeer::on_socket(socket, connect(&client));
        assert_eq!(second.request(&frame(ECHO, b"3")), frame(ECHO, b"3"));
        server.wait_for_statistics("close of the replaced session", |statistics| {
            statistics.closed_by_peer == 1
        });
    }
}

#[test]
fn handshake_completes_although_one_datagram_of_the_server_is_lost() {
    let handshakes = BOTH_VERSIONS.into_iter().flat_map(|kind| (0..3).map(move |lost| (kind, lost)));
    let threads = handshakes.map(|(kind, lost)| {
        thread::spawn(move || {
            let server = TestServer::start(kind);
            let mut peer = DtlsPeer::start(server.address, connect(&client(versions_of(kind))));
            peer.until_loss = Some(lost);
            let start = Instant::now();
            assert_eq!(peer.next(), Some(ChannelEvent::Open), "{kind:?}: datagram {lost} is lost");
            // The first retransmission comes after a second, the next one two seconds later.
            assert!(start.elapsed() < Duration::from_secs(5), "{kind:?}: datagram {lost} was not sent again");
            assert_eq!(peer.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
        })
    });
    threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn handshake_starts_when_client_hello_is_fragmented() {
    let server = TestServer::start(TransportKind::Dtls4);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(server.address).unwrap();
    socket.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    let mut response = [0; 2000];
    // Without a cookie, the server keeps no state, so it drops the second fragment.
    for fragment in in_two_fragments(&first_hello(Versions::Only12)) {
        socket.send(&fragment).unwrap();
    }
    socket.recv(&mut response).unwrap();
    assert_eq!(response[MESSAGE_TYPE], HELLO_VERIFY_REQUEST);
    server.wait_for_statistics("drop", |statistics| statistics.datagrams_without_session == 1);
    assert_eq!(server.statistics().sessions_opened, 0);

    for fragment in in_two_fragments(&hello_with_cookie(&socket, Versions::Only12)) {
        socket.send(&fragment).unwrap();
    }
    socket.recv(&mut response).unwrap();
    assert_eq!(response[MESSAGE_TYPE], SERVER_HELLO);
    assert_eq!(server.statistics().sessions_opened, 1);
}

/// A DTLS 1.3 handshake has no session slot until the peer has returned the cookie, so a reload
/// cannot mark it for a check.
#[test]
fn review_l13_handshake_begun_before_certificate_is_revoked_is_refused() {
    for (kind, round_trips) in [(TransportKind::Dtls4, 2), (TransportKind::Dtls13, 1)] {
        for is_revoked in [false, true] {
            let dtls = Arc::new(server());
            let security = TransportSecurity { dtls: Some(Arc::clone(&dtls) as _), ..security() };
            let server = TestServer::with_security(kind, kind.listener(), 1, Limits::default(), security);
            let mut peer = DtlsPeer::start(server.address, connect(&client(versions_of(kind))));
            for _ in 0..round_trips {
                peer.flush();
                peer.receive_datagram();
            }
            assert_eq!(server.statistics().sessions_opened, round_trips - 1, "{kind:?}");
            let trust = if is_revoked { trust_without_client() } else { trust() };
            dtls.replace(&server_credentials(), trust, Settings::default()).unwrap();
            server.running().sessions().recheck();
            // A client of DTLS 1.3 opens the session before the server has verified the client.
            let opened = peer.next();
            if is_revoked {
                let _ = peer.send(&frame(ECHO, b"1"));
                assert_eq!(peer.receive(), None, "{kind:?}");
                server.wait_for_statistics("session close", |statistics| {
                    statistics.closed_identity_revoked == 1
                });
            } else {
                assert_eq!(opened, Some(ChannelEvent::Open), "{kind:?}");
                assert_eq!(peer.request(&frame(ECHO, b"1")), frame(ECHO, b"1"), "{kind:?}");
            }
        }
    }
}

#[test]
fn k_replayed_record_is_answered_once() {
    for kind in BOTH_VERSIONS {
        let server = TestServer::start(kind);
        let mut peer = DtlsPeer::handshake(server.address, kind);
        let first = peer.encrypt(&frame(ECHO, b"first"));
        for _ in 0..3 {
            peer.socket.send(&first).unwrap();
        }
        assert_eq!(peer.receive().unwrap(), frame(ECHO, b"first"));
        // Move the replay window far beyond the first record.
        for number in 0..200_u8 {
            assert_eq!(peer.request(&frame(ECHO, &[number])), frame(ECHO, &[number]), "{kind:?}");
        }
        peer.socket.send(&first).unwrap();
        // A record with a modified sequence number cannot be decrypted, so it belongs to no
        // session.
        let mut forged = first.clone();
        forged[if kind == TransportKind::Dtls13 { 2 } else { 10 }] ^= 1;
        peer.socket.send(&forged).unwrap();
        assert_eq!(peer.request(&frame(ECHO, b"last")), frame(ECHO, b"last"), "{kind:?}");
        assert_eq!(server.statistics().sessions_opened, 1);
    }
}

#[test]
fn k_records_of_unknown_epochs_are_ignored() {
    for kind in BOTH_VERSIONS {
        let server = TestServer::start(kind);
        let mut peer = DtlsPeer::handshake(server.address, kind);
        let genuine = peer.encrypt(&frame(ECHO, b"genuine"));
        for epoch in 0..=255_u8 {
            let mut old = genuine.clone();
            if kind == TransportKind::Dtls13 {
                // The lowest two bits of the epoch (RFC 9147 §4).
                old[0] = old[0] & !3 | epoch & 3;
                old[3] ^= epoch >> 2;
            } else {
                old[3..5].copy_from_slice(&[epoch & 0x80, epoch]);
            }
            if old != genuine {
                peer.socket.send(&old).unwrap();
            }
        }
        peer.socket.send(&genuine).unwrap();
        assert_eq!(peer.receive().unwrap(), frame(ECHO, b"genuine"), "{kind:?}");
        assert_eq!(peer.request(&frame(ECHO, b"1")), frame(ECHO, b"1"), "{kind:?}");
    }
}

#[test]
fn late_response_for_closed_session_is_counted() {
    let server = TestServer::start(TransportKind::Dtls4);
    let mut peer = DtlsPeer::handshake(server.address, TransportKind::Dtls4);
    peer.send(&frame(DEFERRED, b"1")).unwrap();
    peer.close();
    server.wait_for_statistics("counter", |statistics| statistics.late_responses_without_session == 1);
    assert_eq!(server.statistics().closed_by_peer, 1);
}

#[test]
fn dtls13_hello_flood_does_not_block_new_peer() {
    let server = TestServer::start(TransportKind::Dtls13);
    // Each of many loopback addresses sends a ClientHello and never continues the handshake.
    for last in 1..=250_u8 {
        for third in 0..2_u8 {
            let socket = UdpSocket::bind((std::net::Ipv4Addr::new(127, 7, third, last), 0)).unwrap();
            socket.send_to(&first_hello(Versions::Only13), server.address).unwrap();
        }
    }
    server.wait_for_statistics("dropped handshakes", |statistics| statistics.handshakes_dropped >= 500 - 256);
    assert_eq!(server.statistics().sessions_opened, 0);
    assert_eq!(server.peer().request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
}

#[test]
fn k_half_open_handshake_is_dropped_when_its_fragments_are_too_long() {
    let server = TestServer::start(TransportKind::Dtls13);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(server.address).unwrap();
    socket.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    socket.send(&first_hello(Versions::Only13)).unwrap();
    socket.recv(&mut [0; 2000]).unwrap();
    // Fragments of a second ClientHello whose start never arrives.
    for index in 1..=9_u8 {
        let mut fragment = vec![22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 1, index, 3, 244];
        fragment.extend([1, 0, 0x3f, 0, 0, 1, 0, index * 4, 0, 0, 3, 232]);
        fragment.extend([7; 1000]);
        socket.send(&fragment).unwrap();
    }
    // The handshake is dropped at the eighth fragment, before its time limit.
    server.wait_for_statistics("drop", |statistics| {
        statistics.handshakes_dropped == 1 && statistics.datagrams_without_session == 1
    });
    assert_eq!(server.peer().request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
}

/// Returns the first datagram of a client.
pub fn first_hello(versions: Versions) -> Vec<u8> {
    let mut buffer = vec![0; 2000];
    let length = connect(&client(versions)).poll_transmit(&mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

/// Returns the ClientHello with the cookie that the server sends to this connected socket.
pub fn hello_with_cookie(socket: &UdpSocket, versions: Versions) -> Vec<u8> {
    let mut channel = connect(&client(versions));
    let mut buffer = vec![0; 2000];
    let length = channel.poll_transmit(&mut buffer).unwrap();
    socket.send(&buffer[..length]).unwrap();
    let length = socket.recv(&mut buffer).unwrap();
    channel.handle_datagram(Instant::now(), &mut buffer[..length]);
    buffer.resize(2000, 0);
    let length = channel.poll_transmit(&mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

/// Divides a record with a ClientHello into two records with fragments of it.
fn in_two_fragments(hello: &[u8]) -> [Vec<u8>; 2] {
    let (headers, body) = hello.split_at(MESSAGE_TYPE + 12);
    [(0, &body[..90]), (90, &body[90..])].map(|(offset, part)| {
        let mut fragment = [headers, part].concat();
        // The number of the record, its length, and the offset and length of the fragment.
        fragment[10] += u8::from(offset > 0);
        fragment[11..13].copy_from_slice(&(12 + part.len() as u16).to_be_bytes());
        fragment[21] = offset;
        fragment[23..25].copy_from_slice(&(part.len() as u16).to_be_bytes());
        fragment
    })
}

/// Returns the DTLS server of the tests.
pub fn server() -> DtlsServer {
    DtlsServer::new(&server_credentials(), trust(), Settings::default()).unwrap()
}

pub fn versions_of(kind: TransportKind) -> Versions {
    if kind == TransportKind::Dtls13 { Versions::Only13 } else { Versions::Only12 }
}

/// A blocking peer of a DTLS session.
pub struct DtlsPeer {
    socket: UdpSocket,
    channel: Box<dyn SecureDatagrams>,
    /// The number of datagrams that are received before one is lost; `None` if none is lost.
    until_loss: Option<usize>,
}

impl DtlsPeer {
    pub fn handshake(address: SocketAddr, kind: TransportKind) -> Self {
        Self::connect(address, &client(versions_of(kind)))
    }

    fn connect(address: SocketAddr, client: &DtlsClient) -> Self {
        Self::start(address, connect(client)).opened()
    }

    /// Returns a peer that has sent nothing yet.
    fn start(address: SocketAddr, channel: Box<dyn SecureDatagrams>) -> Self {
        let any = if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = UdpSocket::bind(any).unwrap();
        socket.connect(address).unwrap();
        Self { socket, channel, until_loss: None }
    }

    fn on_socket(socket: UdpSocket, channel: Box<dyn SecureDatagrams>) -> Self {
        Self { socket, channel, until_loss: None }.opened()
    }

    /// Completes the handshake.
    fn opened(mut self) -> Self {
        assert_eq!(self.next(), Some(ChannelEvent::Open), "no session was opened");
        self
    }

    /// Waits for one datagram, and passes it to the channel.
    fn receive_datagram(&mut self) {
        let mut datagram = vec![0; 20_000];
        self.socket.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let length = self.socket.recv(&mut datagram).unwrap();
        self.channel.handle_datagram(Instant::now(), &mut datagram[..length]);
    }

    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.channel.send(Instant::now(), message).map_err(io::Error::other)?;
        self.flush();
        Ok(())
    }

    /// Returns the encrypted datagram for a message without sending it.
    fn encrypt(&mut self, message: &[u8]) -> Vec<u8> {
        self.channel.send(Instant::now(), message).unwrap();
        let mut buffer = vec![0; 2000];
        let length = self.channel.poll_transmit(&mut buffer).unwrap();
        buffer.truncate(length);
        buffer
    }

    fn request(&mut self, message: &[u8]) -> Vec<u8> {
        self.send(message).unwrap();
        self.receive().expect("a response")
    }

    /// Returns the next message; `None` if the session ends or nothing arrives before the timeout.
    pub fn receive(&mut self) -> Option<Vec<u8>> {
        let mut buffer = vec![0; 20_000];
        match self.next_into(&mut buffer) {
            Some(ChannelEvent::Message(range)) => Some(buffer[range].to_vec()),
            _ => None,
        }
    }

    pub fn close(&mut self) {
        self.channel.close(Instant::now());
        self.flush();
    }

    fn next(&mut self) -> Option<ChannelEvent> {
        self.next_into(&mut vec![0; 20_000])
    }

    fn next_into(&mut self, buffer: &mut [u8]) -> Option<ChannelEvent> {
        let end = Instant::now() + TEST_TIMEOUT;
        let mut datagram = vec![0; 20_000];
        loop {
            self.flush();
            if let Some(event) = self.channel.poll_event(buffer) {
                self.flush();
                return Some(event);
            }
            let now = Instant::now();
            let until = self.channel.next_timeout().map_or(end, |timeout| timeout.min(end));
            if now >= end {
                return None;
            }
            let wait = until.saturating_duration_since(now).max(Duration::from_millis(1));
            self.socket.set_read_timeout(Some(wait)).unwrap();
            match self.socket.recv(&mut datagram) {
                Ok(_) if self.until_loss == Some(0) => self.until_loss = None,
                Ok(length) => {
                    self.until_loss = self.until_loss.map(|left| left - 1);
                    self.channel.handle_datagram(Instant::now(), &mut datagram[..length]);
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    self.channel.handle_timeout(Instant::now());
                }
                Err(_) => return None,
            }
        }
    }

    fn flush(&mut self) {
        let mut buffer = vec![0; 20_000];
        while let Some(length) = self.channel.poll_transmit(&mut buffer) {
            // Ignore errors: the test may expect that the server has closed the connection.
            let _ = self.socket.send(&buffer[..length]);
        }
    }
}

fn client(versions: Versions) -> DtlsClient {
    DtlsClient::new(&client_credentials(), trust(), settings(versions)).unwrap()
}

fn connect(client: &DtlsClient) -> Box<dyn SecureDatagrams> {
    client.connect(Instant::now(), &ServerExpectation::named("agent.example").unwrap()).unwrap()
}

fn settings(versions: Versions) -> Settings {
    Settings { versions, ..Settings::default() }
}

/// The offset of the message type in a record.
const MESSAGE_TYPE: usize = 13;
const SERVER_HELLO: u8 = 2;
const HELLO_VERIFY_REQUEST: u8 = 3;
