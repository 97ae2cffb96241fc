//! The socket pool: a few unconnected UDP sockets shared by all peers.
//!
//! The socket of a peer is fixed, so a datagram's socket and source address identify at most one
//! peer. Several targets at one address use different sockets.

use std::{
    collections::HashSet,
    io::{self, ErrorKind},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    os::fd::AsFd,
    time::Duration,
};

use portreeve_sys::{BATCH_SIZE, DatagramBatch, Endpoint, SendBatch};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::sockopt::set_socket_recv_buffer_size,
};

use crate::poller::PeerEndpoint;

/// The non-blocking sockets: equal numbers for IPv4 and IPv6, if IPv6 is available.
pub struct SocketPool {
    /// All sockets, those for IPv4 first.
    all: Vec<PooledSocket>,
    batch: DatagramBatch,
    /// The next datagrams to send, all from the same socket.
    departures: SendBatch,
    queued_socket: usize,
}

/// A socket and its state.
struct PooledSocket {
    socket: UdpSocket,
    /// True if the socket has sent a datagram. Otherwise no responses can arrive.
    is_used: bool,
    /// True if the socket may contain datagrams to read.
    is_ready: bool,
}

impl SocketPool {
    /// Binds the sockets to ports chosen by the kernel.
    ///
    /// # Errors
    /// The IPv4 sockets cannot be opened.
    pub fn open() -> io::Result<Self> {
        let _ = portreeve_sys::raise_descriptor_limit();
        let mut all: Vec<_> = (0..SOCKETS_PER_FAMILY)
            .map(|_| PooledSocket::bind((Ipv4Addr::UNSPECIFIED, 0).into()))
            .collect::<io::Result<_>>()?;
        let v6 = (0..SOCKETS_PER_FAMILY).map(|_| PooledSocket::bind((Ipv6Addr::UNSPECIFIED, 0).into()));
        all.extend(v6.collect::<io::Result<Vec<_>>>().unwrap_or_default());
        Ok(Self {
            all,
            batch: DatagramBatch::new(MAX_DATAGRAM_LEN),
            departures: SendBatch::default(),
            queued_socket: 0,
        })
    }

    /// Queues a datagram, sent at the latest by [`Self::flush`]. A datagram that cannot be sent
    /// counts as lost.
    pub fn send(&mut self, to: PeerEndpoint, message: &[u8]) {
        let index = if to.address.is_ipv4() { to.socket } else { SOCKETS_PER_FAMILY + to.socket };
        if index != self.queued_socket || self.departures.is_full() {
            self.flush();
            self.queued_socket = index;
        }
        self.departures.push(Endpoint { peer: to.address, local: None }, message);
    }

    /// Sends all queued datagrams.
    pub fn flush(&mut self) {
        match self.all.get_mut(self.queued_socket) {
            Some(socket_state) => {
                self.departures.flush(socket_state.socket.as_fd());
                socket_state.is_used = true;
            }
            // The socket does not exist, because IPv6 is not available.
            None => self.departures = SendBatch::default(),
        }
    }

    /// Passes datagrams found by [`Self::wait`] to `handle`, a batch from each socket in turn.
    pub fn receive(&mut self, mut handle: impl FnMut(PeerEndpoint, &mut [u8])) {
        for (index, socket_state) in
            self.all.iter_mut().enumerate().filter(|(_, socket_state)| socket_state.is_ready)
        {
            let count = self.batch.receive(socket_state.socket.as_fd()).unwrap_or(0);
            // If fewer datagrams than a full batch are received, the socket is empty.
            socket_state.is_ready = count == BATCH_SIZE;
            for slot in 0..count {
                let Some(received) = self.batch.slot(slot) else { break };
                if let (Some(endpoint), false) = (received.endpoint, received.truncated) {
                    handle(
                        PeerEndpoint { socket: index % SOCKETS_PER_FAMILY, address: endpoint.peer },
                        received.message,
                    );
                }
            }
        }
    }

    /// Waits until `other` is readable, datagrams can be received, or the timeout expires. Does not
    /// look for datagrams before `gather_time` has passed, so that more of them accumulate in the
    /// sockets.
    ///
    /// # Errors
    /// poll(2) failed.
    pub fn wait(&mut self, other: &impl AsFd, gather_time: Duration, timeout: Duration) -> io::Result<()> {
        let mut timeout = timeout;
        if self.all.iter().any(|socket_state| socket_state.is_ready) {
            timeout = Duration::ZERO;
        } else if !gather_time.is_zero() {
            poll_fds(&mut [PollFd::new(other, PollFlags::IN)], gather_time.min(timeout))?;
            timeout = timeout.saturating_sub(gather_time);
        }
        let used = || self.all.iter().filter(|socket_state| socket_state.is_used);
        let mut fds: Vec<_> =
            used().map(|socket_state| PollFd::new(&socket_state.socket, PollFlags::IN)).collect();
        fds.push(PollFd::new(other, PollFlags::IN));
        poll_fds(&mut fds, timeout)?;
        let found: Vec<_> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        let used = self.all.iter_mut().filter(|socket_state| socket_state.is_used);
        used.zip(found).for_each(|(socket_state, found)| socket_state.is_ready |= found);
        Ok(())
    }
}

impl PooledSocket {
    fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        // The kernel may grant less; polling works with any size.
        let _ = set_socket_recv_buffer_size(&socket, RECEIVE_BUFFER);
        Ok(Self { socket, is_used: false, is_ready: false })
    }
}

/// Allocates endpoints to targets, each endpoint once.
#[derive(Default)]
pub struct EndpointAllocator {
    taken: HashSet<PeerEndpoint>,
}

impl EndpointAllocator {
    /// Allocates an endpoint at `address`, on the first socket that has no target at this address.
    /// Most targets then share one socket, so that one system call serves many targets. Returns
    /// `None` if every socket already has a target at this address.
    pub fn allocate(&mut self, address: SocketAddr) -> Option<PeerEndpoint> {
        let mut all = (0..SOCKETS_PER_FAMILY).map(|socket| PeerEndpoint { socket, address });
        let free = all.find(|endpoint| !self.taken.contains(endpoint))?;
        self.taken.insert(free);
        Some(free)
    }

    /// Reserves an endpoint that a target already uses. Returns `false` if it has been allocated to
    /// another target.
    pub fn reserve(&mut self, endpoint: PeerEndpoint) -> bool {
        self.taken.insert(endpoint)
    }
}

/// Waits until one of `fds` is readable, a signal arrives, or the timeout expires.
fn poll_fds(fds: &mut [PollFd<'_>], timeout: Duration) -> io::Result<()> {
    let timeout = Timespec::try_from(timeout).map_err(|_| ErrorKind::InvalidInput)?;
    match poll(fds, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The number of sockets per address family, and therefore the maximum number of targets at one
/// address.
const SOCKETS_PER_FAMILY: usize = 8;
/// The maximum length of a datagram in octets.
const MAX_DATAGRAM_LEN: usize = 65_535;
/// The requested receive buffer of a socket in bytes, including the kernel's overhead.
const RECEIVE_BUFFER: usize = 1 << 20;

#[cfg(test)]
mod tests;
