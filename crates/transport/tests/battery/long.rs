//! Measurements that take long or need a quiet machine, run by `make test-long`.

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{fs, thread};

use portreeve_sys::{clear_realtime_priority, raise_descriptor_limit, release_free_memory};
use portreeve_transport::{Clock, Limits, RunningTransport, bind, run};
use socket2::{Domain, Socket, Type};

use super::dtls::{hello_with_cookie, versions_of};
use super::fixture::{ECHO, EchoHandler, TEST_TIMEOUT, TransportKind, frame};
use super::security::security;
use super::ssh_plaintext::{CURVE25519, PlaintextSsh, kex_init, kex_value, padded};
use super::tls::first_hello;

#[test]
#[ignore = "measurement: make test-long"]
fn review_l3_memory_of_unauthenticated_tcp_sessions_is_limited() {
    measure_memory(TransportKind::Tcp4);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_l3_memory_of_unauthenticated_tls_sessions_is_limited() {
    measure_memory(TransportKind::Tls4);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_l3_memory_of_unauthenticated_ssh_sessions_is_limited() {
    measure_memory(TransportKind::Ssh4);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_l3_memory_of_unauthenticated_dtls_1_2_sessions_is_limited() {
    measure_memory(TransportKind::Dtls4);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_l3_memory_of_unauthenticated_dtls_1_3_sessions_is_limited() {
    measure_memory(TransportKind::Dtls13);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_fairness_udp_delay_is_limited_during_tls_handshakes() {
    measure_delay(TransportKind::Tls4);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_fairness_udp_delay_is_limited_during_ssh_key_exchanges() {
    measure_delay(TransportKind::Ssh4);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_fairness_udp_delay_is_limited_during_dtls_1_2_handshakes() {
    measure_delay(TransportKind::Dtls4);
}

#[test]
#[ignore = "measurement: make test-long"]
fn review_fairness_udp_delay_is_limited_during_dtls_1_3_handshakes() {
    measure_delay(TransportKind::Dtls13);
}

/// Opens many connections that stop in the middle of the handshake, and checks how much the memory
/// of this process grows. The peers' sockets are in the kernel.
fn measure_memory(kind: TransportKind) {
    raise_descriptor_limit().unwrap();
    let server = Server::start(kind);
    // Let the libraries allocate the memory that they never release.
    drop(Attempt::start(kind, server.secure, 0));
    thread::sleep(Duration::from_millis(200));
    release_free_memory();
    let before = resident_bytes();
    let mut peak = before;
    let attempts: Vec<_> = (0..ATTEMPTS)
        .map(|number| {
            let mut attempt = Attempt::start(kind, server.secure, number);
            attempt.send();
            if number % 64 == 0 {
                peak = peak.max(resident_bytes());
            }
            attempt
        })
        .collect();
    thread::sleep(Duration::from_secs(2));
    peak = peak.max(resident_bytes());
    release_free_memory();
    let after = resident_bytes();
    let statistics = server.running.statistics().read();
    let open = statistics.sessions_opened - statistics.closed_evicted;
    let growth = after.saturating_sub(before);
    println!(
        "{kind:?}: {} attempts, {open} sessions open, peak {} KiB, {} KiB in use, {} KiB per session",
        attempts.len(),
        peak.saturating_sub(before) >> 10,
        growth >> 10,
        (growth >> 10) as u64 / open.max(1),
    );
    assert!(peak.saturating_sub(before) < 64 << 20, "{kind:?}: more than 64 MB before authentication");
}

/// Measures how long a UDP exchange takes while many peers start a handshake at once.
fn measure_delay(kind: TransportKind) {
    raise_descriptor_limit().unwrap();
    let server = Server::start(kind);
    let quiet = {
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let probe = scope.spawn(|| probe(server.udp, &is_done));
            thread::sleep(Duration::from_millis(500));
            is_done.store(true, Relaxed);
            probe.join().unwrap()
        })
    };
    let mut busy = Vec::new();
    // The server limits the number of DTLS 1.3 peers that wait for a cookie.
    let burst_size = if kind == TransportKind::Dtls13 { 250 } else { 1000 };
    for burst in 0..BURSTS {
        let mut attempts: Vec<_> = (0..burst_size)
            .map(|number| Attempt::start(kind, server.secure, burst * burst_size + number))
            .collect();
        thread::sleep(Duration::from_millis(100));
        let is_done = AtomicBool::new(false);
        busy.extend(thread::scope(|scope| {
            let probe = scope.spawn(|| probe(server.udp, &is_done));
            thread::sleep(Duration::from_millis(5));
            let attack = scope.spawn(|| {
                // The peers must not have precedence over the server, even if the measurement is
                // started with a real-time priority.
                clear_realtime_priority().unwrap();
                attempts.iter_mut().for_each(Attempt::send);
                // Ignore errors: datagrams may be lost, and then no response arrives.
                let _ = attempts.iter_mut().try_for_each(Attempt::wait_for_response);
            });
            attack.join().unwrap();
            is_done.store(true, Relaxed);
            probe.join().unwrap()
        }));
    }
    let statistics = server.running.statistics().read();
    assert!(statistics.sessions_opened >= burst_size as u64, "{statistics:?}");
    println!("{kind:?}: quiet {}, during handshakes {}", summary(quiet), summary(busy.clone()));
    let delay = percentile(&mut busy, 999);
    assert!(delay < MAX_DELAY, "{kind:?}: {delay:?}");
}

/// Exchanges messages one after the other; returns the duration of each.
fn probe(address: SocketAddr, is_done: &AtomicBool) -> Vec<Duration> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(address).unwrap();
    socket.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    let message = frame(ECHO, b"probe");
    let mut durations = Vec::new();
    while !is_done.load(Relaxed) {
        let start = Instant::now();
        socket.send(&message).unwrap();
        socket.recv(&mut [0; 100]).unwrap();
        durations.push(start.elapsed());
        // Pause, so that the probe itself does not keep the worker busy.
        thread::sleep(Duration::from_micros(100));
    }
    durations
}

fn summary(mut durations: Vec<Duration>) -> String {
    let [median, p99, p999, max] = [500, 990, 999, 1000].map(|at| percentile(&mut durations, at));
    format!("n={} median {median:?} p99 {p99:?} p99.9 {p999:?} max {max:?}", durations.len())
}

/// Returns the duration that `at` of 1000 durations do not exceed: 500 selects the median.
fn percentile(durations: &mut [Duration], at: usize) -> Duration {
    durations.sort_unstable();
    durations[(durations.len() * at / 1000).min(durations.len() - 1)]
}

/// A server for UDP and one secure transport, with one worker.
struct Server {
    running: RunningTransport,
    udp: SocketAddr,
    secure: SocketAddr,
}

impl Server {
    fn start(kind: TransportKind) -> Self {
        let limits = Limits {
            first_message_timeout: Duration::from_secs(120),
            unauthenticated_replies: 0,
            ..Limits::default()
        };
        let listeners = [TransportKind::Udp4.listener(), kind.listener()];
        let bound = bind(&listeners, NonZeroUsize::MIN, &limits).unwrap();
        let [udp, secure] = [0, 1].map(|index| {
            let port = bound.local_addrs()[index].address.port();
            SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
        });
        let running = run(bound, limits, security(), Clock::start(), |_| EchoHandler::default()).unwrap();
        Self { running, udp, secure }
    }
}

/// A peer that sends as much of a handshake as possible without cryptographic operations.
enum Attempt {
    Stream(TcpStream, Cow<'static, [u8]>),
    Datagram(UdpSocket, Vec<u8>),
}

impl Attempt {
    /// Connects from one of many addresses, or obtains a cookie.
    fn start(kind: TransportKind, server: SocketAddr, number: usize) -> Self {
        let [high, low] = u16::try_from(number / 64).unwrap().to_be_bytes();
        let source = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 9, high, low + 1)), 0);
        if kind.is_dtls() {
            let socket = UdpSocket::bind(source).unwrap();
            socket.connect(server).unwrap();
            socket.set_read_timeout(Some(RESPONSE_TIMEOUT)).unwrap();
            let hello = hello_with_cookie(&socket, versions_of(kind));
            return Self::Datagram(socket, hello);
        }
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&source.into()).unwrap();
        socket.connect(&server.into()).unwrap();
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT)).unwrap();
        let octets = match kind {
            TransportKind::Tls4 => first_hello().into(),
            TransportKind::Ssh4 => {
                let mut peer = PlaintextSsh::connect_to(stream.try_clone().unwrap());
                peer.packet().expect("the server's algorithms");
                [padded(&kex_init(CURVE25519)), padded(&kex_value(&[9; 32]))].concat().into()
            }
            // A message of 65 000 octets whose end is missing.
            _ => (&INCOMPLETE_MESSAGE).into(),
        };
        Self::Stream(stream, octets)
    }

    fn send(&mut self) {
        // The server may have evicted the connection.
        let _ = match self {
            Self::Stream(stream, octets) => stream.write_all(octets),
            Self::Datagram(socket, hello) => socket.send(hello).map(drop),
        };
    }

    /// Waits until the server has sent its part of the handshake.
    fn wait_for_response(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream, _) => stream.read(&mut [0; 4096]).map(drop),
            Self::Datagram(socket, _) => socket.recv(&mut [0; 4096]).map(drop),
        }
    }
}

/// Returns the resident memory of this process.
fn resident_bytes() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// The beginning of a message that announces 65 000 octets.
static INCOMPLETE_MESSAGE: [u8; 64_000] = {
    let mut octets = [1; 64_000];
    [octets[0], octets[1], octets[2], octets[3]] = [0x30, 0x82, 0xfd, 0xe8];
    octets
};

const ATTEMPTS: usize = 8192;
const BURSTS: usize = 4;
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum delay of the slowest of a thousand UDP exchanges.
const MAX_DELAY: Duration = Duration::from_millis(5);
