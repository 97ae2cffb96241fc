//! What a peer tries that has proven who it is, over TLS.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_channel::{ChannelError, PeerIdentity, SecureStream, SshIdentity, SshProof, StreamAcceptor};
use portreeve_transport::{Limits, Security};
use rustls::{SupportedProtocolVersion, version};

use super::fixture::{ECHO, Kind, Peer, Server, frame};
use super::security::security;
use super::tls_sealed::{ALERT, APPLICATION_DATA, HANDSHAKE, SealedTls};

#[test]
fn k_records_that_say_nothing_end_the_session_and_delay_no_other() {
    let security = Security { tls: Some(Arc::new(Wordless)), ..security() };
    let server = Server::secured(Kind::Tls4, Kind::Tls4.listener(), 1, Limits::default(), security);
    let mut polite = Peer::Stream(greet(&server, b"polite"), Vec::new());
    polite.ask(&frame(ECHO, b"1"));
    let mut flood = greet(&server, b"wordless");
    let flood = thread::spawn(move || {
        let mut sent = 0;
        while sent < MOST && flood.write_all(&[0; 1 << 16]).is_ok() {
            sent += 1 << 16;
        }
        sent
    });
    while !flood.is_finished() {
        let start = Instant::now();
        polite.ask(&frame(ECHO, b"1"));
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
    assert!(flood.join().unwrap() < MOST, "it was never cut");
    server.wait_for("the end", |statistics| statistics.closed_not_a_message == 1);
}

#[test]
fn k_new_keys_without_end_end_the_session_and_no_other() {
    for requests_theirs in [false, true] {
        ends(&version::TLS13, |peer| (0..MANY).map(|_| peer.seal_key_update(requests_theirs)).collect());
    }
}

#[test]
fn k_new_keys_between_messages_are_used() {
    let server = Server::start(Kind::Tls4);
    let mut peer = SealedTls::connect(&server, &version::TLS13);
    let message = frame(ECHO, b"1");
    for _ in 0..100 {
        let octets = [peer.seal_key_update(true), peer.seal(APPLICATION_DATA, &message)].concat();
        assert!(peer.send(&octets));
        // Before the answer may come our ticket, and the server's own new keys.
        assert_eq!(peer.receive_kind(), Some(APPLICATION_DATA));
    }
    assert_eq!(server.statistics().closed_by_error, 0);
}

#[test]
fn k_empty_records_without_end_end_the_session_and_no_other() {
    for version in BOTH {
        ends(version, |peer| (0..MANY).map(|_| peer.seal(APPLICATION_DATA, b"")).collect());
    }
}

#[test]
fn k_warnings_without_end_end_the_session_and_no_other() {
    const USER_CANCELED: [u8; 2] = [1, 90];
    for version in BOTH {
        ends(version, |peer| (0..MANY).map(|_| peer.seal(ALERT, &USER_CANCELED)).collect());
    }
}

#[test]
fn k_empty_records_that_are_no_data_end_the_session_and_no_other() {
    for version in BOTH {
        for kind in [ALERT, HANDSHAKE, CHANGE_CIPHER_SPEC, 99] {
            // More octets than say nothing for long.
            ends(version, |peer| (0..10 * MANY).map(|_| peer.seal(kind, b"")).collect());
        }
    }
}

#[test]
fn k_renegotiation_is_refused_once_and_then_ends_the_session() {
    let server = Server::start(Kind::Tls4);
    let mut peer = SealedTls::connect(&server, &version::TLS12);
    let hello = peer.seal(HANDSHAKE, &client_hello());
    assert!(peer.send(&hello));
    assert_eq!(peer.receive_kind(), Some(ALERT), "no word of refusal");
    // Whoever takes the refusal goes on.
    let question = peer.seal(APPLICATION_DATA, &frame(ECHO, b"1"));
    assert!(peer.send(&question));
    assert_eq!(peer.receive_kind(), Some(APPLICATION_DATA));
    assert_eq!(server.statistics().closed_by_error, 0);
    ends(&version::TLS12, |peer| (0..MANY).map(|_| peer.seal(HANDSHAKE, &client_hello())).collect());
    ends(&version::TLS13, |peer| vec![peer.seal(HANDSHAKE, &client_hello())]);
}

#[test]
fn k_messages_of_a_handshake_that_is_over_end_the_session() {
    // A server's words: a hello, a ticket, a request for a certificate; and a certificate that nobody has asked for.
    for kind in [0, 2, 4, 11, 13, 15, 20, 254] {
        for version in BOTH {
            ends(version, |peer| {
                let message = [&[kind, 0, 0, 40][..], &[0; 40]].concat();
                (0..2).map(|_| peer.seal(HANDSHAKE, &message)).collect()
            });
        }
    }
}

#[test]
fn k_a_handshake_message_that_is_never_finished_ends_the_session() {
    for version in BOTH {
        ends(version, |peer| {
            let beginning = peer.seal(HANDSHAKE, &[4, 0xff, 0xff, 0xff]);
            let rest = (0..MANY).map(|_| peer.seal(HANDSHAKE, &[0; 16_000]));
            std::iter::once(beginning).chain(rest.collect::<Vec<_>>()).collect()
        });
    }
}

/// Has a session end by such records, while another one goes on.
fn ends(version: &'static SupportedProtocolVersion, say: impl FnOnce(&mut SealedTls) -> Vec<Vec<u8>>) {
    let server = Server::start(Kind::Tls4);
    let mut polite = server.peer();
    polite.ask(&frame(ECHO, b"1"));
    let mut peer = SealedTls::connect(&server, version);
    let question = peer.seal(APPLICATION_DATA, &frame(ECHO, b"1"));
    assert!(peer.send(&question));
    assert_eq!(peer.receive_kind(), Some(APPLICATION_DATA), "it is in");
    for record in say(&mut peer) {
        if !peer.send(&record) {
            break;
        }
    }
    assert!(peer.is_cut(), "the session goes on");
    server
        .wait_for("the end", |statistics| statistics.closed_by_error + statistics.closed_not_a_message == 1);
    let start = Instant::now();
    polite.ask(&frame(ECHO, b"2"));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

/// One that begins a handshake.
fn client_hello() -> Vec<u8> {
    let mut body = [&[3, 3][..], &[7; 32], &[0, 0, 4, 0xc0, 0x2b, 0xc0, 0x2f, 1, 0]].concat();
    // Groups, signature algorithms, and that renegotiation is safe.
    let extensions = [0, 10, 0, 4, 0, 2, 0, 0x17, 0, 13, 0, 4, 0, 2, 4, 3, 0xff, 1, 0, 1, 0];
    body.extend((extensions.len() as u16).to_be_bytes());
    body.extend(extensions);
    [&[1, 0, 0, body.len() as u8][..], &body].concat()
}

fn greet(server: &Server, who: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(&[who[0]]).unwrap();
    stream
}

/// Makes channels in clear, in which those who begin with a w say nothing for ever after, at what it costs to decrypt
/// that: new keys, or records without content.
struct Wordless;

impl StreamAcceptor for Wordless {
    fn accept(&self) -> Option<Box<dyn SecureStream>> {
        Some(Box::<Channel>::default())
    }
}

#[derive(Default)]
struct Channel {
    peer: Option<PeerIdentity>,
    is_wordless: bool,
    arrived: VecDeque<u8>,
    leaving: VecDeque<u8>,
}

impl SecureStream for Channel {
    fn receive(&mut self, socket: &mut dyn Read) -> Result<io::Result<usize>, ChannelError> {
        let mut buffer = [0; 4096];
        let (count, beginning) = match (self.peer.is_none(), &mut buffer) {
            (true, buffer) => (socket.read(&mut buffer[..1]), 1),
            (false, buffer) => (socket.read(buffer), 0),
        };
        let Ok(count) = count else { return Ok(count) };
        if beginning == 1 && count == 1 {
            self.is_wordless = buffer[0] == b'w';
            let identity = SshIdentity { user: "ops".to_owned(), proof: SshProof::RelayedBySshd };
            self.peer = Some(PeerIdentity::Ssh(Arc::new(identity)));
        } else if self.is_wordless {
            thread::sleep(COST);
        } else {
            self.arrived.extend(&buffer[..count]);
        }
        Ok(Ok(count))
    }

    fn transmit(&mut self, socket: &mut dyn Write) -> io::Result<usize> {
        let taken = socket.write(self.leaving.make_contiguous())?;
        self.leaving.drain(..taken);
        Ok(taken)
    }

    fn wants_transmit(&self) -> bool {
        !self.leaving.is_empty()
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        self.peer.as_ref()
    }

    fn protocol(&self) -> &'static str {
        "none"
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.arrived.read(into) {
            Ok(0) => Err(ErrorKind::WouldBlock.into()),
            read => read,
        }
    }

    fn write(&mut self, octets: &[u8]) -> usize {
        self.leaving.extend(octets);
        octets.len()
    }

    fn close(&mut self) {}
}

const BOTH: [&SupportedProtocolVersion; 2] = [&version::TLS12, &version::TLS13];
const CHANGE_CIPHER_SPEC: u8 = 20;
/// Records of a flood.
const MANY: usize = 5000;
/// Octets of a flood, far more than are read and than sockets hold.
const MOST: usize = 128 << 20;
/// Of looking at as much as is read at once.
const COST: Duration = Duration::from_micros(200);
