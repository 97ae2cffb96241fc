//! Sessions with a server that sends records without messages faster than they are processed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its fixture too")]

use std::{
    io::{self, Read, Write},
    net::{TcpListener, UdpSocket},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use portreeve_channel::{
    ChannelError, ChannelEvent, Fingerprint, HashAlgorithm, PeerIdentity, SecureDatagrams, SecureStream,
    SshIdentity, SshProof,
};
use portreeve_secure_session::SecureSession;
use tokio::{runtime, time::timeout};

/// The broker serves all commands of a user on one thread, so a session must let other tasks run.
#[test]
fn flooded_tls_session_lets_other_tasks_run() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut server, _) = listener.accept().unwrap();
        let end = Instant::now() + FLOOD;
        while Instant::now() < end && server.write_all(&[0; 1 << 16]).is_ok() {}
    });
    let session = async {
        let connection = tokio::net::TcpStream::connect(address).await.unwrap();
        SecureSession::over_tls(connection, Box::new(NoMessages::new())).await.unwrap()
    };
    assert_other_tasks_run(session);
}

#[test]
fn flooded_dtls_session_lets_other_tasks_run() {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    let session = async {
        let client = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
        client.connect(address).await.unwrap();
        server.connect(client.local_addr().unwrap()).unwrap();
        let end = Instant::now() + FLOOD;
        thread::spawn(move || while Instant::now() < end && server.send(&[0; 100]).is_ok() {});
        SecureSession::over_dtls(client, Box::new(NoMessages::new())).await.unwrap()
    };
    assert_other_tasks_run(session);
}

fn assert_other_tasks_run(open: impl Future<Output = SecureSession>) {
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    runtime.block_on(async {
        let mut session = open.await;
        let start = Instant::now();
        assert!(timeout(Duration::from_millis(100), session.receive()).await.is_err(), "no message arrives");
        assert!(start.elapsed() < FLOOD / 2, "{:?}", start.elapsed());
    });
}

/// A channel whose records contain no messages. It is slower than the server.
struct NoMessages {
    peer: PeerIdentity,
    is_open_reported: bool,
    has_stream_ended: bool,
}

impl NoMessages {
    fn new() -> Self {
        let key = Fingerprint::from_hash(HashAlgorithm::Sha256, &[0; 32]);
        let identity = SshIdentity { user: "agent".to_owned(), proof: SshProof::HostKey { key } };
        Self { peer: PeerIdentity::Ssh(Arc::new(identity)), is_open_reported: false, has_stream_ended: false }
    }
}

impl SecureStream for NoMessages {
    fn receive(&mut self, socket: &mut dyn Read) -> Result<io::Result<usize>, ChannelError> {
        thread::sleep(PROCESSING_TIME);
        let read = socket.read(&mut [0; 512]);
        self.has_stream_ended = matches!(read, Ok(0));
        Ok(read)
    }

    fn transmit(&mut self, _: &mut dyn Write) -> io::Result<usize> {
        Ok(0)
    }

    fn wants_transmit(&self) -> bool {
        false
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        Some(&self.peer)
    }

    fn protocol(&self) -> &'static str {
        "TLSv1.3"
    }

    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let kind =
            if self.has_stream_ended { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::WouldBlock };
        Err(kind.into())
    }

    fn write(&mut self, octets: &[u8]) -> usize {
        octets.len()
    }

    fn close(&mut self) {}
}

impl SecureDatagrams for NoMessages {
    fn handle_datagram(&mut self, _: Instant, _: &mut [u8]) {
        thread::sleep(PROCESSING_TIME);
    }

    fn handle_timeout(&mut self, _: Instant) {}

    fn next_timeout(&self) -> Option<Instant> {
        None
    }

    fn poll_transmit(&mut self, _: &mut [u8]) -> Option<usize> {
        None
    }

    fn poll_event(&mut self, _: &mut [u8]) -> Option<ChannelEvent> {
        let is_first = !std::mem::replace(&mut self.is_open_reported, true);
        is_first.then_some(ChannelEvent::Open)
    }

    fn send(&mut self, _: Instant, _: &[u8]) -> Result<(), ChannelError> {
        Ok(())
    }

    fn is_reachable(&self) -> bool {
        true
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        Some(&self.peer)
    }

    fn protocol(&self) -> &'static str {
        "DTLSv1.3"
    }

    fn close(&mut self, _: Instant) {}
}

/// The time after which the server stops.
const FLOOD: Duration = Duration::from_secs(20);
/// The time that a channel takes for each read.
const PROCESSING_TIME: Duration = Duration::from_micros(200);
