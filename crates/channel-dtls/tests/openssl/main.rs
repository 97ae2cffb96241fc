//! DTLS 1.2 with OpenSSL's command-line tools, in both directions. Skipped with a message if
//! `openssl` is not installed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking, and prints what it skips"
)]

#[path = "../pair/fixture.rs"]
#[allow(dead_code, reason = "the two ends joined by memory are not needed here")]
mod fixture;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, UdpSocket},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use fixture::TestPki;
use portreeve_channel::{AcceptOutcome, ChannelError, ChannelEvent, DatagramAcceptor, SecureDatagrams};
use portreeve_channel_dtls::{ServerExpectation, Versions};
use portreeve_x509::Credentials;
use tempfile::TempDir;

#[test]
fn server_accepts_openssl_s_client() {
    accept_openssl_s_client(&[]);
}

/// With this MTU and a long extension, both ClientHellos of s_client consist of two fragments.
#[test]
fn server_accepts_openssl_s_client_with_fragmented_hello() {
    accept_openssl_s_client(&["-mtu", "256", "-alpn", &"x".repeat(150)]);
}

fn accept_openssl_s_client(options: &[&str]) {
    let Some(pki) = test_pki() else { return };
    let socket = socket();
    let folder = files(&pki, &pki.client);
    let mut program = OpensslProcess::start(
        Command::new("openssl")
            .args(["s_client", "-dtls1_2", "-quiet", "-verify_return_error"])
            .args(options)
            .arg("-connect")
            .arg(socket.local_addr().unwrap().to_string()),
        folder.path(),
    );
    let acceptor = pki.server(Versions::From12);
    let mut channel = None;
    let mut fragments = 0;
    let mut end = SocketDriver { socket: &socket, peer: None };
    while channel.is_none() {
        let (mut datagram, from) = end.receive().unwrap();
        let mut reply = [0; 2000];
        match acceptor.accept(Instant::now(), from, &mut datagram, &mut reply) {
            AcceptOutcome::Dropped => fragments += 1,
            AcceptOutcome::Reply(length) => drop(socket.send_to(&reply[..length], from).unwrap()),
            AcceptOutcome::Channel(accepted) => channel = Some(accepted),
        }
    }
    assert_eq!(fragments > 0, !options.is_empty(), "{fragments} fragments");
    let mut channel = channel.unwrap();
    assert_eq!(end.wait_for_event(&mut *channel), b"");
    assert!(channel.peer().is_some());
    program.write_line("from s_client");
    assert_eq!(end.wait_for_event(&mut *channel), b"from s_client\n");
    channel.send(Instant::now(), b"from us\n").unwrap();
    end.flush(&mut *channel);
    assert_eq!(program.read_line(), "from us");
}

#[test]
fn client_connects_to_openssl_s_server() {
    let Some(pki) = test_pki() else { return };
    for cookie in [&["-listen"][..], &[]] {
        let free = socket().local_addr().unwrap();
        let folder = files(&pki, &pki.server);
        let mut program = OpensslProcess::start(
            Command::new("openssl")
                .args(["s_server", "-dtls1_2", "-quiet", "-Verify", "1", "-verify_return_error"])
                .args(cookie)
                .args(["-accept", &free.to_string()]),
            folder.path(),
        );
        // With `-quiet`, openssl does not print that it is listening, so the test does not wait for
        // that. A hello that arrives too early is retransmitted.
        let socket = socket();
        let mut end = SocketDriver { socket: &socket, peer: Some(free) };
        let expected = ServerExpectation::named("agent.example").unwrap();
        let mut channel = pki.client(Versions::From12).connect(Instant::now(), &expected).unwrap();
        assert_eq!(end.wait_for_event(&mut *channel), b"");
        channel.send(Instant::now(), b"from us\n").unwrap();
        end.flush(&mut *channel);
        assert_eq!(program.read_line(), "from us");
        program.write_line("from s_server");
        assert_eq!(end.wait_for_event(&mut *channel).trim_ascii_end(), b"from s_server");
    }
}

#[test]
fn k_client_rejects_server_that_does_not_request_certificate() {
    let Some(pki) = test_pki() else { return };
    let free = socket().local_addr().unwrap();
    let folder = files(&pki, &pki.server);
    let command = ["s_server", "-dtls1_2", "-quiet", "-accept", &free.to_string()];
    let _program = OpensslProcess::start(Command::new("openssl").args(command), folder.path());
    let socket = socket();
    let mut end = SocketDriver { socket: &socket, peer: Some(free) };
    let expected = ServerExpectation::named("agent.example").unwrap();
    let mut channel = pki.client(Versions::From12).connect(Instant::now(), &expected).unwrap();
    let ChannelEvent::Failed(error) = end.next_event(&mut *channel, &mut [0; 2000]) else {
        panic!("a session")
    };
    assert_eq!(error, ChannelError::no_certificate_requested());
    assert_eq!(channel.handshake().requests_client_certificate, Some(false));
    assert!(channel.peer().is_none());
    assert!(channel.send(Instant::now(), b"data too early").is_err());
}

/// Drives a channel over a socket.
struct SocketDriver<'s> {
    socket: &'s UdpSocket,
    peer: Option<SocketAddr>,
}

impl SocketDriver<'_> {
    /// Waits for the channel to open, which returns an empty vector, or for a message.
    fn wait_for_event(&mut self, channel: &mut dyn SecureDatagrams) -> Vec<u8> {
        let mut buffer = vec![0; 20_000];
        match self.next_event(channel, &mut buffer) {
            ChannelEvent::Open => Vec::new(),
            ChannelEvent::Message(range) => buffer[range].to_vec(),
            other => panic!("{other:?}"),
        }
    }

    fn next_event(&mut self, channel: &mut dyn SecureDatagrams, buffer: &mut [u8]) -> ChannelEvent {
        let end = Instant::now() + TIMEOUT;
        loop {
            self.flush(channel);
            if let Some(event) = channel.poll_event(buffer) {
                self.flush(channel);
                return event;
            }
            assert!(Instant::now() < end, "no event within the timeout");
            match self.receive() {
                Some((mut datagram, _)) => channel.handle_datagram(Instant::now(), &mut datagram),
                None => channel.handle_timeout(Instant::now()),
            }
        }
    }

    fn receive(&mut self) -> Option<(Vec<u8>, SocketAddr)> {
        let mut buffer = vec![0; 20_000];
        let mut tries = if self.peer.is_none() { 200 } else { 1 };
        while tries > 0 {
            if let Ok((length, from)) = self.socket.recv_from(&mut buffer) {
                self.peer = Some(from);
                buffer.truncate(length);
                return Some((buffer, from));
            }
            tries -= 1;
        }
        None
    }

    fn flush(&mut self, channel: &mut dyn SecureDatagrams) {
        let mut buffer = vec![0; 20_000];
        while let Some(length) = channel.poll_transmit(&mut buffer) {
            let _ = self.socket.send_to(&buffer[..length], self.peer.unwrap());
        }
    }
}

/// An openssl process, which ends with the test.
struct OpensslProcess(Child);

impl OpensslProcess {
    fn start(command: &mut Command, folder: &Path) -> Self {
        let command = command
            .current_dir(folder)
            .args(["-CAfile", "root.pem", "-cert", "leaf.der", "-certform", "DER"])
            .args(["-key", "key.der", "-keyform", "DER"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        Self(child.unwrap())
    }

    fn write_line(&mut self, line: &str) {
        // openssl reads the octets of one write with one read, and sends them in one record.
        self.0.stdin.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn read_line(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

impl Drop for OpensslProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns `None` and prints a message if openssl is not installed.
fn test_pki() -> Option<TestPki> {
    if Command::new("openssl").arg("version").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: openssl is not installed");
        return None;
    }
    Some(TestPki::new())
}

fn files(pki: &TestPki, credentials: &Credentials) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("root.pem"), pki.root_pem()).unwrap();
    fs::write(folder.path().join("leaf.der"), &credentials.chain()[0]).unwrap();
    fs::write(folder.path().join("key.der"), credentials.key().secret_der()).unwrap();
    folder
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    socket
}

/// The timeout of each step: longer than any step takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);
