//! UDP: one connected socket, so that the kernel drops what others send (M4).

use std::{
    io::{self, ErrorKind},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    time::Duration,
};

use super::link::{Link, Received, resolve};
use crate::PeerAddress;

pub(super) struct UdpLink {
    socket: UdpSocket,
    buffer: Vec<u8>,
    /// The patience that the socket has been told.
    patience: Duration,
}

impl UdpLink {
    pub(super) fn open(peer: &PeerAddress) -> io::Result<Self> {
        let mut last = io::Error::from(ErrorKind::NotFound);
        for address in resolve(peer)? {
            match connect(address) {
                Ok(socket) => {
                    return Ok(Self { socket, buffer: vec![0; LARGEST], patience: Duration::ZERO });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

impl Link for UdpLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        match self.socket.send(message) {
            Ok(_) => Ok(()),
            Err(error) if is_word_from_the_network(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn receive(&mut self, patience: Duration) -> io::Result<Received<'_>> {
        if patience != self.patience {
            self.socket.set_read_timeout(Some(patience))?;
            self.patience = patience;
        }
        match self.socket.recv(&mut self.buffer) {
            Ok(length) => Ok(Received::Message(self.buffer.get_mut(..length).unwrap_or_default())),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(Received::Nothing),
                _ if is_word_from_the_network(&error) => Ok(Received::Nothing),
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
    Ok(socket)
}

/// An ICMP error that an earlier datagram met. Anybody can forge one and a restarting agent causes them, so that it
/// counts as no more than silence.
fn is_word_from_the_network(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable
    )
}

const LARGEST: usize = 65_536;
