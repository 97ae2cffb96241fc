//! Attacks before encryption starts, octet by octet.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::fixture::{ECHO, TestServer, TransportKind, frame};

#[test]
fn t_key_exchange_fails_for_invalid_x25519_values() {
    let server = TestServer::start(TransportKind::Ssh4);
    let valid = exchange_keys(&server, CURVE25519, &[9; 32]);
    assert!(valid.iter().any(|message| message.first() == Some(&KEX_REPLY)), "a valid value: {valid:?}");
    let mut one = [0; 32];
    one[0] = 1;
    // Points of small order, whose shared secret is predictable, and values that are not points.
    for value in [&[0; 32][..], &one, &[], &[9], &[9; 31], &[9; 33], &[9; 30_000]] {
        let received = exchange_keys(&server, CURVE25519, value);
        assert!(
            received.iter().all(|message| !matches!(message.first(), Some(&(KEX_REPLY | NEWKEYS)))),
            "{} octets were accepted",
            value.len()
        );
    }
    assert_still_serves(&server);
}

#[test]
fn t_key_exchange_fails_for_invalid_ml_kem_values() {
    let server = TestServer::start(TransportKind::Ssh4);
    for value in [&[0; 1184 + 32][..], &[9; 1184 + 31], &[9; 1184], &[9; 1184 + 33], &[9; 32], &[]] {
        let received = exchange_keys(&server, ML_KEM, value);
        assert!(
            received.iter().all(|message| !matches!(message.first(), Some(&(KEX_REPLY | NEWKEYS)))),
            "{} octets were accepted",
            value.len()
        );
    }
    assert_still_serves(&server);
}

#[test]
fn t_invalid_packet_lengths_close_the_session() {
    let server = TestServer::start(TransportKind::Ssh4);
    for length in [u32::MAX, u32::MAX - 3, 1 << 31, 1 << 30, 300_000, 0, 1, 3, 4, 5] {
        for padding in [0, 4, 255] {
            let mut peer = PlaintextSsh::connect(&server);
            peer.write(&[&length.to_be_bytes()[..], &[padding], &[0; 64]].concat());
            peer.finish();
        }
    }
    assert_still_serves(&server);
}

#[test]
fn t_long_packets_are_rejected_only_before_login() {
    let server = TestServer::start(TransportKind::Ssh4);
    for length in [35_004_u32, 100_004, 262_140] {
        let mut peer = PlaintextSsh::connect(&server);
        let start = Instant::now();
        // The announced packet is never sent.
        peer.write(&[&length.to_be_bytes()[..], &[4, 0, 0, 0]].concat());
        let _ = peer.rest();
        assert!(start.elapsed() < Duration::from_secs(4), "the server waits for {length} octets");
    }
    server.wait_for_statistics("session closes", |statistics| statistics.closed_handshake_failed == 3);
    let mut peer = PlaintextSsh::connect(&server);
    let mut message = vec![IGNORE];
    string(&mut message, &[0; 32_000]);
    peer.send(&message);
    peer.send(&kex_init(CURVE25519));
    peer.send(&kex_value(&[9; 32]));
    assert!(
        peer.rest().iter().any(|message| message.first() == Some(&KEX_REPLY)),
        "a packet of the mandatory size"
    );
    let message = frame(ECHO, &[7; 60_000]);
    assert_eq!(server.peer().request(&message), message);
}

#[test]
fn t_strict_key_exchange_is_offered_and_enforced() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = PlaintextSsh::connect(&server);
    let server_kex_init = peer.packet().expect("the server's KEXINIT");
    let text = String::from_utf8_lossy(&server_kex_init).into_owned();
    assert!(text.contains("kex-strict-s-v00@openssh.com"), "{text}");
    // The message that the Terrapin attack inserts before the first keys must be rejected by strict
    // key exchange.
    peer.send(&kex_init(&format!("{CURVE25519},kex-strict-c-v00@openssh.com")));
    peer.send(&[IGNORE, 0, 0, 0, 0]);
    peer.send(&kex_value(&[9; 32]));
    let received = peer.rest();
    assert!(received.iter().all(|message| message.first() != Some(&KEX_REPLY)), "{received:?}");
    assert_still_serves(&server);
}

#[test]
fn server_lists_its_algorithms_when_negotiation_fails() {
    let server = TestServer::start(TransportKind::Ssh4);
    for _ in 0..20 {
        let stream = TcpStream::connect(server.address).unwrap();
        let received = PlaintextSsh::start(stream, &padded(&kex_init("diffie-hellman-group1-sha1"))).rest();
        assert_eq!(received.len(), 1);
        assert!(String::from_utf8_lossy(&received[0]).contains(ML_KEM), "{received:?}");
    }
    assert_still_serves(&server);
}

#[test]
fn t_kexinit_flood_closes_the_session() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = PlaintextSsh::connect(&server);
    for _ in 0..1000 {
        peer.send(&kex_init(CURVE25519));
    }
    assert!(peer.rest().len() < 20);
    assert_still_serves(&server);
}

/// Returns the server's messages in a key exchange in which the client sends this value.
fn exchange_keys(server: &TestServer, method: &str, value: &[u8]) -> Vec<Vec<u8>> {
    let mut peer = PlaintextSsh::connect(server);
    peer.send(&kex_init(method));
    peer.send(&kex_value(value));
    peer.rest()
}

fn assert_still_serves(server: &TestServer) {
    let message = frame(ECHO, b"1");
    assert_eq!(server.peer().request(&message), message);
}

/// An SSH connection before encryption starts.
pub struct PlaintextSsh {
    stream: TcpStream,
    /// The version line of the peer.
    pub version: Vec<u8>,
}

impl PlaintextSsh {
    pub fn connect(server: &TestServer) -> Self {
        Self::connect_to(TcpStream::connect(server.address).unwrap())
    }

    pub fn connect_to(stream: TcpStream) -> Self {
        Self::start(stream, &[])
    }

    /// Sends the version line, directly followed by the octets `more`.
    fn start(stream: TcpStream, more: &[u8]) -> Self {
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut peer = Self { stream, version: Vec::new() };
        peer.write(&[b"SSH-2.0-PlaintextSsh\r\n", more].concat());
        while !peer.version.ends_with(b"\r\n") {
            let octet = peer.read(1).expect("a complete version line");
            peer.version.extend(octet);
        }
        peer.version.truncate(peer.version.len() - 2);
        peer
    }

    /// Writes octets, ignoring errors, because the peer may have closed the connection.
    pub fn write(&mut self, octets: &[u8]) {
        let _ = self.stream.write_all(octets);
    }

    /// Closes the sending side.
    pub fn finish_writing(&self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
    }

    pub fn read(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut octets = vec![0; count];
        self.stream.read_exact(&mut octets).ok()?;
        Some(octets)
    }

    /// Sends a message as a packet with padding (RFC 4253 §6).
    pub fn send(&mut self, message: &[u8]) {
        self.write(&padded(message));
    }

    pub fn packet(&mut self) -> Option<Vec<u8>> {
        let length: [u8; 4] = self.read(4)?.try_into().unwrap();
        let packet = self.read(u32::from_be_bytes(length) as usize)?;
        let padding = usize::from(packet[0]);
        Some(packet[1..packet.len() - padding].to_vec())
    }

    /// Returns all messages until the server closes the connection or sends NEWKEYS.
    fn rest(&mut self) -> Vec<Vec<u8>> {
        let mut received = Vec::new();
        while let Some(message) = self.packet() {
            let keys = message.first() == Some(&NEWKEYS);
            received.push(message);
            if keys {
                break;
            }
        }
        received
    }

    /// Closes the sending side and waits until the server has closed the connection.
    fn finish(mut self) {
        let start = Instant::now();
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
        let _ = self.stream.read_to_end(&mut Vec::new());
        assert!(start.elapsed() < Duration::from_secs(4), "the server waits");
    }
}

pub fn padded(message: &[u8]) -> Vec<u8> {
    let padding = 4 + (16 - (message.len() + 5 + 4) % 8) % 8;
    let length = u32::try_from(message.len() + 1 + padding).unwrap();
    let packet = [&length.to_be_bytes(), &[padding as u8][..], message, &vec![0; padding]].concat();
    assert_eq!(packet.len() % 8, 0);
    packet
}

pub fn kex_init(method: &str) -> Vec<u8> {
    let (cipher, mac) = ("aes256-gcm@openssh.com", "hmac-sha2-256-etm@openssh.com");
    let mut message = vec![KEX_INIT];
    message.extend([7; 16]);
    for list in [method, "ssh-ed25519", cipher, cipher, mac, mac, "none", "none", "", ""] {
        string(&mut message, list.as_bytes());
    }
    message.extend([0; 5]);
    message
}

pub fn kex_value(value: &[u8]) -> Vec<u8> {
    let mut message = vec![KEX_VALUE];
    string(&mut message, value);
    message
}

pub fn string(into: &mut Vec<u8>, octets: &[u8]) {
    into.extend(u32::try_from(octets.len()).unwrap().to_be_bytes());
    into.extend(octets);
}

/// Splits octets into the string written by [`string`] and the rest.
pub fn take_string(octets: &[u8]) -> (&[u8], &[u8]) {
    let (length, rest) = octets.split_at(4);
    rest.split_at(u32::from_be_bytes(length.try_into().unwrap()) as usize)
}

pub const CURVE25519: &str = "curve25519-sha256";
const ML_KEM: &str = "mlkem768x25519-sha256";

const IGNORE: u8 = 2;
pub const KEX_INIT: u8 = 20;
pub const NEWKEYS: u8 = 21;
pub const KEX_VALUE: u8 = 30;
pub const KEX_REPLY: u8 = 31;
