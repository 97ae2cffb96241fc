//! Which protocol a port speaks, found out by saying little.

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

/// What answers at a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DetectedService {
    /// SNMPv3 in clear.
    Snmp(Transport),
    /// SSH, with its first line.
    Ssh(String),
    /// TLS.
    Tls,
    /// DTLS.
    Dtls,
    /// HTTP in clear.
    Http,
    /// Something that says this first.
    Other(String),
    /// It takes connections, and what it speaks is not plain.
    Tcp,
}

impl DetectedService {
    /// Whether that is what `transport` means.
    pub(super) fn matches_transport(&self, transport: Transport) -> bool {
        match self {
            Self::Snmp(spoken) => *spoken == transport,
            Self::Ssh(_) => transport == Transport::Ssh,
            Self::Tls => transport == Transport::Tls,
            Self::Dtls => transport == Transport::Dtls,
            Self::Tcp => true,
            Self::Http | Self::Other(_) => false,
        }
    }

    /// For people.
    pub(super) fn describe_at(&self, at: SocketAddr) -> String {
        format!("{} at {at}", self.description())
    }

    /// How to ask there, if that is SNMP.
    pub(super) fn address_hint(&self, at: SocketAddr) -> Option<String> {
        let prefix = match self {
            Self::Snmp(Transport::Tcp) => "tcp",
            Self::Snmp(_) => "udp",
            Self::Ssh(_) => "ssh",
            Self::Tls => "tls",
            Self::Dtls => "dtls",
            Self::Http | Self::Other(_) | Self::Tcp => return None,
        };
        Some(format!("ask there as {prefix}:{at}"))
    }

    fn description(&self) -> String {
        match self {
            Self::Snmp(Transport::Tcp) => "SNMPv3 answers over TCP in clear".to_owned(),
            Self::Snmp(_) => "SNMPv3 answers over UDP in clear".to_owned(),
            Self::Ssh(banner) => format!("an SSH server ({banner}) answers"),
            Self::Tls => "a TLS server answers".to_owned(),
            Self::Dtls => "a DTLS server answers".to_owned(),
            Self::Http => "a web server (HTTP) answers".to_owned(),
            Self::Other(line) => format!("something answers that begins with {line:?}"),
            Self::Tcp => "something takes TCP connections".to_owned(),
        }
    }
}

/// What speaks at a port of TCP's, if it is open.
pub(super) fn detect_over_tcp(at: SocketAddr) -> Option<DetectedService> {
    connect(at)?;
    // Each in a connection of its own, so that none is confused by what another has said.
    let looks: [fn(SocketAddr) -> Option<DetectedService>; 4] =
        [detect_greeting, detect_tls, detect_http, detect_snmp_over_tcp];
    let looks = looks.map(|look| thread::spawn(move || look(at)));
    let seen = looks.map(|look| look.join().ok().flatten());
    Some(seen.into_iter().flatten().next().unwrap_or(DetectedService::Tcp))
}

/// What speaks at a port of UDP's.
pub(super) fn detect_over_udp(at: SocketAddr) -> Option<DetectedService> {
    let clear = thread::spawn(move || detect_snmp(at, Transport::Udp));
    let sealed = detect_dtls(at);
    clear.join().ok().flatten().or(sealed)
}

/// What it says unasked.
fn detect_greeting(at: SocketAddr) -> Option<DetectedService> {
    let said = exchange(at, &[])?;
    let line = said.split(|octet| *octet == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).trim_end().escape_debug().to_string();
    match line.is_empty() {
        true => None,
        false if line.starts_with("SSH-") => Some(DetectedService::Ssh(line)),
        false => Some(DetectedService::Other(line)),
    }
}

/// Records of TLS begin with their type and a 3.
fn detect_tls(at: SocketAddr) -> Option<DetectedService> {
    let said = exchange(at, &client_hello::tls())?;
    matches!(said.as_slice(), [21 | 22, 3, ..]).then_some(DetectedService::Tls)
}

fn detect_http(at: SocketAddr) -> Option<DetectedService> {
    let said = exchange(at, b"HEAD / HTTP/1.0\r\n\r\n")?;
    said.starts_with(b"HTTP/").then_some(DetectedService::Http)
}

fn detect_snmp_over_tcp(at: SocketAddr) -> Option<DetectedService> {
    detect_snmp(at, Transport::Tcp)
}

/// Whether an engine tells its identifier, for which nobody needs to be anybody (RFC 3414 §4).
fn detect_snmp(at: SocketAddr, transport: Transport) -> Option<DetectedService> {
    let word = if transport == Transport::Tcp { "tcp" } else { "udp" };
    let address: PeerAddress = format!("{word}:{at}").parse().ok()?;
    let options = SessionOptions { retry: RetryPolicy::fixed(PROBE_TIMEOUT, 0), ..SessionOptions::default() };
    let stranger = Credentials::V3(UsmUser::unauthenticated(&[]));
    let mut client = Client::open(&address, stranger, &options).ok()?;
    let name = [SYS_UP_TIME.arcs(), &[0]].concat();
    // As a rule a Report: nobody is known by no name.
    let _ = client.request(&Request::read(Operation::Get, [name]));
    client.engine_id().map(|_| DetectedService::Snmp(transport))
}

/// Records of DTLS begin with their type and a 254.
fn detect_dtls(at: SocketAddr) -> Option<DetectedService> {
    let own = if at.is_ipv4() {
        UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
    } else {
        UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0))
    };
    let socket = own.ok()?;
    socket.connect(at).ok()?;
    socket.set_read_timeout(Some(PROBE_TIMEOUT)).ok()?;
    socket.send(&client_hello::dtls()).ok()?;
    let mut answer = [0; 1500];
    let count = socket.recv(&mut answer).ok()?;
    matches!(answer.get(..count), Some([21 | 22, 254, ..])).then_some(DetectedService::Dtls)
}

/// Says something, and takes what comes first.
fn exchange(at: SocketAddr, words: &[u8]) -> Option<Vec<u8>> {
    let mut stream = connect(at)?;
    stream.write_all(words).ok()?;
    let (begun, mut said) = (Instant::now(), Vec::new());
    let mut buffer = [0; MAX_REPLY_LEN];
    while said.len() < MAX_REPLY_LEN && !said.contains(&b'\n') {
        let left = PROBE_TIMEOUT.checked_sub(begun.elapsed()).filter(|left| !left.is_zero());
        let Some(left) = left else { break };
        stream.set_read_timeout(Some(left)).ok()?;
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => said.extend_from_slice(buffer.get(..count).unwrap_or_default()),
        }
        if !words.is_empty() {
            break;
        }
    }
    said.truncate(MAX_REPLY_LEN);
    Some(said)
}

fn connect(at: SocketAddr) -> Option<TcpStream> {
    TcpStream::connect_timeout(&at, PROBE_TIMEOUT).ok()
}

/// For one answer.
const PROBE_TIMEOUT: Duration = Duration::from_millis(500);
/// Octets of an answer that are looked at.
const MAX_REPLY_LEN: usize = 255;
