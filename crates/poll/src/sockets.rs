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

use portreeve_sys::{BATCH, Batch, Endpoint, send_to};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

use crate::poller::Place;

/// The sockets, all non-blocking: as many for IPv4 as for IPv6, where there is IPv6.
pub struct Sockets {
    v4: Vec<UdpSocket>,
    v6: Vec<UdpSocket>,
    batch: Batch,
    /// Which of both families' sockets, v4 first, may have something.
    ready: Vec<bool>,
}

impl Sockets {
    /// Binds them, each to a port of the kernel's choice.
    ///
    /// # Errors
    /// Where no socket for IPv4 can be had.
    pub fn open() -> io::Result<Self> {
        let _ = portreeve_sys::raise_descriptor_limit();
        let v4: Vec<_> =
            (0..COUNT).map(|_| bind((Ipv4Addr::UNSPECIFIED, 0).into())).collect::<io::Result<_>>()?;
        let v6 = (0..COUNT).map(|_| bind((Ipv6Addr::UNSPECIFIED, 0).into())).collect::<io::Result<Vec<_>>>();
        let v6 = v6.unwrap_or_default();
        let ready = vec![false; v4.len() + v6.len()];
        Ok(Self { v4, v6, batch: Batch::new(LARGEST), ready })
    }

    /// Sends a datagram. What cannot leave is as good as lost on its way.
    pub fn send(&self, to: Place, message: &[u8]) {
        let sockets = if to.address.is_ipv4() { &self.v4 } else { &self.v6 };
        if let Some(socket) = sockets.get(to.socket) {
            let _ = send_to(socket.as_fd(), &Endpoint { peer: to.address, local: None }, message);
        }
    }

    /// Hands datagrams that [`Self::wait`] has found to `take`, some from each socket in turn.
    pub fn receive(&mut self, mut take: impl FnMut(Place, &mut [u8])) {
        let sockets = [&self.v4, &self.v6].into_iter().flat_map(|family| family.iter().enumerate());
        for ((index, socket), ready) in sockets.zip(&mut self.ready).filter(|(_, ready)| **ready) {
            let count = self.batch.receive(socket.as_fd()).unwrap_or(0);
            // After fewer than there is room for, nothing was left; what has come since is found by waiting.
            *ready = count == BATCH;
            for slot in 0..count {
                let Some(received) = self.batch.slot(slot) else { break };
                if let (Some(endpoint), false) = (received.endpoint, received.truncated) {
                    take(Place { socket: index, address: endpoint.peer }, received.message);
                }
            }
        }
    }

    /// Waits until something is there to receive, `other` can be read, or the time is up.
    ///
    /// # Errors
    /// Those of poll(2).
    pub fn wait(&mut self, other: &impl AsFd, patience: Duration) -> io::Result<()> {
        let sockets = self.v4.iter().chain(&self.v6).map(AsFd::as_fd);
        let mut all: Vec<PollFd<'_>> =
            sockets.chain([other.as_fd()]).map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        let patience = if self.ready.contains(&true) { Duration::ZERO } else { patience };
        let patience = Timespec::try_from(patience).map_err(|_| ErrorKind::InvalidInput)?;
        match poll(&mut all, Some(&patience)) {
            Ok(_) => {
                let found = all.iter().map(|fd| !fd.revents().is_empty());
                self.ready.iter_mut().zip(found).for_each(|(ready, found)| *ready |= found);
                Ok(())
            }
            Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Gives out places, each once.
#[derive(Default)]
pub struct Places {
    taken: HashSet<Place>,
    next: usize,
}

impl Places {
    /// A free place at `address`, on the sockets in turn; `None` where every socket has a target there.
    pub fn at(&mut self, address: SocketAddr) -> Option<Place> {
        self.next += 1;
        let mut all = (0..COUNT).map(|step| Place { socket: (self.next + step) % COUNT, address });
        let free = all.find(|place| !self.taken.contains(place))?;
        self.taken.insert(free);
        Some(free)
    }

    /// Keeps a place that is in use from before; `false` where it has been given away.
    pub fn keep(&mut self, place: Place) -> bool {
        self.taken.insert(place)
    }
}

fn bind(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// Sockets of each family, and so how many targets may share one address.
const COUNT: usize = 8;
/// The longest datagram.
const LARGEST: usize = 65_535;
