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

use portreeve_sys::{Batch, Endpoint, send_to};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

use crate::poller::Place;

/// The sockets, all non-blocking: as many for IPv4 as for IPv6, where there is IPv6.
pub(crate) struct Sockets {
    v4: Vec<UdpSocket>,
    v6: Vec<UdpSocket>,
    batch: Batch,
}

impl Sockets {
    pub(crate) fn open() -> io::Result<Self> {
        let _ = portreeve_sys::raise_descriptor_limit();
        let v4 = (0..COUNT).map(|_| bind((Ipv4Addr::UNSPECIFIED, 0).into())).collect::<io::Result<_>>()?;
        let v6 = (0..COUNT).map(|_| bind((Ipv6Addr::UNSPECIFIED, 0).into())).collect::<io::Result<_>>();
        Ok(Self { v4, v6: v6.unwrap_or_default(), batch: Batch::new(LARGEST) })
    }

    /// Sends a datagram. What cannot leave is as good as lost on its way.
    pub(crate) fn send(&self, to: Place, message: &[u8]) {
        let sockets = if to.address.is_ipv4() { &self.v4 } else { &self.v6 };
        if let Some(socket) = sockets.get(to.socket) {
            let _ = send_to(socket.as_fd(), &Endpoint { peer: to.address, local: None }, message);
        }
    }

    /// Hands every datagram that is there to `take`, some from each socket in turn.
    pub(crate) fn receive(&mut self, mut take: impl FnMut(Place, &mut [u8])) {
        for sockets in [&self.v4, &self.v6] {
            for (index, socket) in sockets.iter().enumerate() {
                let Ok(count) = self.batch.receive(socket.as_fd()) else { continue };
                for slot in 0..count {
                    let Some(received) = self.batch.slot(slot) else { break };
                    if let (Some(endpoint), false) = (received.endpoint, received.truncated) {
                        take(Place { socket: index, address: endpoint.peer }, received.message);
                    }
                }
            }
        }
    }

    /// Waits until something is there to receive, `other` can be read, or the time is up.
    pub(crate) fn wait(&self, other: &impl AsFd, patience: Duration) -> io::Result<()> {
        let sockets = self.v4.iter().chain(&self.v6).map(AsFd::as_fd);
        let mut all: Vec<PollFd<'_>> =
            sockets.chain([other.as_fd()]).map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        let patience = Timespec::try_from(patience).map_err(|_| ErrorKind::InvalidInput)?;
        match poll(&mut all, Some(&patience)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Gives out places, each once.
#[derive(Default)]
pub(crate) struct Places {
    taken: HashSet<Place>,
    next: usize,
}

impl Places {
    /// A free place at `address`, on the sockets in turn; `None` where every socket has a target there.
    pub(crate) fn at(&mut self, address: SocketAddr) -> Option<Place> {
        self.next += 1;
        let mut all = (0..COUNT).map(|step| Place { socket: (self.next + step) % COUNT, address });
        let free = all.find(|place| !self.taken.contains(place))?;
        self.taken.insert(free);
        Some(free)
    }

    /// Keeps a place that is in use from before; `false` where it has been given away.
    pub(crate) fn keep(&mut self, place: Place) -> bool {
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
