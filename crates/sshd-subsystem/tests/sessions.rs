//! Tests of the real `portreeve-snmp`. Pipes are its standard input and output, as under sshd, and
//! the test listens on the agent's socket.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its fixture too"
)]

use std::{
    io::{ErrorKind, Read, Write},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

#[test]
fn octets_are_forwarded_without_delay_in_both_directions() {
    let site = TestAgent::new();
    let mut relay = site.relay();
    let (mut agent, _) = site.listener.accept().unwrap();
    for n in 0..100_u8 {
        let request = vec![n; 1 + usize::from(n) * 37];
        relay.stdin.as_mut().unwrap().write_all(&request).unwrap();
        assert_eq!(take(&mut agent, request.len()), request);
        agent.write_all(&request).unwrap();
        assert_eq!(take(relay.stdout.as_mut().unwrap(), request.len()), request);
    }
    drop((relay.stdin.take(), agent));
    assert_eq!(relay.wait().unwrap().code(), Some(0));
}

#[test]
fn megabytes_are_forwarded_in_both_directions_simultaneously() {
    let site = TestAgent::new();
    let mut relay = site.relay();
    let (agent, _) = site.listener.accept().unwrap();
    let (mut reader, mut writer) = (agent.try_clone().unwrap(), agent);
    let octets: Vec<u8> = (0..8_000_000_u32).map(|n| (n % 251) as u8).collect();
    let (mut input, mut output) = (relay.stdin.take().unwrap(), relay.stdout.take().unwrap());
    thread::scope(|scope| {
        scope.spawn(|| {
            input.write_all(&octets).unwrap();
            drop(input);
        });
        scope.spawn(|| {
            writer.write_all(&octets).unwrap();
            // Everything from the client must arrive before the end.
            assert_eq!(read_all(&mut reader), octets);
            writer.shutdown(Shutdown::Both).unwrap();
        });
        assert_eq!(read_all(&mut output), octets);
    });
    assert_eq!(relay.wait().unwrap().code(), Some(0));
}

#[test]
fn responses_are_forwarded_after_the_client_closes_its_sending_side() {
    let site = TestAgent::new();
    let mut relay = site.relay();
    let (mut agent, _) = site.listener.accept().unwrap();
    relay.stdin.take().unwrap().write_all(b"request").unwrap();
    assert_eq!(read_all(&mut agent), b"request", "the end comes after the data");
    agent.write_all(b"response").unwrap();
    drop(agent);
    let done = finish(relay);
    assert_eq!((done.stdout, done.status.code()), (b"response".to_vec(), Some(0)));
    assert!(done.stderr.is_empty());
}

#[test]
fn relay_exits_when_agent_closes_connection_while_input_is_open() {
    let site = TestAgent::new();
    let mut relay = site.relay();
    let _input = relay.stdin.take().unwrap();
    let (mut agent, _) = site.listener.accept().unwrap();
    agent.write_all(b"goodbye").unwrap();
    drop(agent);
    let done = finish(relay);
    assert_eq!((done.stdout, done.status.code()), (b"goodbye".to_vec(), Some(0)));
    assert!(done.stderr.is_empty());
}

#[test]
fn relay_exits_when_its_output_is_closed() {
    let site = TestAgent::new();
    let mut relay = site.relay();
    let _input = relay.stdin.take().unwrap();
    drop(relay.stdout.take());
    let (mut agent, _) = site.listener.accept().unwrap();
    agent.write_all(b"unread").unwrap();
    assert_eq!(relay.wait().unwrap().code(), Some(0));
    assert_eq!(agent.read(&mut [0]).unwrap(), 0, "the agent receives the end of the stream");
}

#[test]
fn relay_stops_reading_from_the_agent_while_its_output_is_not_read() {
    let site = TestAgent::new();
    let mut relay = site.relay();
    let (agent, _) = site.listener.accept().unwrap();
    let (mut input, output) = (relay.stdin.take().unwrap(), relay.stdout.take().unwrap());
    // The agent sends to a client that reads nothing, until pipe, buffer and socket are full.
    let written = write_until_full(agent.try_clone().unwrap());
    assert!(written < 4 << 20, "{written} octets were accepted, although the client does not read");
    // Octets in the other direction still arrive.
    input.write_all(b"still here").unwrap();
    let mut agent = agent;
    agent.set_nonblocking(false).unwrap();
    assert_eq!(take(&mut agent, 10), b"still here");
    drop((agent, output, input));
    assert_eq!(relay.wait().unwrap().code(), Some(0));
}

#[test]
fn relay_reports_an_agent_that_closes_the_connection_at_once() {
    let site = TestAgent::new();
    let mut relay = site.relay();
    let _input = relay.stdin.take().unwrap();
    drop(site.listener.accept().unwrap());
    let text = failure(finish(relay));
    assert!(text.contains("closed the session without a response") && text.contains("hint: "), "{text}");
}

#[test]
fn missing_agent_is_reported_with_socket_path_and_hint() {
    let directory = tempfile::tempdir().unwrap();
    let absent = directory.path().join("absent.sock");
    let stale = directory.path().join("stale.sock");
    drop(UnixListener::bind(&stale).unwrap());
    for socket in [absent, stale] {
        let text = failure(finish(start(&socket)));
        assert!(text.contains(&format!("no agent listens at {}", socket.display())), "{text}");
        assert!(text.contains("hint: portreeved creates this socket"), "{text}");
    }
}

#[test]
fn invalid_command_line_does_not_connect() {
    let done = Command::new(PROGRAM).args(["a", "b"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("unexpected argument"));
}

/// An agent's socket.
struct TestAgent {
    directory: TempDir,
    listener: UnixListener,
}

impl TestAgent {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(directory.path().join("snmp.sock")).unwrap();
        Self { directory, listener }
    }

    fn relay(&self) -> Child {
        start(&self.directory.path().join("snmp.sock"))
    }
}

fn start(socket: &PathBuf) -> Child {
    let mut command = Command::new(PROGRAM);
    command.arg(socket).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for the relay to exit and returns its output; the caller may keep its input open.
fn finish(relay: Child) -> Output {
    relay.wait_with_output().unwrap()
}

fn failure(done: Output) -> String {
    assert_eq!(done.status.code(), Some(1));
    assert!(done.stdout.is_empty(), "stdout is data");
    String::from_utf8(done.stderr).unwrap()
}

fn take(from: &mut impl Read, count: usize) -> Vec<u8> {
    let mut octets = vec![0; count];
    from.read_exact(&mut octets).unwrap();
    octets
}

fn read_all(from: &mut impl Read) -> Vec<u8> {
    let mut octets = Vec::new();
    from.read_to_end(&mut octets).unwrap();
    octets
}

/// Writes until nothing has been accepted for a while; returns the number of octets.
fn write_until_full(mut agent: UnixStream) -> usize {
    agent.set_nonblocking(true).unwrap();
    let (mut written, mut full_since) = (0, None);
    loop {
        match agent.write(&[7; 65_536]) {
            Ok(count) => {
                written += count;
                full_since = None;
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if full_since.get_or_insert_with(Instant::now).elapsed() > Duration::from_millis(300) {
                    return written;
                }
                thread::sleep(Duration::from_millis(5));
            }
            Err(error) => panic!("{error}"),
        }
        assert!(written < 64 << 20, "the relay accepts octets without limit");
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_portreeve-snmp");
