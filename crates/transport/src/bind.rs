//! Binds every socket of every worker before any thread starts, so that a failure is one clear
//! error.

use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io, mem};

use portreeve_smi::TransportDomain;
use portreeve_sys::enable_local_address;
use socket2::{Domain, SockAddr, Socket, TcpKeepalive, Type};

use crate::limits::Limits;
use crate::listener::{Listener, Protocol};
use crate::relay::{AccountPolicy, RelayBindError, RelayListener, SocketFile};
use crate::services::ServiceTable;

/// Binds all `listeners` for `workers` worker threads.
///
/// # Errors
/// Returns the first listener that cannot be bound, and the cause. Sockets that were already bound
/// are closed.
pub fn bind(
    listeners: &[Listener],
    workers: NonZeroUsize,
    limits: &Limits,
) -> Result<BoundListeners, BindError> {
    let mut bound = BoundListeners {
        listeners: Vec::with_capacity(listeners.len()),
        worker_sockets: (0..workers.get()).map(|_| WorkerSockets::default()).collect(),
        services: Vec::new(),
        socket_files: Vec::new(),
    };
    for (listener_index, &listener) in listeners.iter().enumerate() {
        let address = match listener.protocol {
            Protocol::Udp | Protocol::Dtls => {
                bind_udp(listener_index, listener, &mut bound.worker_sockets, limits)
            }
            Protocol::Tcp | Protocol::Tls | Protocol::Ssh => {
                bind_tcp(listener_index, listener, &mut bound.worker_sockets)
            }
        };
        let address = address.map_err(|source| BindError { listener, source })?;
        bound.listeners.push(Listener { address, ..listener });
        bound.services.push(ServiceTable::default());
    }
    Ok(bound)
}

/// Returns whether the kernel supports the address family; for example, a kernel may be started
/// without IPv6.
#[must_use]
pub fn supports_address_family(address: SocketAddr) -> bool {
    Socket::new(Domain::for_address(address), Type::DGRAM, None).is_ok()
}

/// Sockets that are bound but not served yet.
#[derive(Debug)]
pub struct BoundListeners {
    listeners: Vec<Listener>,
    worker_sockets: Vec<WorkerSockets>,
    /// The services of each listener, including the relay sockets.
    services: Vec<ServiceTable>,
    /// The socket files, which are removed when this value is dropped.
    socket_files: Vec<SocketFile>,
}

impl BoundListeners {
    /// Binds the socket for relays of sshd's subsystem. Its index in
    /// [`MessageSource::listener`](crate::MessageSource::listener) follows the indexes of the other
    /// listeners.
    ///
    /// # Errors
    /// The reason why the socket cannot be bound. Then no worker has the socket.
    pub fn bind_relay(&mut self, relay: &RelayListener) -> Result<(), RelayBindError> {
        let (listener, file, policy) = relay.bind()?;
        self.add_relay(policy, || listener.try_clone())
            .map_err(|cause| RelayBindError { path: relay.path.clone(), cause })?;
        self.socket_files.push(file);
        Ok(())
    }

    /// Adds a socket from `clone_listener` to each worker, or to none if one cannot be cloned.
    fn add_relay(
        &mut self,
        policy: AccountPolicy,
        mut clone_listener: impl FnMut() -> io::Result<UnixListener>,
    ) -> io::Result<()> {
        let listener_index = self.services.len();
        let policy = Arc::new(policy);
        let clones = self.worker_sockets.iter().map(|_| clone_listener()).collect::<io::Result<Vec<_>>>()?;
        for (sockets, listener) in self.worker_sockets.iter_mut().zip(clones) {
            sockets.relays.push((listener_index, Arc::clone(&policy), listener));
        }
        self.services.push(ServiceTable::default());
        Ok(())
    }

    /// Gives the UDP sockets workers of their own, as many as those that serve sessions as well.
    ///
    /// Otherwise a datagram waits while its worker serves sessions, and the kernel lets a worker
    /// that has used its share of a core wait for other processes.
    pub fn separate_udp(&mut self) {
        let is_mixed = |sockets: &&mut WorkerSockets| !sockets.udp.is_empty() && sockets.serves_sessions();
        let mixed = self.worker_sockets.iter_mut().filter(is_mixed);
        let separated: Vec<_> = mixed
            .map(|sockets| WorkerSockets { udp: mem::take(&mut sockets.udp), ..WorkerSockets::default() })
            .collect();
        self.worker_sockets.extend(separated);
    }

    /// Returns the number of workers.
    #[must_use]
    pub fn worker_count(&self) -> usize {
        self.worker_sockets.len()
    }

    /// Returns the bound listeners in the order of the request, with the actual ports in place of
    /// port 0.
    #[must_use]
    pub fn local_addrs(&self) -> &[Listener] {
        &self.listeners
    }

    /// Replaces the services of the listener with this index, which are SNMP only by default.
    /// Listeners for datagrams serve SNMP only.
    pub fn set_services(&mut self, listener: usize, services: ServiceTable) {
        if let Some(own) = self.services.get_mut(listener) {
            *own = services;
        }
    }

    pub(crate) fn into_parts(self) -> (Vec<WorkerSockets>, Vec<ServiceTable>, Vec<SocketFile>) {
        (self.worker_sockets, self.services, self.socket_files)
    }
}

/// The sockets of one worker, each with the index of its listener.
#[derive(Debug, Default)]
pub(crate) struct WorkerSockets {
    /// UDP sockets of this worker only; the kernel distributes peers over the workers by address
    /// and port.
    pub(crate) udp: Vec<(usize, UdpSocket)>,
    /// DTLS sockets of this worker only, so that all datagrams of a peer are received by the worker
    /// with its session.
    pub(crate) dtls: Vec<(usize, UdpSocket)>,
    /// Listening sockets shared by all workers: any idle worker accepts a new connection.
    pub(crate) tcp: Vec<(usize, Listener, TcpListener)>,
    /// Unix sockets for relays, shared by all workers, with their account policy.
    pub(crate) relays: Vec<(usize, Arc<AccountPolicy>, UnixListener)>,
}

impl WorkerSockets {
    fn serves_sessions(&self) -> bool {
        !(self.dtls.is_empty() && self.tcp.is_empty() && self.relays.is_empty())
    }
}

/// A listener that could not be bound. The error text contains the listener and a hint.
#[derive(Debug)]
pub struct BindError {
    /// The listener that could not be bound.
    pub listener: Listener,
    /// The error of the system call.
    pub source: io::Error,
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { listener, source } = self;
        write!(f, "cannot listen on {listener}: {source}")?;
        match source.kind() {
            io::ErrorKind::PermissionDenied => f.write_str(
                "; ports below 1024 need the capability CAP_NET_BIND_SERVICE (systemd: AmbientCapabilities=; \
                 manually: `setcap cap_net_bind_service+ep PROGRAM`), or choose a higher port",
            ),
            io::ErrorKind::AddrInUse => {
                let datagrams = TransportDomain::from(listener.protocol).is_datagram();
                let flag = if datagrams { 'u' } else { 't' };
                let port = listener.address.port();
                write!(f, "; run `ss -{flag}lnp sport = :{port}` to see which process uses it")
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

/// Binds one socket per worker to one port. The first is bound without SO_REUSEPORT, so that a port
/// used by another process is detected. The option is set afterwards, so that the other sockets can
/// be bound.
fn bind_udp(
    listener_index: usize,
    settings: Listener,
    worker_sockets: &mut [WorkerSockets],
    limits: &Limits,
) -> io::Result<SocketAddr> {
    let mut address = settings.address;
    for (index, sockets) in worker_sockets.iter_mut().enumerate() {
        let socket = new_socket(address, Type::DGRAM)?;
        socket.set_recv_buffer_size(limits.udp_receive_buffer)?;
        if address.ip().is_unspecified() {
            // Needed only for a socket that receives on all addresses: control messages then select
            // the address of a reply. A socket bound to one address always replies from that
            // address.
            enable_local_address(socket.as_fd(), address)?;
        }
        if index > 0 {
            socket.set_reuse_port(true)?;
        }
        socket.bind(&SockAddr::from(address))?;
        socket.set_reuse_port(true)?;
        let socket = UdpSocket::from(socket);
        address = socket.local_addr()?;
        match settings.protocol {
            Protocol::Dtls => sockets.dtls.push((listener_index, socket)),
            _ => sockets.udp.push((listener_index, socket)),
        }
    }
    Ok(address)
}

/// Binds one listening socket that all workers share.
fn bind_tcp(
    listener_index: usize,
    settings: Listener,
    worker_sockets: &mut [WorkerSockets],
) -> io::Result<SocketAddr> {
    let address = settings.address;
    let socket = new_socket(address, Type::STREAM)?;
    socket.set_reuse_address(true)?;
    socket.bind(&SockAddr::from(address))?;
    socket.listen(BACKLOG)?;
    if settings.protocol == Protocol::Ssh {
        // Accepted sockets inherit the option.
        socket.set_tcp_keepalive(&keepalive())?;
    }
    let listener = TcpListener::from(socket);
    for sockets in worker_sockets {
        sockets.tcp.push((listener_index, settings, listener.try_clone()?));
    }
    listener.local_addr()
}

/// Returns the settings with which the kernel closes the connection of a peer that has vanished,
/// within two minutes. Sessions of some services may be idle for any time.
fn keepalive() -> TcpKeepalive {
    TcpKeepalive::new()
        .with_time(Duration::from_secs(60))
        .with_interval(Duration::from_secs(15))
        .with_retries(4)
}

fn new_socket(address: SocketAddr, kind: Type) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), kind, None)?;
    socket.set_nonblocking(true)?;
    if address.is_ipv6() {
        // Each listener serves one address family, so that 0.0.0.0 and [::] can be bound side by
        // side.
        socket.set_only_v6(true)?;
    }
    Ok(socket)
}

/// The number of connections that the kernel queues until they are accepted; limited by
/// net.core.somaxconn.
const BACKLOG: i32 = 1024;

#[cfg(test)]
mod tests;
