//! A server with an echo handler, and a peer for every transport.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::num::NonZeroUsize;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_channel_ssh::server::{ServerSettings, SshServer};
use portreeve_smi::{SecurityLevel, Timestamp, TransportDomain};
use portreeve_transport::{
    AllowedAccounts, Clock, Disposition, Limits, Listener, MessageHandler, MessageSource, Protocol,
    RelayListener, RunningTransport, Service, ServiceTable, SessionEvent, StatisticsReading,
    TransportSecurity, bind, run,
};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

use super::dtls::DtlsPeer;
use super::gate::Gate;
use super::lines::LineService;
use super::security::security;
use super::ssh_peer::SshPeer;
use super::tls::TlsPeer;
use super::wire::{Inbox, Wire};

/// A transport and address family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransportKind {
    Udp4,
    Udp6,
    Tcp4,
    Tcp6,
    Tls4,
    Tls6,
    Ssh4,
    Ssh6,
    Dtls4,
    Dtls6,
    /// DTLS 1.3 over IPv4; the other DTLS kinds use 1.2.
    Dtls13,
    /// A relay of sshd's subsystem.
    Relay,
}

impl TransportKind {
    /// Returns a listener of this kind. For relays the listener is not used, because the relay
    /// socket is bound separately.
    pub fn listener(self) -> Listener {
        let (protocol, address) = match self {
            Self::Udp4 => (Protocol::Udp, "0.0.0.0:0"),
            Self::Relay => (Protocol::Tcp, "127.0.0.1:0"),
            Self::Udp6 => (Protocol::Udp, "[::]:0"),
            Self::Tcp4 => (Protocol::Tcp, "0.0.0.0:0"),
            Self::Tcp6 => (Protocol::Tcp, "[::]:0"),
            Self::Tls4 => (Protocol::Tls, "0.0.0.0:0"),
            Self::Tls6 => (Protocol::Tls, "[::]:0"),
            Self::Ssh4 => (Protocol::Ssh, "0.0.0.0:0"),
            Self::Ssh6 => (Protocol::Ssh, "[::]:0"),
            Self::Dtls4 | Self::Dtls13 => (Protocol::Dtls, "0.0.0.0:0"),
            Self::Dtls6 => (Protocol::Dtls, "[::]:0"),
        };
        Listener::new(protocol, address.parse().unwrap())
    }

    pub fn is_dtls(self) -> bool {
        matches!(self, Self::Dtls4 | Self::Dtls6 | Self::Dtls13)
    }

    pub fn is_ipv4(self) -> bool {
        matches!(self, Self::Udp4 | Self::Tcp4 | Self::Tls4 | Self::Ssh4 | Self::Dtls4 | Self::Dtls13)
    }
}

/// A transport and the protocol of its sessions.
#[derive(Clone, Copy, Debug)]
pub struct Subject(pub TransportKind, pub Wire);

/// SNMP over the transport.
impl From<TransportKind> for Subject {
    fn from(kind: TransportKind) -> Self {
        Self(kind, Wire::Snmp)
    }
}

/// A running transport with an [`EchoHandler`].
pub struct TestServer {
    pub kind: TransportKind,
    pub wire: Wire,
    lines: Arc<LineService>,
    pub gate: Arc<Gate>,
    pub running: Option<RunningTransport>,
    pub address: SocketAddr,
    /// The address of a UDP listener with the same workers.
    pub udp: SocketAddr,
    directory: TempDir,
}

impl TestServer {
    pub fn start(subject: impl Into<Subject>) -> Self {
        Self::with_limits(subject, 1, Limits::default())
    }

    pub fn with_limits(subject: impl Into<Subject>, workers: usize, limits: Limits) -> Self {
        let subject = subject.into();
        Self::with_security(subject, subject.0.listener(), workers, limits, security())
    }

    /// Starts a server with these SSH settings.
    pub fn with_ssh_settings(kind: TransportKind, settings: ServerSettings) -> Self {
        let ssh = Some(Arc::new(SshServer::new(settings)));
        let limits = Limits::default();
        Self::with_security(kind, kind.listener(), 1, limits, TransportSecurity { ssh, ..security() })
    }

    /// Starts a server whose listener is modified by `set`.
    pub fn with_listener(kind: TransportKind, set: impl FnOnce(&mut Listener)) -> Self {
        let mut listener = kind.listener();
        set(&mut listener);
        Self::with_security(kind, listener, 1, Limits::default(), security())
    }

    /// Starts a relay server for these accounts.
    pub fn with_accounts(accounts: AllowedAccounts) -> Self {
        let kind = TransportKind::Relay;
        Self::start_with(kind.into(), kind.listener(), 1, Limits::default(), security(), accounts)
    }

    pub fn with_security(
        subject: impl Into<Subject>,
        listener: Listener,
        workers: usize,
        limits: Limits,
        security: TransportSecurity,
    ) -> Self {
        let accounts = AllowedAccounts::OwnAndRoot;
        Self::start_with(subject.into(), listener, workers, limits, security, accounts)
    }

    fn start_with(
        Subject(kind, wire): Subject,
        listener: Listener,
        workers: usize,
        limits: Limits,
        security: TransportSecurity,
        accounts: AllowedAccounts,
    ) -> Self {
        let listeners = [listener, TransportKind::Udp4.listener()];
        let mut bound = bind(&listeners, NonZeroUsize::new(workers).unwrap(), &limits).unwrap();
        let directory = tempfile::tempdir().unwrap();
        if kind == TransportKind::Relay {
            let path = directory.path().join(SOCKET);
            bound.bind_relay(&RelayListener { path, group: None, accounts }).unwrap();
        }
        let lines = Arc::new(LineService::new());
        let service = Service::Other(Arc::clone(&lines) as _);
        if wire == Wire::Lines {
            let is_ssh = matches!(kind, TransportKind::Ssh4 | TransportKind::Ssh6);
            let snmp = is_ssh.then_some(("snmp", Service::Snmp));
            let services = ServiceTable::new(snmp.into_iter().chain([(LINES, service)]));
            bound.set_services(if kind == TransportKind::Relay { listeners.len() } else { 0 }, services);
        }
        let [port, udp_port] = [0, 1].map(|index| bound.local_addrs()[index].address.port());
        let loopback = if kind.is_ipv4() { "127.0.0.1" } else { "::1" };
        let gate = Arc::new(Gate::default());
        let handler = {
            let gate = Arc::clone(&gate);
            move |_| EchoHandler { gate: Arc::clone(&gate), ..EchoHandler::default() }
        };
        let running = Some(run(bound, limits, security, Clock::start(), handler).unwrap());
        let address = SocketAddr::new(loopback.parse().unwrap(), port);
        let udp = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), udp_port);
        Self { kind, wire, lines, gate, running, address, udp, directory }
    }

    /// Returns a message of the server's protocol that selects the action `what`.
    pub fn frame(&self, what: u8, content: &[u8]) -> Vec<u8> {
        self.wire.frame(what, content)
    }

    /// Wakes the worker from another thread, so that responses to [`ON_WAKE`] are sent.
    pub fn wake_worker(&self) {
        thread::scope(|scope| {
            scope.spawn(|| {
                self.running().wakers()[0].wake();
                self.lines.wake();
            });
        });
    }

    /// Shuts the server down. After it has stopped reading, responses to [`ON_WAKE`] become ready,
    /// and `then` is called.
    pub fn shutdown_and_wake(&mut self, then: impl FnOnce()) {
        let running = self.running.take().unwrap();
        let waker = running.wakers()[0].clone();
        running.shutdown_after(|| {
            waker.wake();
            self.lines.wake();
            then();
        });
    }

    /// Returns the path of the relay socket.
    pub fn socket(&self) -> PathBuf {
        self.directory.path().join(SOCKET)
    }

    pub fn running(&self) -> &RunningTransport {
        self.running.as_ref().unwrap()
    }

    pub fn statistics(&self) -> StatisticsReading {
        self.running().statistics().read()
    }

    /// Waits until the counters fulfill `condition`.
    pub fn wait_for_statistics(&self, what: &str, condition: impl Fn(&StatisticsReading) -> bool) {
        let start = Instant::now();
        while !condition(&self.statistics()) {
            assert!(start.elapsed() < TEST_TIMEOUT, "{what}: not reached: {:?}", self.statistics());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn peer(&self) -> TestPeer {
        self.peer_at(self.address)
    }

    pub fn peer_at(&self, address: SocketAddr) -> TestPeer {
        let inbox = Inbox::new(self.wire);
        match self.kind {
            TransportKind::Udp4 | TransportKind::Udp6 => {
                let any = if self.kind.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
                let socket = UdpSocket::bind(any).unwrap();
                // A connected socket receives only from the address it sent to.
                socket.connect(address).unwrap();
                socket.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
                TestPeer::Datagram(socket)
            }
            TransportKind::Tcp4 | TransportKind::Tcp6 => {
                let stream = TcpStream::connect(address).unwrap();
                stream.set_nodelay(true).unwrap();
                stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
                TestPeer::Stream(stream, inbox)
            }
            TransportKind::Tls4 | TransportKind::Tls6 => {
                let stream = TcpStream::connect(address).unwrap();
                stream.set_nodelay(true).unwrap();
                stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
                TestPeer::Tls(TlsPeer::handshake(stream), inbox)
            }
            TransportKind::Dtls4 | TransportKind::Dtls6 | TransportKind::Dtls13 => {
                TestPeer::Dtls(DtlsPeer::handshake(address, self.kind))
            }
            TransportKind::Ssh4 | TransportKind::Ssh6 => {
                let subsystem = if self.wire == Wire::Snmp { "snmp" } else { LINES };
                TestPeer::Ssh(SshPeer::log_in_to(address, subsystem), inbox)
            }
            TransportKind::Relay => {
                let stream = UnixStream::connect(self.socket()).unwrap();
                stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
                TestPeer::Relay(stream, inbox)
            }
        }
    }
}

/// A peer of the server.
pub enum TestPeer {
    Datagram(UdpSocket),
    Stream(TcpStream, Inbox),
    Tls(TlsPeer, Inbox),
    Ssh(SshPeer, Inbox),
    Dtls(DtlsPeer),
    Relay(UnixStream, Inbox),
}

impl TestPeer {
    pub fn send(&mut self, message: &[u8]) {
        match self {
            Self::Datagram(socket) => assert_eq!(socket.send(message).unwrap(), message.len()),
            Self::Stream(stream, _) => stream.write_all(message).unwrap(),
            Self::Tls(peer, _) => peer.write_all(message).unwrap(),
            Self::Ssh(peer, _) => peer.write_all(message).unwrap(),
            Self::Dtls(peer) => peer.send(message).unwrap(),
            Self::Relay(stream, _) => stream.write_all(message).unwrap(),
        }
    }

    /// Sends to a server that may have closed the session.
    pub fn send_unless_closed(&mut self, octets: &[u8]) {
        let _ = match self {
            Self::Datagram(socket) => socket.send(octets).map(drop),
            Self::Stream(stream, _) => stream.write_all(octets),
            Self::Tls(peer, _) => peer.write_all(octets),
            Self::Ssh(peer, _) => peer.write_all(octets),
            Self::Dtls(peer) => peer.send(octets),
            Self::Relay(stream, _) => stream.write_all(octets),
        };
    }

    /// Returns the next message; fails the test if none arrives.
    pub fn receive(&mut self) -> Vec<u8> {
        self.try_receive().expect("a response")
    }

    /// Returns the next message; `None` if the stream ends or nothing arrives before the timeout.
    pub fn try_receive(&mut self) -> Option<Vec<u8>> {
        match self {
            Self::Datagram(socket) => {
                let mut buffer = vec![0; 65_536];
                let length = socket.recv(&mut buffer).ok()?;
                buffer.truncate(length);
                Some(buffer)
            }
            Self::Stream(stream, inbox) => next_message(stream, inbox),
            Self::Tls(peer, inbox) => next_message(peer, inbox),
            Self::Ssh(peer, inbox) => next_message(peer, inbox),
            Self::Dtls(peer) => peer.receive(),
            Self::Relay(stream, inbox) => next_message(stream, inbox),
        }
    }

    pub fn request(&mut self, message: &[u8]) -> Vec<u8> {
        self.send(message);
        self.receive()
    }

    /// Returns whether the server closes the connection before the timeout.
    pub fn is_closed(&mut self) -> bool {
        self.try_receive().is_none()
    }

    pub fn stream(&mut self) -> &mut TcpStream {
        match self {
            Self::Stream(stream, _) => stream,
            Self::Tls(peer, _) => peer.socket(),
            Self::Datagram(_) | Self::Ssh(..) | Self::Dtls(_) | Self::Relay(..) => {
                panic!("this peer has no TCP stream")
            }
        }
    }

    pub fn finish_sending(&mut self) {
        match self {
            Self::Relay(stream, _) => stream.shutdown(Shutdown::Write).unwrap(),
            _ => self.stream().shutdown(Shutdown::Write).unwrap(),
        }
    }
}

/// Reads until a whole message has arrived; `None` at the end of the stream.
fn next_message(stream: &mut impl Read, inbox: &mut Inbox) -> Option<Vec<u8>> {
    loop {
        if let Some(message) = inbox.next_message() {
            return Some(message);
        }
        let mut buffer = [0; 65_536];
        match stream.read(&mut buffer) {
            Ok(0) => return None,
            Ok(count) => inbox.push(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            Err(error) => panic!("{error}"),
        }
    }
}

/// A handler whose action is selected by the first content octet of a message.
#[derive(Default)]
pub struct EchoHandler {
    later: Vec<(Timestamp, MessageSource, Vec<u8>)>,
    on_wake: Vec<(MessageSource, Vec<u8>)>,
    /// Messages that wait until the simulated table is refreshed.
    stale: Vec<(MessageSource, Vec<u8>)>,
    /// The time at which the simulated table is refreshed.
    refreshed_at: Option<Timestamp>,
    max_unanswered: usize,
    recovered: u8,
    closed_by_us: u8,
    lost: u8,
    open_sessions: u32,
    max_open_sessions: u32,
    gate: Arc<Gate>,
}

/// Selects the action: echo the message at once.
pub const ECHO: u8 = b'e';
/// Selects the action: echo the message 50 ms later.
pub const DEFERRED: u8 = b'l';
/// Selects the action: echo the message when another thread wakes the worker.
pub const ON_WAKE: u8 = b'w';
/// Selects the action: drop the message.
pub const DROP: u8 = b'd';
/// Selects the action: accept the message without a response.
pub const ACCEPT: u8 = b'a';
/// Selects the action: accept the message without a response after the test has released the
/// worker.
pub const BLOCK: u8 = b'b';
/// Selects the action: panic.
pub const PANIC: u8 = b'p';
/// Selects the action: respond with the number of calls of `recover`.
pub const RECOVERED: u8 = b'r';
/// Selects the action: respond with the number of locally closed sessions and of lost responses.
pub const EVENTS: u8 = b'v';
/// Selects the action: echo the message as a Report to an unauthenticated peer.
pub const REPORT: u8 = b'n';
/// Selects the action: echo the message as the response to a request without authentication.
pub const UNAUTHENTICATED: u8 = b'u';
/// Selects the action: respond with 60 000 octets.
pub const LARGE: u8 = b'L';
/// Selects the action: respond with 60 000 octets after a delay, whose length in units of 50 ms is
/// the next octet of the message.
pub const LARGE_DEFERRED: u8 = b'G';
/// Selects the action: respond when a simulated table has been refreshed, which is stale most of
/// the time. The message contains a number, the size of the response (four octets each), and
/// padding; the response contains the number and as many octets.
pub const STALE: u8 = b't';
/// Selects the action: respond with the maximum number of messages that have waited for the table.
pub const MAX_UNANSWERED: u8 = b'm';
/// Selects the action: respond with the maximum number of authenticated sessions that were open at
/// the same time.
pub const MAX_OPEN_SESSIONS: u8 = b'o';
/// Selects the action: respond with the processor time that the worker has used, in nanoseconds.
pub const CPU_TIME: u8 = b'c';
/// Selects the action of the `LineService`: echo the message and end the session.
pub const LAST: u8 = b'q';
/// Selects the action of the `LineService`: echo the message, which has one octet of content. It
/// selects what the session waits for from then on: [`WAIT_ANY`], [`WAIT_SHORT`] or [`WAIT_REST`].
pub const WAIT: u8 = b'W';
/// A message at any time.
pub const WAIT_ANY: u8 = b'a';
/// A message within 100 ms.
pub const WAIT_SHORT: u8 = b's';
/// A message at any time, whose rest must arrive at the minimum rate.
pub const WAIT_REST: u8 = b'r';
/// Selects the action of the `LineService`: echo the message a little later, and end the session
/// then.
pub const LAST_LATER: u8 = b'Q';
/// Selects the action: respond with more octets than a datagram carries.
pub const TOO_LARGE: u8 = b'T';

impl MessageHandler for EchoHandler {
    fn handle(
        &mut self,
        now: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        let header = if message[1] < 0x80 { 2 } else { 2 + usize::from(message[1] & 0x7f) };
        match message.get(header).copied() {
            Some(DEFERRED) => {
                self.later.push((now + DEFER_DELAY, source.clone(), message.to_vec()));
                Disposition::Pending
            }
            Some(LARGE_DEFERRED) => {
                let answer = frame(LARGE_DEFERRED, &vec![7; 60_000]);
                let moments = u32::from(message.get(header + 1).copied().unwrap_or(1));
                self.later.push((now + DEFER_DELAY * moments, source.clone(), answer));
                Disposition::Pending
            }
            Some(STALE) => {
                let response = frame(STALE, &content_of_sized_response(&message[header + 1..]));
                if self.refreshed_at.is_some_and(|at| at <= now && now - at < FRESH_TIME) {
                    return put(reply, &response);
                }
                if self.stale.is_empty() {
                    self.refreshed_at = Some(now + REFRESH_TIME);
                }
                self.stale.push((source.clone(), response));
                self.max_unanswered = self.max_unanswered.max(self.stale.len());
                Disposition::Pending
            }
            Some(MAX_UNANSWERED) => {
                let count = u32::try_from(self.max_unanswered).unwrap();
                put(reply, &frame(MAX_UNANSWERED, &count.to_be_bytes()))
            }
            Some(MAX_OPEN_SESSIONS) => {
                put(reply, &frame(MAX_OPEN_SESSIONS, &self.max_open_sessions.to_be_bytes()))
            }
            Some(CPU_TIME) => {
                let time = Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
                let nanoseconds = u64::try_from(time.as_nanos()).unwrap();
                put(reply, &frame(CPU_TIME, &nanoseconds.to_be_bytes()))
            }
            Some(ON_WAKE) => {
                self.on_wake.push((source.clone(), message.to_vec()));
                Disposition::Pending
            }
            Some(DROP) => Disposition::Dropped,
            Some(ACCEPT) => Disposition::Accepted,
            Some(BLOCK) => {
                self.gate.block();
                Disposition::Accepted
            }
            Some(PANIC) => panic!("requested by the test"),
            Some(IDENTITY) => {
                let state = &source.tm_state;
                let name = state.security_name.as_deref().unwrap_or_default();
                let rest = format!(" {} {}", state.transport_level, state.domain);
                put(reply, &frame(IDENTITY, &[name, rest.as_bytes()].concat()))
            }
            Some(RECOVERED) => put(reply, &frame(RECOVERED, &[self.recovered])),
            Some(EVENTS) => put(reply, &frame(EVENTS, &[self.closed_by_us, self.lost])),
            Some(REPORT) => match put(reply, message) {
                Disposition::Reply(range) => Disposition::Report(range),
                other => other,
            },
            Some(UNAUTHENTICATED) => match put(reply, message) {
                Disposition::Reply(range) => Disposition::UnauthenticatedReply(range),
                other => other,
            },
            Some(LARGE) => put(reply, &frame(LARGE, &vec![7; 60_000])),
            Some(TOO_LARGE) => Disposition::Reply(0..reply.len()),
            _ => put(reply, message),
        }
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8])) {
        for (_, source, message) in self.later.extract_if(.., |(due, ..)| *due <= now) {
            send(&source, SecurityLevel::NoAuthNoPriv, &message);
        }
        if self.refreshed_at.is_some_and(|at| at <= now) {
            for (source, message) in self.stale.drain(..) {
                send(&source, SecurityLevel::AuthPriv, &message);
            }
        }
        for (source, message) in self.on_wake.drain(..) {
            send(&source, SecurityLevel::AuthPriv, &message);
        }
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        let refresh = self.refreshed_at.filter(|_| !self.stale.is_empty());
        self.later.iter().map(|&(due, ..)| due).chain(refresh).min()
    }

    fn session_event(&mut self, _: TransportDomain, event: SessionEvent) {
        match event {
            SessionEvent::Accepted => {
                self.open_sessions += 1;
                self.max_open_sessions = self.max_open_sessions.max(self.open_sessions);
            }
            SessionEvent::ClosedLocally => self.closed_by_us += 1,
            SessionEvent::ResponseLost => self.lost += 1,
            _ => {}
        }
    }

    fn session_closed(&mut self, _: TransportDomain, _: u64) {
        // Sessions that are not authenticated are not counted when they open.
        self.open_sessions = self.open_sessions.saturating_sub(1);
    }

    fn recover(&mut self) {
        self.recovered += 1;
    }
}

/// Returns the content of the response to [`STALE`]: the number of the request, and as many octets
/// as the request asks for.
pub fn content_of_sized_response(request: &[u8]) -> Vec<u8> {
    let [number, size] = [0, 4].map(|at| u32::from_be_bytes(request[at..at + 4].try_into().unwrap()));
    let mut content = number.to_be_bytes().to_vec();
    content.resize(4 + size as usize, 7);
    content
}

/// Writes a response at the end of the buffer, like an engine that writes backwards.
fn put(reply: &mut [u8], answer: &[u8]) -> Disposition {
    let start = reply.len() - answer.len();
    reply[start..].copy_from_slice(answer);
    Disposition::Reply(start..reply.len())
}

/// Returns a message that selects the action `what`. Different `content` makes messages
/// distinguishable.
pub fn frame(what: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len() + 1;
    let mut message = match length {
        0..=0x7f => vec![0x30, length as u8],
        _ => vec![0x30, 0x83, (length >> 16) as u8, (length >> 8) as u8, length as u8],
    };
    message.push(what);
    message.extend_from_slice(content);
    message
}

/// Selects the action: respond with the securityName, security level and domain of the session.
pub const IDENTITY: u8 = b'?';
const DEFER_DELAY: Duration = Duration::from_millis(50);
/// The time that refreshing the simulated table takes.
const REFRESH_TIME: Duration = Duration::from_millis(2);
/// The time after which the simulated table is stale again.
const FRESH_TIME: Duration = Duration::from_millis(1);
/// The name of the second protocol.
pub const LINES: &str = "lines";
/// The file name of the relay socket.
const SOCKET: &str = "snmp.sock";
/// The timeout for expected events: longer than any test takes, even on a loaded machine.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(20);
