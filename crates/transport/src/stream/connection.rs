//! The way to one peer: a stream socket, bare or with a secure channel on it.

use std::io::{self, ErrorKind};

use portreeve_channel::{ChannelError, PeerIdentity, SecureStream};
use tokio::io::Interest;

use super::socket::Socket;

/// A connection that carries octets, in clear or encrypted. Nothing here waits but [`ready`](Self::ready).
pub(crate) struct StreamConnection {
    socket: Socket,
    channel: Option<Box<dyn SecureStream>>,
    /// All that waits for the peer is what the channel says of itself, such as a handle: it may go along with an answer.
    transmit_deferred: bool,
    /// Octets that the channel has taken in.
    octets_received: u64,
}

impl StreamConnection {
    pub(crate) fn plain(socket: impl Into<Socket>) -> Self {
        Self { socket: socket.into(), channel: None, transmit_deferred: false, octets_received: 0 }
    }

    pub(super) fn with_channel(socket: impl Into<Socket>, channel: Box<dyn SecureStream>) -> Self {
        Self { socket: socket.into(), channel: Some(channel), transmit_deferred: false, octets_received: 0 }
    }

    /// Until the socket can be read, or written.
    pub(super) async fn ready(&self, interest: Interest) -> io::Result<()> {
        self.socket.ready(interest).await
    }

    /// Whether octets that were taken already wait for the socket.
    pub(super) fn is_congested(&self) -> bool {
        !self.transmit_deferred && self.channel.as_ref().is_some_and(|channel| channel.wants_transmit())
    }

    /// Who the peer has proven to be; `None` while it has not, and for ever on a bare connection.
    pub(super) fn peer(&self) -> Option<&PeerIdentity> {
        self.channel.as_ref()?.peer()
    }

    /// Octets that have come from the peer, whatever they are; on a bare connection all belong to messages, and none are
    /// counted.
    pub(super) fn octets_received(&self) -> u64 {
        self.octets_received
    }

    /// Reads what is at hand; 0 is the end. `WouldBlock` only when the socket has nothing more, so that waiting for the
    /// socket never overlooks octets that are decrypted already.
    pub(super) fn try_read(&mut self, into: &mut [u8]) -> Result<usize, StreamReadError> {
        let Self { socket, channel, transmit_deferred: aside, octets_received: total } = self;
        let Some(channel) = channel else { return Ok(socket.try_read(into)?) };
        for turn in 0.. {
            match channel.read(into) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                result => return Ok(result?),
            }
            if turn == MAX_RECEIVES {
                break;
            }
            if *aside {
                // No answer comes that it could go along with.
                *aside = false;
                try_transmit(&mut **channel, socket)?;
            }
            let received = channel.receive(&mut NonBlocking(socket));
            if channel.wants_transmit() {
                if channel.peer().is_some() && matches!(received, Ok(Ok(1..))) {
                    *aside = true;
                } else {
                    // Handshake flights and alerts leave at once; what the socket does not take waits for it.
                    try_transmit(&mut **channel, socket)?;
                }
            }
            let received = received??;
            *total += received as u64;
            if received == 0 {
                // The channel knows whether this was its end or it was cut off.
                return match channel.read(into) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        Err(StreamReadError::Io(ErrorKind::UnexpectedEof.into()))
                    }
                    result => Ok(result?),
                };
            }
        }
        Err(StreamReadError::ReceiveLimit)
    }

    /// Writes what can be taken without waiting; `WouldBlock` when that is nothing.
    pub(super) fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let Self { socket, channel, .. } = self;
        let Some(channel) = channel else { return socket.try_write(octets) };
        let taken = channel.write(octets);
        let transmitted = self.transmit();
        match (taken, transmitted) {
            (_, Err(error)) if error.kind() != ErrorKind::WouldBlock => Err(error),
            (0, _) => Err(ErrorKind::WouldBlock.into()),
            (taken, _) => Ok(taken),
        }
    }

    /// Hands the socket what waits for it.
    pub(super) fn transmit(&mut self) -> io::Result<()> {
        let Self { socket, channel, transmit_deferred: aside, .. } = self;
        *aside = false;
        let Some(channel) = channel else { return Ok(()) };
        while channel.wants_transmit() {
            channel.transmit(&mut NonBlocking(socket))?;
        }
        Ok(())
    }

    /// What could have gone along with an answer goes without one.
    pub(super) fn transmit_deferred(&mut self) -> io::Result<()> {
        match self.transmit_deferred {
            true => self.transmit(),
            false => Ok(()),
        }
    }

    /// Ends the channel in order, as far as that goes without waiting.
    //= rfc6353#5.4-4
    pub(super) fn close(&mut self) {
        if let Some(channel) = &mut self.channel {
            channel.close();
        }
        // The connection is given up either way.
        let _ = self.transmit();
    }
}

/// Why nothing more can be read.
#[derive(Debug)]
pub(super) enum StreamReadError {
    /// The socket, or `WouldBlock`.
    Io(io::Error),
    /// The channel: its handshake or a record.
    Channel(ChannelError),
    /// Much has come, and nothing of it was for us; there may be more.
    ReceiveLimit,
}

impl From<io::Error> for StreamReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ChannelError> for StreamReadError {
    fn from(error: ChannelError) -> Self {
        Self::Channel(error)
    }
}

/// Hands the socket what it takes at once.
fn try_transmit(channel: &mut dyn SecureStream, socket: &Socket) -> io::Result<()> {
    match channel.transmit(&mut NonBlocking(socket)) {
        Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
        _ => Ok(()),
    }
}

/// A socket as `std` reads and writes it.
struct NonBlocking<'s>(&'s Socket);

impl io::Read for NonBlocking<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.try_read(into)
    }
}

impl io::Write for NonBlocking<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.try_write(octets)
    }

    fn write_vectored(&mut self, parts: &[io::IoSlice<'_>]) -> io::Result<usize> {
        self.0.try_write_vectored(parts)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How often a channel takes in octets before others on its thread have their turn: what a record has, and more.
const MAX_RECEIVES: usize = 16;
