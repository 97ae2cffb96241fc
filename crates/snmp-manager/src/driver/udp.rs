//! UDP: one connected socket, so that the kernel drops datagrams from other sources (M4).

use std::{
    io::{self, ErrorKind},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::sockopt::set_socket_recv_buffer_size,
};

use super::link::{Link, LinkInput, resolve};
use crate::PeerAddress;

pub(super) struct UdpLink {
    socket: UdpSocket,
    buffer: Vec<u8>,
    icmp_error: Option<ErrorKind>,
}

impl UdpLink {
    pub(super) fn open(peer: &PeerAddress) -> io::Result<Self> {
        let mut last = io::Error::from(ErrorKind::NotFound);
        for address in resolve(peer)? {
            match connect(address) {
                Ok(socket) => {
                    return Ok(Self { socket, buffer: vec![0; MAX_DATAGRAM_LEN], icmp_error: None });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Records an ICMP error caused by an earlier datagram. Anyone can forge such an error,
    /// and an agent that restarts causes one too. So the error does not end the request, and is
    /// used only for explanations.
    fn record_icmp_error(&mut self, error: &io::Error) -> bool {
        let kind = error.kind();
        let is = matches!(
            kind,
            ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable
        );
        if is {
            self.icmp_error = Some(kind);
        }
        is
    }
}

impl Link for UdpLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        match self.socket.send(message) {
            Ok(_) => Ok(()),
            // If the send buffer is full, the datagram counts as lost.
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) if self.record_icmp_error(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn loses_messages(&self) -> bool {
        true
    }

    fn icmp_error(&self) -> Option<ErrorKind> {
        self.icmp_error
    }

    fn datagram_peer(&self) -> Option<SocketAddr> {
        self.socket.peer_addr().ok()
    }

    fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        Some((self.socket.local_addr().ok()?, self.socket.peer_addr().ok()?))
    }

    fn receive(&mut self, timeout: Duration) -> io::Result<LinkInput<'_>> {
        // A read timeout of the socket is not used, because the kernel rounds it up to its tick,
        // which is longer than a local round trip.
        let timeout = Timespec::try_from(timeout).unwrap_or(MAX_POLL_TIMEOUT);
        match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&timeout)) {
            Ok(0) | Err(Errno::INTR) => return Ok(LinkInput::Nothing),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        match self.socket.recv(&mut self.buffer) {
            Ok(length) => Ok(LinkInput::Message(self.buffer.get_mut(..length).unwrap_or_default())),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                    Ok(LinkInput::Nothing)
                }
                _ if self.record_icmp_error(&error) => Ok(LinkInput::Nothing),
                _ => Err(error),
            },
        }
    }
}

fn connect(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?,
        SocketAddr::V6(_) => UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0))?,
    };
    socket.connect(address)?;
    // A readable socket may contain only a corrupt datagram, for which a blocking read would not
    // return.
    socket.set_nonblocking(true)?;
    // The kernel may grant less; requests work with any size.
    let _ = set_socket_recv_buffer_size(&socket, RECEIVE_BUFFER);
    Ok(socket)
}

const MAX_DATAGRAM_LEN: usize = 65_536;
/// Requested size in octets of the receive buffer. The default holds fewer than 16 responses of
/// 10 000 octets, and an agent can send the responses to many requests at once.
const RECEIVE_BUFFER: usize = 4 << 20;
const MAX_POLL_TIMEOUT: Timespec = Timespec { tv_sec: 86_400, tv_nsec: 0 };

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent that executes SETs in groups answers all of a group at once.
    #[test]
    fn socket_holds_many_long_responses() {
        let agent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut link = UdpLink::open(&agent.local_addr().unwrap().to_string().parse().unwrap()).unwrap();
        let client = link.addresses().unwrap().0;
        for _ in 0..RESPONSES {
            agent.send_to(&[0; 10_000], client).unwrap();
        }
        for number in 0..RESPONSES {
            let received = matches!(link.receive(Duration::from_secs(10)), Ok(LinkInput::Message(_)));
            assert!(received, "response {number}");
        }
    }

    const RESPONSES: usize = 20;
}
