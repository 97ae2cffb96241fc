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

use portreeve_sys::{BATCH, Batch, Departures};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::sockopt::set_socket_recv_buffer_size,
};

use crate::poller::Place;

/// The sockets, all non-blocking: as many for IPv4 as for IPv6, where there is IPv6.
pub struct Sockets {
    /// Those for IPv4 first.
    all: Vec<Pooled>,
    batch: Batch,
    /// What leaves next, and by which socket.
    departures: Departures,
    leaving_by: usize,
}

/// A socket, and what is known of it.
struct Pooled {
    socket: UdpSocket,
    /// Whether anything has been sent: else nobody answers there.
    is_used: bool,
    /// Whether it may have something.
    is_ready: bool,
}

impl Sockets {
    /// Binds them, each to a port of the kernel's choice.
    ///
    /// # Errors
    /// Where no socket for IPv4 can be had.
    pub fn open() -> io::Result<Self> {
        let _ = portreeve_sys::raise_descriptor_limit();
        let mut all: Vec<_> =
            (0..COUNT).map(|_| Pooled::bind((Ipv4Addr::UNSPECIFIED, 0).into())).collect::<io::Result<_>>()?;
        let v6 = (0..COUNT).map(|_| Pooled::bind((Ipv6Addr::UNSPECIFIED, 0).into()));
        all.extend(v6.collect::<io::Result<Vec<_>>>().unwrap_or_default());
        Ok(Self { all, batch: Batch::new(LARGEST), departures: Departures::default(), leaving_by: 0 })
    }

    /// Takes a datagram that leaves by [`Self::flush`] or earlier. What cannot leave is as good as lost on its way.
    pub fn send(&mut self, to: Place, message: &[u8]) {
        let index = if to.address.is_ipv4() { to.socket } else { COUNT + to.socket };
        if index != self.leaving_by || self.departures.is_full() {
            self.flush();
            self.leaving_by = index;
        }
        self.departures.push(to.address, message);
    }

    /// Sends what is left to be sent.
    pub fn flush(&mut self) {
        match self.all.get_mut(self.leaving_by) {
            Some(pooled) => {
                self.departures.flush(pooled.socket.as_fd());
                pooled.is_used = true;
            }
            // Nothing reaches IPv6 from here.
            None => self.departures = Departures::default(),
        }
    }

    /// Hands datagrams that [`Self::wait`] has found to `take`, some from each socket in turn.
    pub fn receive(&mut self, mut take: impl FnMut(Place, &mut [u8])) {
        for (index, pooled) in self.all.iter_mut().enumerate().filter(|(_, pooled)| pooled.is_ready) {
            let count = self.batch.receive(pooled.socket.as_fd()).unwrap_or(0);
            // After fewer than there is room for, nothing was left; what has come since is found by waiting.
            pooled.is_ready = count == BATCH;
            for slot in 0..count {
                let Some(received) = self.batch.slot(slot) else { break };
                if let (Some(endpoint), false) = (received.endpoint, received.truncated) {
                    take(Place { socket: index % COUNT, address: endpoint.peer }, received.message);
                }
            }
        }
    }

    /// Waits until `other` can be read, there is something to receive, or the time is up; what can be received is not
    /// looked at before `gathering` has passed.
    ///
    /// # Errors
    /// Those of poll(2).
    pub fn wait(&mut self, other: &impl AsFd, gathering: Duration, patience: Duration) -> io::Result<()> {
        let mut patience = patience;
        if self.all.iter().any(|pooled| pooled.is_ready) {
            patience = Duration::ZERO;
        } else if !gathering.is_zero() {
            wait_for(&mut [PollFd::new(other, PollFlags::IN)], gathering.min(patience))?;
            patience = patience.saturating_sub(gathering);
        }
        let used = || self.all.iter().filter(|pooled| pooled.is_used);
        let mut fds: Vec<_> = used().map(|pooled| PollFd::new(&pooled.socket, PollFlags::IN)).collect();
        fds.push(PollFd::new(other, PollFlags::IN));
        wait_for(&mut fds, patience)?;
        let found: Vec<_> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        let used = self.all.iter_mut().filter(|pooled| pooled.is_used);
        used.zip(found).for_each(|(pooled, found)| pooled.is_ready |= found);
        Ok(())
    }
}

impl Pooled {
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
pub struct Places {
    taken: HashSet<Place>,
}

impl Places {
    /// A free place at `address`, on the first socket that has no target there, so that one call serves many targets;
    /// `None` where every socket has one.
    pub fn at(&mut self, address: SocketAddr) -> Option<Place> {
        let mut all = (0..COUNT).map(|socket| Place { socket, address });
        let free = all.find(|place| !self.taken.contains(place))?;
        self.taken.insert(free);
        Some(free)
    }

    /// Keeps a place that is in use from before; `false` where it has been given away.
    pub fn keep(&mut self, place: Place) -> bool {
        self.taken.insert(place)
    }
}

/// Waits until one of `fds` can be read, a signal comes, or the time is up.
fn wait_for(fds: &mut [PollFd<'_>], patience: Duration) -> io::Result<()> {
    let patience = Timespec::try_from(patience).map_err(|_| ErrorKind::InvalidInput)?;
    match poll(fds, Some(&patience)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Sockets of each family, and so how many targets may share one address.
const COUNT: usize = 8;
/// The longest datagram.
const LARGEST: usize = 65_535;
/// Octets of answers, the kernel's bookkeeping included, that may wait in one socket.
const RECEIVE_BUFFER: usize = 1 << 20;

#[cfg(test)]
mod tests;
