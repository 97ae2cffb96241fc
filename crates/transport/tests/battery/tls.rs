//! A TLS peer, and tests specific to TLS sessions.

use std::convert::Infallible;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

use portreeve_channel::{AlternativeName, SecureStream};
use portreeve_channel_tls::{ServerExpectation, TlsClient, TlsServer, Versions};
use portreeve_pki::{Holder, HolderRole, RevokedCertificate, Validity, X509Authority};
use portreeve_transport::Limits;
use portreeve_x509::{Credentials, Trust, certificate_facts};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};

use super::fixture::{ECHO, LARGE, PANIC, TestServer, TransportKind, frame};

#[test]
fn silent_connections_time_out_without_delaying_others() {
    let limits = Limits { first_message_timeout: Duration::from_millis(300), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Tls4, 1, limits);
    let mut silent: Vec<_> = (0..50).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    let start = Instant::now();
    server.peer().request(&frame(ECHO, b"1"));
    assert!(start.elapsed() < Duration::from_millis(900), "{:?}", start.elapsed());
    for stream in &mut silent {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        assert!(rest.len() <= 7, "more than an alert: {rest:?}");
    }
    assert_eq!(server.statistics().closed_no_message, 50);
}

#[test]
fn non_tls_connection_is_closed() {
    let server = TestServer::start(TransportKind::Tls4);
    for octets in [&b"GET / HTTP/1.1\r\n\r\n"[..], &frame(ECHO, b"in clear")] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(octets).unwrap();
        let mut rest = Vec::new();
        // Before the end of the stream, the server may send an alert, but nothing else.
        let end = stream.read_to_end(&mut rest);
        assert!(end.is_ok() || end.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset));
        assert!(rest.len() <= 7, "{rest:?}");
    }
    server.wait_for_statistics("both closes", |statistics| statistics.closed_handshake_failed == 2);
}

#[test]
fn session_without_security_name_is_closed_before_any_response() {
    let server = TestServer::start(TransportKind::Tls4);
    let stream = TcpStream::connect(server.address).unwrap();
    let mut peer = TlsPeer::handshake_with(stream, &CERTIFICATES.unnamed);
    let _ = peer.write_all(&frame(ECHO, b"1"));
    assert!(matches!(peer.read(&mut [0; 16]), Ok(0) | Err(_)));
    server.wait_for_statistics("session close", |statistics| statistics.closed_no_security_name == 1);
}

#[test]
fn session_ticket_and_first_response_are_sent_together() {
    let server = TestServer::start(TransportKind::Tls4);
    let mut peer =
        TlsPeer::start_handshake(TcpStream::connect(server.address).unwrap(), &CERTIFICATES.client);
    peer.write_all(&frame(ECHO, b"1")).unwrap();
    // A single receive call reads the ticket and the response.
    assert_ne!(peer.channel.receive(&mut peer.socket).unwrap().unwrap(), 0);
    assert_ne!(peer.channel.read(&mut [0; 64]).unwrap(), 0);
}

#[test]
fn session_ticket_is_sent_before_the_first_message_is_complete() {
    let server = TestServer::start(TransportKind::Tls4);
    let mut peer =
        TlsPeer::start_handshake(TcpStream::connect(server.address).unwrap(), &CERTIFICATES.client);
    let request = frame(ECHO, b"1");
    let (first, rest) = request.split_at(3);
    peer.write_all(first).unwrap();
    peer.socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert_ne!(peer.channel.receive(&mut peer.socket).unwrap().unwrap(), 0);
    assert!(peer.channel.read(&mut [0; 64]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
    peer.write_all(rest).unwrap();
    assert_ne!(peer.read(&mut [0; 64]).unwrap(), 0);
}

#[test]
fn panic_while_handling_a_message_closes_only_that_session() {
    let server = TestServer::start(TransportKind::Tls4);
    let (mut good, mut bad) = (server.peer(), server.peer());
    bad.send(&frame(PANIC, &[]));
    assert!(bad.is_closed());
    assert_eq!(good.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
    assert_eq!(server.statistics().closed_by_panic, 1);
}

#[test]
fn peer_that_does_not_read_does_not_delay_other_peers() {
    let limits = Limits { stall_timeout: Duration::from_millis(300), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Tls4, 1, limits);
    let mut peer = server.peer();
    // Requests whose responses total about 60 MB; none is read.
    for _ in 0..1000 {
        peer.send(&frame(LARGE, &[]));
    }
    let start = Instant::now();
    server.peer().request(&frame(ECHO, b"1"));
    assert!(start.elapsed() < Duration::from_millis(900), "{:?}", start.elapsed());
    server.wait_for_statistics("session close", |statistics| statistics.closed_stalled == 1);
}

/// Returns the TLS server of the tests.
pub fn server() -> TlsServer {
    TlsServer::new(&CERTIFICATES.server, CERTIFICATES.trust(), Versions::From12).unwrap()
}

/// Returns a copy of the server credentials, for DTLS.
pub fn server_credentials() -> Credentials {
    copy(&CERTIFICATES.server)
}

pub fn client_credentials() -> Credentials {
    copy(&CERTIFICATES.client)
}

pub fn unnamed_credentials() -> Credentials {
    copy(&CERTIFICATES.unnamed)
}

pub fn trust() -> Trust {
    CERTIFICATES.trust()
}

/// Returns a trust whose revocation list contains the certificate of [`client_credentials`].
pub fn trust_without_client() -> Trust {
    let facts = certificate_facts(&CERTIFICATES.client.chain()[0]).unwrap();
    let now = SystemTime::now();
    let revoked =
        RevokedCertificate { serial: facts.issuer_and_serial.1, since: now - Duration::from_secs(60) };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("revoked.pem");
    fs::write(&path, CERTIFICATES.root.revocation_list(&[revoked], 1, now).unwrap()).unwrap();
    let mut trust = trust();
    trust.add_revocations(&path).unwrap();
    trust
}

fn copy(credentials: &Credentials) -> Credentials {
    Credentials::new(credentials.chain().to_vec(), credentials.key().clone_key())
}

/// Returns the first flight of a client.
pub fn first_hello() -> Vec<u8> {
    let client = TlsClient::new(&CERTIFICATES.client, CERTIFICATES.trust(), Versions::From12).unwrap();
    let mut channel = client.connect(&ServerExpectation::named("agent.example").unwrap()).unwrap();
    let mut hello = Vec::new();
    while channel.wants_transmit() {
        channel.transmit(&mut hello).unwrap();
    }
    hello
}

/// Returns the DER certificate of the authority of all test certificates.
pub fn root() -> Vec<u8> {
    CertificateDer::from_pem_slice(CERTIFICATES.root.pem().as_bytes()).unwrap().to_vec()
}

/// A blocking peer of a TLS session.
pub struct TlsPeer {
    socket: TcpStream,
    channel: Box<dyn SecureStream>,
}

impl TlsPeer {
    pub fn handshake(socket: TcpStream) -> Self {
        Self::handshake_with(socket, &CERTIFICATES.client)
    }

    fn handshake_with(socket: TcpStream, credentials: &Credentials) -> Self {
        let mut peer = Self::start_handshake(socket, credentials);
        peer.flush().unwrap();
        peer
    }

    /// Runs the handshake until the server is authenticated. The client's last flight is sent
    /// together with the first application data.
    fn start_handshake(socket: TcpStream, credentials: &Credentials) -> Self {
        let client = TlsClient::new(credentials, CERTIFICATES.trust(), Versions::From12).unwrap();
        let channel = client.connect(&ServerExpectation::named("agent.example").unwrap()).unwrap();
        let mut peer = Self { socket, channel };
        while peer.channel.peer().is_none() {
            peer.flush().unwrap();
            assert_ne!(
                peer.channel.receive(&mut peer.socket).unwrap().unwrap(),
                0,
                "closed in the handshake"
            );
        }
        peer
    }

    /// Connects on another thread, which passes octets in both directions at the same time between
    /// the session and the returned stream.
    pub fn connect_in_background(address: SocketAddr) -> UnixStream {
        let (ours, theirs) = UnixStream::pair().unwrap();
        std::thread::spawn(move || {
            let socket = TcpStream::connect(address).unwrap();
            socket.set_nodelay(true).unwrap();
            let peer = Self::handshake(socket);
            peer.socket.set_nonblocking(true).unwrap();
            theirs.set_nonblocking(true).unwrap();
            // Fails when one side is closed.
            let _ = peer.pass_octets(&theirs);
        });
        ours
    }

    fn pass_octets(mut self, mut stream: &UnixStream) -> io::Result<Infallible> {
        let (mut outgoing, mut incoming) = (Vec::new(), Vec::new());
        let mut buffer = [0; 16_384];
        loop {
            let mut has_progress = false;
            if outgoing.is_empty()
                && let Some(count) = unless_blocked(stream.read(&mut buffer))?
            {
                outgoing.extend_from_slice(&buffer[..end_is_error(count)?]);
                has_progress = true;
            }
            outgoing.drain(..self.channel.write(&outgoing));
            while self.channel.wants_transmit()
                && unless_blocked(self.channel.transmit(&mut self.socket))?.is_some()
            {
                has_progress = true;
            }
            if incoming.is_empty() {
                if let Some(count) = unless_blocked(self.channel.read(&mut buffer))? {
                    incoming.extend_from_slice(&buffer[..end_is_error(count)?]);
                } else if let Some(count) =
                    unless_blocked(self.channel.receive(&mut self.socket).map_err(io::Error::other)?)?
                {
                    end_is_error(count)?;
                    has_progress = true;
                }
            }
            if !incoming.is_empty()
                && let Some(count) = unless_blocked(stream.write(&incoming))?
            {
                incoming.drain(..count);
                has_progress = true;
            }
            if !has_progress {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
    }

    pub fn socket(&mut self) -> &mut TcpStream {
        &mut self.socket
    }
}

impl Read for TlsPeer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.channel.read(into) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                result => return result,
            }
            match self.channel.receive(&mut self.socket) {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

impl Write for TlsPeer {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let accepted = self.channel.write(octets);
        self.flush()?;
        Ok(accepted)
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.channel.wants_transmit() {
            self.channel.transmit(&mut self.socket)?;
        }
        Ok(())
    }
}

fn unless_blocked<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        result => result.map(Some),
    }
}

fn end_is_error(count: usize) -> io::Result<usize> {
    if count == 0 { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(count) }
}

/// The certificates of all tests, issued by one authority.
static CERTIFICATES: LazyLock<TestCertificates> = LazyLock::new(TestCertificates::new);

struct TestCertificates {
    root: X509Authority,
    server: Credentials,
    client: Credentials,
    unnamed: Credentials,
}

impl TestCertificates {
    fn new() -> Self {
        let root = X509Authority::new("authority", valid()).unwrap();
        let names = vec![AlternativeName::Dns("agent.example".into())];
        Self {
            server: credentials(&root, &Holder::new(HolderRole::Host, "agent").with_names(names)),
            client: credentials(&root, &Holder::new(HolderRole::User, "ops")),
            unnamed: credentials(&root, &Holder::new(HolderRole::User, "")),
            root,
        }
    }

    fn trust(&self) -> Trust {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("root.pem");
        fs::write(&path, self.root.pem()).unwrap();
        let mut trust = Trust::default();
        trust.add_authorities(&path).unwrap();
        trust
    }
}

fn credentials(root: &X509Authority, holder: &Holder) -> Credentials {
    let issued = root.issue(holder, valid()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(issued.key.expose()).unwrap();
    Credentials::new(vec![issued.der.into()], key)
}

fn valid() -> Validity {
    Validity::from_now(SystemTime::now(), Duration::from_secs(86_400))
}
