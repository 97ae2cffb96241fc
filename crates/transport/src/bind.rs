//! Binding: every socket of every worker, before any thread starts, so that a failure is one clear message.

use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::{fmt, io};

use portreeve_smi::TransportDomain;
use portreeve_sys::enable_local_address;
use socket2::{Domain, SockAddr, Socket, Type};

use crate::limits::Limits;
use crate::listener::{Listener, Protocol};
use crate::relay::{AccountPolicy, RelayBindError, RelayListener, SocketFile};

/// Binds all `listeners` for `workers` worker threads.
///
/// # Errors
/// The first listener that cannot be bound, and why. Sockets bound before it are closed again.
pub fn bind(
    listeners: &[Listener],
    workers: NonZeroUsize,
    limits: &Limits,
) -> Result<BoundListeners, BindError> {
    let mut bound = BoundListeners {
        listeners: Vec::with_capacity(listeners.len()),
        worker_sockets: (0..workers.get()).map(|_| WorkerSockets::default()).collect(),
        socket_files: Vec::new(),
    };
    for (number, &listener) in listeners.iter().enumerate() {
        let actual = match listener.protocol {
            Protocol::Udp | Protocol::Dtls => bind_udp(number, listener, &mut bound.worker_sockets, limits),
            Protocol::Tcp | Protocol::Tls | Protocol::Ssh => {
                bind_tcp(number, listener, &mut bound.worker_sockets)
            }
        };
        let address = actual.map_err(|source| BindError { listener, source })?;
        bound.listeners.push(Listener { address, ..listener });
    }
    Ok(bound)
}

/// Whether this machine has addresses of the family: a kernel may be started without IPv6.
#[must_use]
pub fn supports_address_family(address: SocketAddr) -> bool {
    Socket::new(Domain::for_address(address), Type::DGRAM, None).is_ok()
}

/// Sockets that are bound but not served yet.
#[derive(Debug)]
pub struct BoundListeners {
    listeners: Vec<Listener>,
    worker_sockets: Vec<WorkerSockets>,
    /// Sockets that have a name in the file system.
    socket_files: Vec<SocketFile>,
}

impl BoundListeners {
    /// Binds the socket for relays of sshd's subsystem; in [`Source::listener`](crate::Source::listener) it counts after
    /// all others.
    ///
    /// # Errors
    /// Why it cannot be bound; nothing has changed then.
    pub fn bind_relay(&mut self, relay: &RelayListener) -> Result<(), RelayBindError> {
        let refused = |cause| RelayBindError { path: relay.path.clone(), cause };
        let (listener, file, policy) = relay.bind()?;
        let number = self.listeners.len() + self.socket_files.len();
        let policy = Arc::new(policy);
        for share in &mut self.worker_sockets {
            let listener = listener.try_clone().map_err(refused)?;
            share.relays.push((number, Arc::clone(&policy), listener));
        }
        self.socket_files.push(file);
        Ok(())
    }

    /// What was bound, in the order asked for, with the ports that were found for port 0.
    #[must_use]
    pub fn local_addrs(&self) -> &[Listener] {
        &self.listeners
    }

    pub(crate) fn into_parts(self) -> (Vec<WorkerSockets>, Vec<SocketFile>) {
        (self.worker_sockets, self.socket_files)
    }
}

/// One worker's part of the sockets, each with the number of its listener.
#[derive(Debug, Default)]
pub(crate) struct WorkerSockets {
    /// Sockets of its own; the kernel spreads peers over the workers by address and port.
    pub(crate) udp: Vec<(usize, UdpSocket)>,
    /// The same for DTLS, so that all that a peer sends comes to the worker that knows it.
    pub(crate) dtls: Vec<(usize, UdpSocket)>,
    /// Listening sockets shared by all workers: whoever is free accepts.
    pub(crate) tcp: Vec<(usize, Listener, TcpListener)>,
    /// The same for relays, with whoever judges them.
    pub(crate) relays: Vec<(usize, Arc<AccountPolicy>, UnixListener)>,
}

/// A listener that could not be bound. Its message names the listener and what helps.
#[derive(Debug)]
pub struct BindError {
    /// Which one.
    pub listener: Listener,
    /// Why not.
    pub source: io::Error,
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { listener, source } = self;
        write!(f, "cannot listen on {listener}: {source}")?;
        match source.kind() {
            io::ErrorKind::PermissionDenied => f.write_str(
                "; ports below 1024 need the capability CAP_NET_BIND_SERVICE (systemd: AmbientCapabilities=, by \
                 hand: setcap cap_net_bind_service+ep on the program), or choose a higher port",
            ),
            io::ErrorKind::AddrInUse => {
                let datagrams = TransportDomain::from(listener.protocol).is_datagram();
                let flag = if datagrams { 'u' } else { 't' };
                let port = listener.address.port();
                write!(f, "; `ss -{flag}lnp sport = :{port}` shows who has it")
            }
            io::ErrorKind::AddrNotAvailable => f.write_str("; no interface of this host has that address"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for BindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// One socket per worker on one port. The first is bound alone, so that a port in use by others is noticed, and
/// opened to its siblings only then.
fn bind_udp(
    number: usize,
    settings: Listener,
    shares: &mut [WorkerSockets],
    limits: &Limits,
) -> io::Result<SocketAddr> {
    let mut actual = settings.address;
    for (index, share) in shares.iter_mut().enumerate() {
        let socket = new_socket(actual, Type::DGRAM)?;
        socket.set_recv_buffer_size(limits.udp_receive_buffer)?;
        if actual.ip().is_unspecified() {
            // A socket bound to one address answers from it anyway, and each telling costs time.
            enable_local_address(socket.as_fd(), actual)?;
        }
        if index > 0 {
            socket.set_reuse_port(true)?;
        }
        socket.bind(&SockAddr::from(actual))?;
        socket.set_reuse_port(true)?;
        let socket = UdpSocket::from(socket);
        actual = socket.local_addr()?;
        match settings.protocol {
            Protocol::Dtls => share.dtls.push((number, socket)),
            _ => share.udp.push((number, socket)),
        }
    }
    Ok(actual)
}

/// One listening socket that all workers hold.
fn bind_tcp(number: usize, settings: Listener, shares: &mut [WorkerSockets]) -> io::Result<SocketAddr> {
    let address = settings.address;
    let socket = new_socket(address, Type::STREAM)?;
    socket.set_reuse_address(true)?;
    socket.bind(&SockAddr::from(address))?;
    socket.listen(BACKLOG)?;
    let listener = TcpListener::from(socket);
    for share in shares {
        share.tcp.push((number, settings, listener.try_clone()?));
    }
    listener.local_addr()
}

fn new_socket(address: SocketAddr, kind: Type) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), kind, None)?;
    socket.set_nonblocking(true)?;
    if address.is_ipv6() {
        // One listener is one family, so that 0.0.0.0 and [::] can stand side by side.
        socket.set_only_v6(true)?;
    }
    Ok(socket)
}

/// Connections the kernel holds while we are busy; lowered to net.core.somaxconn.
const BACKLOG: i32 = 1024;

#[cfg(test)]
mod tests;
