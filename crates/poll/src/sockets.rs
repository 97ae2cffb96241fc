//! The pool: a few unconnected UDP sockets that all peers share.
//!
//! Which of them a peer uses is fixed, so that a datagram's socket and source address name at most one peer; several
//! targets at one address are on different sockets.

use std::{
    collections::HashSet,
    io::{self, ErrorKind},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    os::fd::AsFd,
    time::Duration,
};

use portreeve_sys::{BATCH_SIZE, DatagramBatch, SendBatch};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::sockopt::set_socket_recv_buffer_size,
};

use crate::poller::PeerEndpoint;

/// The sockets, all non-blocking: as many for IPv4 as for IPv6, where there is IPv6.
pub struct SocketPool {
    /// Those for IPv4 first.
    all: Vec<PooledSocket>,
    batch: DatagramBatch,
    /// What leaves next, and by which socket.
    departures: SendBatch,
    queued_socket: usize,
}

/// A socket, and what is known of it.
struct PooledSocket {
    socket: UdpSocket,
    /// Whether anything has been sent: else nobody answers there.
    is_used: bool,
    /// Whether it may have something.
    is_ready: bool,
}

impl SocketPool {
    /// Binds them, each to a port of the kernel's choice.
    ///
    /// # Errors
    /// Where no socket for IPv4 can be had.
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

    /// Takes a datagram that leaves by [`Self::flush`] or earlier. What cannot leave is as good as lost on its way.
    pub fn send(&mut self, to: PeerEndpoint, message: &[u8]) {
        let index = if to.address.is_ipv4() { to.socket } else { SOCKETS_PER_FAMILY + to.socket };
        if index != self.queued_socket || self.departures.is_full() {
            self.flush();
            self.queued_socket = index;
        }
        self.departures.push(to.address, message);
    }

    /// Sends what is left to be sent.
    pub fn flush(&mut self) {
        match self.all.get_mut(self.queued_socket) {
            Some(socket_state) => {
                self.departures.flush(socket_state.socket.as_fd());
                socket_state.is_used = true;
            }
            // Nothing reaches IPv6 from here.
            None => self.departures = SendBatch::default(),
        }
    }

    /// Hands datagrams that [`Self::wait`] has found to `handle`, some from each socket in turn.
    pub fn receive(&mut self, mut handle: impl FnMut(PeerEndpoint, &mut [u8])) {
        for (index, socket_state) in
            self.all.iter_mut().enumerate().filter(|(_, socket_state)| socket_state.is_ready)
        {
            let count = self.batch.receive(socket_state.socket.as_fd()).unwrap_or(0);
            // After fewer than there is room for, nothing was left; what has come since is found by waiting.
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

    /// Waits until `other` can be read, there is something to receive, or the time is up; what can be received is not
    /// looked at before `gather_time` has passed.
    ///
    /// # Errors
    /// Those of poll(2).
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
        // The kernel grants what it allows; less is no reason not to poll.
        let _ = set_socket_recv_buffer_size(&socket, RECEIVE_BUFFER);
        Ok(Self { socket, is_used: false, is_ready: false })
    }
}

/// Gives out places, each once.
#[derive(Default)]
pub struct EndpointAllocator {
    taken: HashSet<PeerEndpoint>,
}

impl EndpointAllocator {
    /// A free place at `address`, on the first socket that has no target there, so that one call serves many targets;
    /// `None` where every socket has one.
    pub fn allocate(&mut self, address: SocketAddr) -> Option<PeerEndpoint> {
        let mut all = (0..SOCKETS_PER_FAMILY).map(|socket| PeerEndpoint { socket, address });
        let free = all.find(|endpoint| !self.taken.contains(endpoint))?;
        self.taken.insert(free);
        Some(free)
    }

    /// Keeps a place that is in use from before; `false` where it has been given away.
    pub fn reserve(&mut self, endpoint: PeerEndpoint) -> bool {
        self.taken.insert(endpoint)
    }
}

/// Waits until one of `fds` can be read, a signal comes, or the time is up.
fn poll_fds(fds: &mut [PollFd<'_>], timeout: Duration) -> io::Result<()> {
    let timeout = Timespec::try_from(timeout).map_err(|_| ErrorKind::InvalidInput)?;
    match poll(fds, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Sockets of each family, and so how many targets may share one address.
const SOCKETS_PER_FAMILY: usize = 8;
/// The longest datagram.
const MAX_DATAGRAM_LEN: usize = 65_535;
/// Octets of answers, the kernel's bookkeeping included, that may wait in one socket.
const RECEIVE_BUFFER: usize = 1 << 20;

#[cfg(test)]
mod tests;
