//! Log lines about accepted sessions.

use std::fmt::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{LazyLock, Mutex};
use std::time::Instant;

use socket2::{Domain, Socket, Type};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::fixture::{ECHO, Subject, TestServer, TransportKind, frame};
use super::ssh_peer::SshPeer;
use super::ssh_server::{OTHER_USER, USER};
use super::tls::TlsPeer;
use super::wire::Wire;

#[test]
fn review_l1_accepted_session_is_logged_with_user_and_credential() {
    LazyLock::force(&LINES);
    for (kind, transport, user, credential) in [
        (TransportKind::Ssh4, "ssh", USER, "credential=key sha256:"),
        (TransportKind::Tls4, "tls", "ops", "credential=certificate sha256:"),
        (TransportKind::Dtls4, "dtls", "ops", "credential=certificate sha256:"),
    ] {
        let server = TestServer::start(kind);
        server.peer().request(&frame(ECHO, b"1"));
        let parts =
            [&format!("user={user} "), "peer=127.0.0.1:", &format!("transport={transport} "), credential];
        let lines = LINES.lock().unwrap();
        let is_logged = lines.iter().any(|line| parts.iter().all(|part| line.contains(*part)));
        assert!(is_logged, "{kind:?}: {lines:?}");
    }
}

#[test]
fn accepted_session_of_another_service_is_logged_with_the_service() {
    LazyLock::force(&LINES);
    let server = TestServer::start(Subject(TransportKind::Ssh4, Wire::Lines));
    server.peer().request(&server.frame(ECHO, b"1"));
    let lines = LINES.lock().unwrap();
    let is_logged =
        |line: &String| line.contains(&format!("user={USER} ")) && line.contains("service=lines ");
    assert!(lines.iter().any(is_logged), "{lines:?}");
}

#[test]
fn review_l1_log_lines_about_accepted_sessions_are_limited_and_counted() {
    LazyLock::force(&LINES);
    let server = TestServer::start(TransportKind::Tls4);
    let start = Instant::now();
    let accept = || TlsPeer::handshake(connect_from(SOURCE, server.address));
    let peers: Vec<_> = (0..40).map(|_| accept()).collect();
    let seconds = start.elapsed().as_secs() as usize + 1;
    server.wait_for_statistics("sessions", |statistics| statistics.sessions_opened == 40);
    // The limit holds for each second, and the first line of the next second has the field
    // `suppressed`.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let last = accept();
    server.wait_for_statistics("session", |statistics| statistics.sessions_opened == 41);
    drop((peers, last));
    server.wait_for_statistics("closes", |statistics| statistics.closed_by_peer == 41);
    let lines = LINES.lock().unwrap();
    let ours: Vec<_> = lines.iter().filter(|line| line.contains(&format!("peer={SOURCE}:"))).collect();
    assert!(ours.len() <= 10 * (seconds + 1) + 1, "{} lines in {seconds} s", ours.len());
    assert!(ours.last().unwrap().contains("suppressed="), "{:?}", ours.last());
}

#[test]
fn review_l1_user_with_many_sessions_does_not_suppress_log_lines_of_others() {
    LazyLock::force(&LINES);
    let server = TestServer::start(TransportKind::Ssh4);
    let first = SshPeer::log_in(server.address);
    let _busy: Vec<_> = (0..9).map(|_| first.another_channel()).collect();
    let second = SshPeer::log_in(server.address);
    let _more: Vec<_> = (0..9).map(|_| second.another_channel()).collect();
    let _other = SshPeer::connect(server.address, OTHER_USER);
    server.wait_for_statistics("sessions", |statistics| statistics.sessions_opened == 21);
    let lines = LINES.lock().unwrap();
    assert!(lines.iter().any(|line| line.contains(&format!("user={OTHER_USER} "))), "{lines:?}");
}

fn connect_from(source: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((source, 0)).into()).unwrap();
    socket.connect(&to.into()).unwrap();
    socket.into()
}

/// The log lines about accepted sessions of all tests in this process.
static LINES: LazyLock<Mutex<Vec<String>>> = LazyLock::new(|| {
    tracing::subscriber::set_global_default(LineCollector).unwrap();
    Mutex::default()
});

/// Collects log lines, formatted as `name=value` and separated by spaces.
struct LineCollector;

impl Subscriber for LineCollector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::INFO && metadata.is_event()
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        if line.0.contains("session accepted") {
            LINES.lock().unwrap().push(line.0);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, "{field}={value:?} ").unwrap();
    }
}

/// An address that no other test uses.
const SOURCE: Ipv4Addr = Ipv4Addr::new(127, 77, 0, 1);
