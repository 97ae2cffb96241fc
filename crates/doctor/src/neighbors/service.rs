//! Detects the protocol of a port with few, harmless messages.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket},
    thread,
    time::{Duration, Instant},
};

use portreeve_mib::modules::snmpv2_mib::SYS_UP_TIME;
use portreeve_snmp_manager::{
    Client, Credentials, Operation, PeerAddress, Request, RetryPolicy, SessionOptions, Transport, UsmUser,
};

use super::client_hello;

/// The service on a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DetectedService {
    /// SNMPv3 over UDP or TCP.
    Snmp(Transport),
    /// SSH, with the first line that it sends.
    Ssh(String),
    /// A TLS server, over TCP.
    Tls,
    /// A DTLS server, over UDP.
    Dtls,
    /// An HTTP server without TLS.
    Http,
    /// Another protocol, with the first line that the server sends.
    Other(String),
    /// An unknown protocol on an open TCP port.
    Tcp,
}

impl DetectedService {
    /// Returns true if the service may be an agent with this transport.
    pub(super) fn matches_transport(&self, transport: Transport) -> bool {
        match self {
            Self::Snmp(detected) => *detected == transport,
            Self::Ssh(_) => transport == Transport::Ssh,
            Self::Tls => transport == Transport::Tls,
            Self::Dtls => transport == Transport::Dtls,
            Self::Tcp => true,
            Self::Http | Self::Other(_) => false,
        }
    }

    /// Describes the service and its address.
    pub(super) fn describe_at(&self, at: SocketAddr) -> String {
        format!("{} at {at}", self.description())
    }

    /// Suggests the address to use, if the service may be an agent.
    pub(super) fn address_hint(&self, at: SocketAddr) -> Option<String> {
        let prefix = match self {
            Self::Snmp(Transport::Tcp) => "tcp",
            Self::Snmp(_) => "udp",
            Self::Ssh(_) => "ssh",
            Self::Tls => "tls",
            Self::Dtls => "dtls",
            Self::Http | Self::Other(_) | Self::Tcp => return None,
        };
        Some(format!("try {prefix}:{at}"))
    }

    fn description(&self) -> String {
        match self {
            Self::Snmp(Transport::Tcp) => "an SNMPv3 engine responds over plain TCP".to_owned(),
            Self::Snmp(_) => "an SNMPv3 engine responds over plain UDP".to_owned(),
            Self::Ssh(banner) => format!("an SSH server ({banner}) responds"),
            Self::Tls => "a TLS server responds".to_owned(),
            Self::Dtls => "a DTLS server responds".to_owned(),
            Self::Http => "a web server (HTTP) responds".to_owned(),
            Self::Other(line) => format!("a service whose first line is {line:?} responds"),
            Self::Tcp => "an unknown service accepts TCP connections".to_owned(),
        }
    }
}

/// Detects the service on a TCP port; `None` if the port is closed.
pub(super) fn detect_over_tcp(at: SocketAddr) -> Option<DetectedService> {
    connect(at)?;
    // Each probe uses its own connection, so that the service receives only one protocol on it.
    let probes: [fn(SocketAddr) -> Option<DetectedService>; 4] =
        [detect_greeting, detect_tls, detect_http, detect_snmp_over_tcp];
    let probes = probes.map(|probe| thread::spawn(move || probe(at)));
    let detected = probes.map(|probe| probe.join().ok().flatten());
    Some(detected.into_iter().flatten().next().unwrap_or(DetectedService::Tcp))
}

/// Detects the service on a UDP port; `None` if nothing responds.
pub(super) fn detect_over_udp(at: SocketAddr) -> Option<DetectedService> {
    let snmp = thread::spawn(move || detect_snmp(at, Transport::Udp));
    let dtls = detect_dtls(at);
    snmp.join().ok().flatten().or(dtls)
}

/// Reads the line that a server sends before the client sends anything.
fn detect_greeting(at: SocketAddr) -> Option<DetectedService> {
    let received = exchange(at, &[])?;
    let line = received.split(|octet| *octet == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).trim_end().escape_debug().to_string();
    match line.is_empty() {
        true => None,
        false if line.starts_with("SSH-") => Some(DetectedService::Ssh(line)),
        false => Some(DetectedService::Other(line)),
    }
}

/// Sends a ClientHello of TLS. In a reply by TLS, the first octet is the type of the record and the
/// second is 3.
fn detect_tls(at: SocketAddr) -> Option<DetectedService> {
    let received = exchange(at, &client_hello::tls())?;
    matches!(received.as_slice(), [21 | 22, 3, ..]).then_some(DetectedService::Tls)
}

fn detect_http(at: SocketAddr) -> Option<DetectedService> {
    let received = exchange(at, b"HEAD / HTTP/1.0\r\n\r\n")?;
    received.starts_with(b"HTTP/").then_some(DetectedService::Http)
}

fn detect_snmp_over_tcp(at: SocketAddr) -> Option<DetectedService> {
    detect_snmp(at, Transport::Tcp)
}

/// Performs engine ID discovery, which needs no credentials (RFC 3414 §4).
fn detect_snmp(at: SocketAddr, transport: Transport) -> Option<DetectedService> {
    let prefix = if transport == Transport::Tcp { "tcp" } else { "udp" };
    let address: PeerAddress = format!("{prefix}:{at}").parse().ok()?;
    let options = SessionOptions { retry: RetryPolicy::fixed(PROBE_TIMEOUT, 0), ..SessionOptions::default() };
    let anonymous = Credentials::V3(UsmUser::unauthenticated(&[]));
    let mut client = Client::open(&address, anonymous, &options).ok()?;
    let name = [SYS_UP_TIME.arcs(), &[0]].concat();
    // The request usually fails with a Report, because no user has the empty name.
    let _ = client.request(&Request::read(Operation::Get, [name]));
    client.engine_id().map(|_| DetectedService::Snmp(transport))
}

/// Sends a ClientHello of DTLS. In a reply by DTLS, the first octet is the type of the record and
/// the second is 254.
fn detect_dtls(at: SocketAddr) -> Option<DetectedService> {
    let socket = if at.is_ipv4() {
        UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
    } else {
        UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0))
    };
    let socket = socket.ok()?;
    socket.connect(at).ok()?;
    socket.set_read_timeout(Some(PROBE_TIMEOUT)).ok()?;
    socket.send(&client_hello::dtls()).ok()?;
    let mut reply = [0; 1500];
    let count = socket.recv(&mut reply).ok()?;
    matches!(reply.get(..count), Some([21 | 22, 254, ..])).then_some(DetectedService::Dtls)
}

/// Connects, sends `request` and returns the start of the reply. If `request` is empty, reads up to
/// the first line feed.
fn exchange(at: SocketAddr, request: &[u8]) -> Option<Vec<u8>> {
    let mut stream = connect(at)?;
    stream.write_all(request).ok()?;
    let (start, mut received) = (Instant::now(), Vec::new());
    let mut buffer = [0; MAX_REPLY_LEN];
    while received.len() < MAX_REPLY_LEN && !received.contains(&b'\n') {
        let left = PROBE_TIMEOUT.checked_sub(start.elapsed()).filter(|left| !left.is_zero());
        let Some(left) = left else { break };
        stream.set_read_timeout(Some(left)).ok()?;
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => received.extend_from_slice(buffer.get(..count).unwrap_or_default()),
        }
        if !request.is_empty() {
            break;
        }
    }
    received.truncate(MAX_REPLY_LEN);
    Some(received)
}

fn connect(at: SocketAddr) -> Option<TcpStream> {
    TcpStream::connect_timeout(&at, PROBE_TIMEOUT).ok()
}

/// The time limit for one connection attempt or reply.
const PROBE_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum number of bytes of a reply that are examined.
const MAX_REPLY_LEN: usize = 255;
