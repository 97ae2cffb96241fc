//! Topologies, servers and clients for the tests.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portreeve_lab_net::{Cleaner, NetError, Pair, Place, Topology};

pub(crate) const HELPER: &str = env!("CARGO_BIN_EXE_portreeve-lab-net-helper");

/// Starts a clean-up process.
pub(crate) fn cleaner() -> Cleaner {
    let mut command = Command::new(HELPER);
    command.arg("clean-up");
    Cleaner::start(command).unwrap()
}

/// Creates an isolated topology, or prints that the test is skipped.
pub(crate) fn isolated() -> Option<(Topology, Cleaner)> {
    let cleaner = cleaner();
    if !rustix::process::geteuid().is_root() {
        let error = Topology::isolated(&cleaner).err().unwrap();
        assert!(error.is_unavailable(), "{error}");
        println!("skipped: not root: {error}");
        return None;
    }
    Some((Topology::isolated(&cleaner).unwrap(), cleaner))
}

/// Creates a pair of namespaces, or prints that the test is skipped.
pub(crate) fn pair() -> Option<(Pair, Cleaner)> {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: not root");
        return None;
    }
    let cleaner = cleaner();
    Some((Pair::new(&cleaner).unwrap(), cleaner))
}

/// Returns a value, or prints that the test is skipped because this machine cannot produce it.
pub(crate) fn available<T>(result: Result<T, NetError>) -> Option<T> {
    match result {
        Err(error) if error.is_unavailable() => {
            println!("skipped: {error}");
            None
        }
        result => Some(result.unwrap()),
    }
}

/// A UDP server that echoes each datagram, except one of length 0, which ends it.
pub(crate) struct Echo {
    pub(crate) address: SocketAddr,
    thread: Option<JoinHandle<usize>>,
    socket: UdpSocket,
}

impl Echo {
    pub(crate) fn start(place: &Place, address: IpAddr) -> Self {
        let server = place.run(|| UdpSocket::bind((address, 0)).unwrap()).unwrap();
        enlarge_buffer(&server);
        let (address, socket) = (server.local_addr().unwrap(), server.try_clone().unwrap());
        let thread = thread::spawn(move || {
            let (mut buffer, mut number) = ([0; 65_536], 0);
            loop {
                let (length, peer) = server.recv_from(&mut buffer).unwrap();
                if length == 0 {
                    return number;
                }
                number += 1;
                server.send_to(&buffer[..length], peer).unwrap();
            }
        });
        Self { address, thread: Some(thread), socket }
    }

    /// Ends the server and returns the number of datagrams that it has received.
    pub(crate) fn stop(mut self) -> usize {
        self.end()
    }

    fn end(&mut self) -> usize {
        // A socket can send to itself without the link.
        self.thread.take().map_or(0, |thread| {
            self.socket.send_to(&[], self.address).unwrap();
            thread.join().unwrap()
        })
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.end();
        }
    }
}

/// A socket of a client, connected to an address, with a timeout.
pub(crate) fn client(place: &Place, server: SocketAddr) -> UdpSocket {
    let any: IpAddr = if server.is_ipv4() { [0; 4].into() } else { [0; 16].into() };
    let socket = place.run(|| UdpSocket::bind((any, 0)).unwrap()).unwrap();
    enlarge_buffer(&socket);
    socket.connect(server).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    socket
}

/// Sends a datagram and waits for its echo; returns the time.
pub(crate) fn round_trip(socket: &UdpSocket, datagram: &[u8]) -> Duration {
    let started = Instant::now();
    socket.send(datagram).unwrap();
    let mut buffer = [0; 65_536];
    let length = socket.recv(&mut buffer).unwrap();
    assert_eq!(&buffer[..length], datagram);
    started.elapsed()
}

/// Sends `length` octets over TCP from the manager to the agent, waits until the agent has closed
/// the connection, and returns the agent's port and the time.
pub(crate) fn transfer(topology: &Topology, length: usize) -> (u16, Duration) {
    let address = topology.agent_v4();
    let listener = topology.agent().run(|| TcpListener::bind((address, 0)).unwrap()).unwrap();
    let server = listener.local_addr().unwrap();
    let receiver = thread::spawn(move || {
        let mut received = Vec::new();
        listener.accept().unwrap().0.read_to_end(&mut received).unwrap();
        received.len()
    });
    let started = Instant::now();
    topology
        .manager()
        .run(|| {
            let mut stream = TcpStream::connect(server).unwrap();
            stream.write_all(&vec![7; length]).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            assert_eq!(stream.read(&mut [0]).unwrap(), 0);
        })
        .unwrap();
    assert_eq!(receiver.join().unwrap(), length);
    (server.port(), started.elapsed())
}

/// Sends `number` datagrams of one octet and returns the number of echoes.
pub(crate) fn count_echoes(socket: &UdpSocket, number: usize) -> usize {
    for _ in 0..number {
        socket.send(&[7]).unwrap();
    }
    socket.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let is_end = |error: &io::Error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
    let mut received = 0;
    loop {
        match socket.recv(&mut [0; 16]) {
            Ok(_) => received += 1,
            Err(error) if is_end(&error) => return received,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Makes room for thousands of datagrams, so that only the link loses some.
fn enlarge_buffer(socket: &UdpSocket) {
    // Without root, the usual size is enough for the tests on loopback.
    let _ = rustix::net::sockopt::set_socket_recv_buffer_size_force(socket, 32 << 20);
}

/// Waits until a condition holds.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}
