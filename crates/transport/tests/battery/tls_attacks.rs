//! Attacks by authenticated peers over TLS.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use portreeve_channel::{ChannelError, PeerIdentity, SecureStream, SshIdentity, SshProof, StreamAcceptor};
use portreeve_transport::{Limits, TransportSecurity};
use rustls::{SupportedProtocolVersion, version};

use super::fixture::{ECHO, TestPeer, TestServer, TransportKind, frame};
use super::security::security;
use super::tls_encrypted::{ALERT, APPLICATION_DATA, EncryptedTls, HANDSHAKE};
use super::wire::Inbox;

#[test]
fn k_flood_of_records_without_content_closes_the_session() {
    let security = TransportSecurity { tls: Some(Arc::new(FakeAcceptor)), ..security() };
    let server = TestServer::with_security(
        TransportKind::Tls4,
        TransportKind::Tls4.listener(),
        1,
        Limits::default(),
        security,
    );
    let mut other = TestPeer::Stream(connect_as(&server, b"other"), Inbox::default());
    other.request(&frame(ECHO, b"1"));
    let mut flood = connect_as(&server, b"w");
    let flood = thread::spawn(move || {
        let mut sent = 0;
        while sent < MAX_FLOOD_LEN && flood.write_all(&[0; 1 << 16]).is_ok() {
            sent += 1 << 16;
        }
        sent
    });
    // Fails with a timeout if the flood blocks the worker.
    while !flood.is_finished() {
        other.request(&frame(ECHO, b"1"));
    }
    assert!(flood.join().unwrap() < MAX_FLOOD_LEN, "the session was never closed");
    server.wait_for_statistics("session close", |statistics| statistics.closed_malformed_message == 1);
}

#[test]
fn k_endless_key_updates_close_the_session() {
    for request_update in [false, true] {
        assert_closes_session(&version::TLS13, |peer| {
            (0..FLOOD_RECORDS).map(|_| peer.seal_key_update(request_update)).collect()
        });
    }
}

#[test]
fn k_key_updates_between_messages_are_accepted() {
    let server = TestServer::start(TransportKind::Tls4);
    let mut peer = EncryptedTls::connect(&server, &version::TLS13);
    let message = frame(ECHO, b"1");
    for _ in 0..100 {
        let octets = [peer.seal_key_update(true), peer.seal(APPLICATION_DATA, &message)].concat();
        assert!(peer.send(&octets));
        // The session ticket and the server's own KeyUpdate may precede the response.
        assert_eq!(peer.receive_kind(), Some(APPLICATION_DATA));
    }
    assert_eq!(server.statistics().closed_by_error, 0);
}

#[test]
fn k_endless_empty_records_close_the_session() {
    for version in BOTH_VERSIONS {
        assert_closes_session(version, |peer| {
            (0..FLOOD_RECORDS).map(|_| peer.seal(APPLICATION_DATA, b"")).collect()
        });
    }
}

#[test]
fn k_endless_warning_alerts_close_the_session() {
    const USER_CANCELED: [u8; 2] = [1, 90];
    for version in BOTH_VERSIONS {
        assert_closes_session(version, |peer| {
            (0..FLOOD_RECORDS).map(|_| peer.seal(ALERT, &USER_CANCELED)).collect()
        });
    }
}

#[test]
fn k_flood_of_empty_non_data_records_closes_the_session() {
    for version in BOTH_VERSIONS {
        for kind in [ALERT, HANDSHAKE, CHANGE_CIPHER_SPEC, 99] {
            // The records have more octets than a session may send without a message.
            assert_closes_session(version, |peer| {
                (0..10 * FLOOD_RECORDS).map(|_| peer.seal(kind, b"")).collect()
            });
        }
    }
}

#[test]
fn k_repeated_renegotiation_closes_the_session() {
    let server = TestServer::start(TransportKind::Tls4);
    let mut peer = EncryptedTls::connect(&server, &version::TLS12);
    let hello = peer.seal(HANDSHAKE, &client_hello());
    assert!(peer.send(&hello));
    assert_eq!(peer.receive_kind(), Some(ALERT), "no alert");
    // A client that accepts the refusal can continue.
    let request = peer.seal(APPLICATION_DATA, &frame(ECHO, b"1"));
    assert!(peer.send(&request));
    assert_eq!(peer.receive_kind(), Some(APPLICATION_DATA));
    assert_eq!(server.statistics().closed_by_error, 0);
    assert_closes_session(&version::TLS12, |peer| {
        (0..FLOOD_RECORDS).map(|_| peer.seal(HANDSHAKE, &client_hello())).collect()
    });
    assert_closes_session(&version::TLS13, |peer| vec![peer.seal(HANDSHAKE, &client_hello())]);
}

#[test]
fn k_unexpected_handshake_messages_close_the_session() {
    // Messages of a server, such as a ServerHello, a ticket or a CertificateRequest, and an
    // unrequested certificate.
    for kind in [0, 2, 4, 11, 13, 15, 20, 254] {
        for version in BOTH_VERSIONS {
            assert_closes_session(version, |peer| {
                let message = [&[kind, 0, 0, 40][..], &[0; 40]].concat();
                (0..2).map(|_| peer.seal(HANDSHAKE, &message)).collect()
            });
        }
    }
}

#[test]
fn k_endless_handshake_message_closes_the_session() {
    for version in BOTH_VERSIONS {
        assert_closes_session(version, |peer| {
            let first_octets = peer.seal(HANDSHAKE, &[4, 0xff, 0xff, 0xff]);
            let rest = (0..FLOOD_RECORDS).map(|_| peer.seal(HANDSHAKE, &[0; 16_000]));
            std::iter::once(first_octets).chain(rest.collect::<Vec<_>>()).collect()
        });
    }
}

/// Asserts that these records close the session, and that another session is not affected.
fn assert_closes_session(
    version: &'static SupportedProtocolVersion,
    make_records: impl FnOnce(&mut EncryptedTls) -> Vec<Vec<u8>>,
) {
    let server = TestServer::start(TransportKind::Tls4);
    let mut other = server.peer();
    other.request(&frame(ECHO, b"1"));
    let mut peer = EncryptedTls::connect(&server, version);
    let request = peer.seal(APPLICATION_DATA, &frame(ECHO, b"1"));
    assert!(peer.send(&request));
    assert_eq!(peer.receive_kind(), Some(APPLICATION_DATA), "no response");
    for record in make_records(&mut peer) {
        if !peer.send(&record) {
            break;
        }
    }
    assert!(peer.is_closed(), "the session is still open");
    server.wait_for_statistics("session close", |statistics| {
        statistics.closed_by_error + statistics.closed_malformed_message == 1
    });
    other.request(&frame(ECHO, b"2"));
}

/// Returns a ClientHello that starts a handshake.
fn client_hello() -> Vec<u8> {
    let mut body = [&[3, 3][..], &[7; 32], &[0, 0, 4, 0xc0, 0x2b, 0xc0, 0x2f, 1, 0]].concat();
    // Groups, signature algorithms, and the renegotiation indication.
    let extensions = [0, 10, 0, 4, 0, 2, 0, 0x17, 0, 13, 0, 4, 0, 2, 4, 3, 0xff, 1, 0, 1, 0];
    body.extend((extensions.len() as u16).to_be_bytes());
    body.extend(extensions);
    [&[1, 0, 0, body.len() as u8][..], &body].concat()
}

fn connect_as(server: &TestServer, kind: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(&[kind[0]]).unwrap();
    stream
}

/// Creates cleartext channels. If the first octet on a channel is `w`, the channel discards all
/// further input after a delay. This simulates key updates and records without content, which take
/// time to decrypt.
struct FakeAcceptor;

impl StreamAcceptor for FakeAcceptor {
    fn accept(&self) -> Option<Box<dyn SecureStream>> {
        Some(Box::<FakeChannel>::default())
    }
}

#[derive(Default)]
struct FakeChannel {
    peer: Option<PeerIdentity>,
    is_flooding: bool,
    incoming: VecDeque<u8>,
    outgoing: VecDeque<u8>,
}

impl SecureStream for FakeChannel {
    fn receive(&mut self, socket: &mut dyn Read) -> Result<io::Result<usize>, ChannelError> {
        let mut buffer = [0; 4096];
        let (count, first_octets) = match (self.peer.is_none(), &mut buffer) {
            (true, buffer) => (socket.read(&mut buffer[..1]), 1),
            (false, buffer) => (socket.read(buffer), 0),
        };
        let Ok(count) = count else { return Ok(count) };
        if first_octets == 1 && count == 1 {
            self.is_flooding = buffer[0] == b'w';
            let identity = SshIdentity { user: "ops".to_owned(), proof: SshProof::RelayedBySshd };
            self.peer = Some(PeerIdentity::Ssh(Arc::new(identity)));
        } else if self.is_flooding {
            thread::sleep(PROCESSING_COST);
        } else {
            self.incoming.extend(&buffer[..count]);
        }
        Ok(Ok(count))
    }

    fn transmit(&mut self, socket: &mut dyn Write) -> io::Result<usize> {
        let accepted = socket.write(self.outgoing.make_contiguous())?;
        self.outgoing.drain(..accepted);
        Ok(accepted)
    }

    fn wants_transmit(&self) -> bool {
        !self.outgoing.is_empty()
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        self.peer.as_ref()
    }

    fn protocol(&self) -> &'static str {
        "none"
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.incoming.read(into) {
            Ok(0) => Err(ErrorKind::WouldBlock.into()),
            read => read,
        }
    }

    fn write(&mut self, octets: &[u8]) -> usize {
        self.outgoing.extend(octets);
        octets.len()
    }

    fn close(&mut self) {}
}

const BOTH_VERSIONS: [&SupportedProtocolVersion; 2] = [&version::TLS12, &version::TLS13];
const CHANGE_CIPHER_SPEC: u8 = 20;
/// The number of records in a flood.
const FLOOD_RECORDS: usize = 5000;
/// The maximum number of octets in a flood, far more than the server reads and sockets buffer.
const MAX_FLOOD_LEN: usize = 128 << 20;
/// The simulated processing time of one read.
const PROCESSING_COST: Duration = Duration::from_micros(200);
