//! A connection to one peer: a stream socket, with or without a secure channel.

use std::io::{self, ErrorKind};

use portreeve_channel::{ChannelError, PeerIdentity, SecureStream};
use tokio::io::Interest;

use super::socket::Socket;
use crate::outbox::MessageSink;
use crate::statistics::CloseReason;

/// A connection that carries octets, in cleartext or encrypted. Only [`ready`](Self::ready) waits;
/// the other functions do not block.
pub(crate) struct StreamConnection {
    socket: Socket,
    channel: Option<Box<dyn SecureStream>>,
    /// True if the only pending output was created by the channel itself, such as a TLS session
    /// ticket, so that it may be sent together with the next response.
    transmit_deferred: bool,
    /// The number of octets that the channel has received.
    octets_received: u64,
}

impl StreamConnection {
    pub(crate) fn plain(socket: impl Into<Socket>) -> Self {
        Self { socket: socket.into(), channel: None, transmit_deferred: false, octets_received: 0 }
    }

    pub(super) fn with_channel(socket: impl Into<Socket>, channel: Box<dyn SecureStream>) -> Self {
        Self { socket: socket.into(), channel: Some(channel), transmit_deferred: false, octets_received: 0 }
    }

    /// Waits until the socket is readable or writable.
    pub(super) async fn ready(&self, interest: Interest) -> io::Result<()> {
        self.socket.ready(interest).await
    }

    /// Returns whether written octets are still pending for the socket.
    pub(super) fn is_congested(&self) -> bool {
        let is_pending = self.channel.as_ref().is_some_and(|channel| channel.wants_transmit());
        (is_pending && !self.transmit_deferred) || self.socket.is_congested()
    }

    /// Returns whether written octets are not on their way to the peer.
    pub(super) fn has_unsent(&self) -> bool {
        self.is_congested() || self.socket.has_unsent()
    }

    /// Returns the reason if the connection under an SSH channel has closed the session.
    pub(super) fn close_reason(&self) -> Option<CloseReason> {
        self.socket.close_reason()
    }

    /// Returns the authenticated identity of the peer; `None` during the handshake, and always
    /// without a channel.
    pub(super) fn peer(&self) -> Option<&PeerIdentity> {
        self.channel.as_ref()?.peer()
    }

    /// Returns the number of octets received from the peer by the channel. Always 0 without a
    /// channel, because all octets then belong to messages.
    pub(super) fn octets_received(&self) -> u64 {
        self.octets_received
    }

    /// Reads available octets; 0 means the end of the stream. Returns `WouldBlock` only when the
    /// socket has no more data, so that the session does not wait for the socket while decrypted
    /// octets are available.
    pub(super) fn try_read(&mut self, into: &mut [u8]) -> Result<usize, StreamReadError> {
        let Self { socket, channel, transmit_deferred: is_deferred, octets_received: total } = self;
        let Some(channel) = channel else { return Ok(socket.try_read(into)?) };
        for count in 0.. {
            match channel.read(into) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                result => return Ok(result?),
            }
            // During the handshake, each receive call is one step, after which other tasks run.
            if count == MAX_RECEIVES || (count > 0 && channel.peer().is_none()) {
                break;
            }
            if *is_deferred {
                // No response will follow, so the deferred output must be sent separately.
                *is_deferred = false;
                try_transmit(&mut **channel, socket)?;
            }
            let received = channel.receive(&mut NonBlocking(socket));
            if channel.wants_transmit() {
                if channel.peer().is_some() && matches!(received, Ok(Ok(1..))) {
                    *is_deferred = true;
                } else {
                    // Handshake flights and alerts are sent at once; the rest is sent when the
                    // socket is writable.
                    try_transmit(&mut **channel, socket)?;
                }
            }
            let received = received??;
            *total += received as u64;
            if received == 0 {
                // The channel distinguishes an orderly end from a truncated stream.
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

    /// Writes as many octets as possible without blocking; `WouldBlock` if none.
    pub(super) fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let Self { socket, channel, .. } = self;
        let Some(channel) = channel else { return socket.try_write(octets) };
        let accepted = channel.write(octets);
        let transmitted = self.transmit();
        match (accepted, transmitted) {
            (_, Err(error)) if error.kind() != ErrorKind::WouldBlock => Err(error),
            (0, _) => Err(ErrorKind::WouldBlock.into()),
            (accepted, _) => Ok(accepted),
        }
    }

    /// Sends pending output to the socket.
    pub(super) fn transmit(&mut self) -> io::Result<()> {
        let Self { socket, channel, transmit_deferred: is_deferred, .. } = self;
        *is_deferred = false;
        let Some(channel) = channel else { return Ok(()) };
        while channel.wants_transmit() {
            channel.transmit(&mut NonBlocking(socket))?;
        }
        Ok(())
    }

    /// Sends pending output, and returns whether any was accepted since the last call.
    fn flush(&mut self) -> io::Result<bool> {
        let mut has_progress = self.socket.take_progress();
        self.transmit_deferred = false;
        let Some(channel) = &mut self.channel else { return Ok(has_progress) };
        while channel.wants_transmit() {
            match channel.transmit(&mut NonBlocking(&self.socket)) {
                Err(error) if error.kind() == ErrorKind::WouldBlock && has_progress => break,
                result => drop(result?),
            }
            has_progress = true;
        }
        Ok(has_progress)
    }

    /// Sends output that was deferred until the next response, because no response follows.
    pub(super) fn transmit_deferred(&mut self) -> io::Result<()> {
        match self.transmit_deferred {
            true => self.transmit(),
            false => Ok(()),
        }
    }

    /// Closes the channel gracefully, as far as possible without waiting.
    //= rfc6353#5.4-4
    pub(super) fn close(&mut self) {
        if let Some(channel) = &mut self.channel {
            channel.close();
        }
        // Ignore send errors: the connection is being closed anyway.
        let _ = self.transmit();
    }
}

impl MessageSink for StreamConnection {
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        Self::try_write(self, octets)
    }

    fn is_congested(&self) -> bool {
        Self::is_congested(self)
    }

    fn has_unsent(&self) -> bool {
        Self::has_unsent(self)
    }

    fn flush(&mut self) -> io::Result<bool> {
        Self::flush(self)
    }
}

/// The reason why no more octets can be read.
#[derive(Debug)]
pub(super) enum StreamReadError {
    /// A socket error, including `WouldBlock`.
    Io(io::Error),
    /// A channel error: in the handshake or in a record.
    Channel(ChannelError),
    /// The receive limit was reached without application data; the socket may contain more octets.
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

/// Sends as much pending output as the socket accepts without blocking.
fn try_transmit(channel: &mut dyn SecureStream, socket: &Socket) -> io::Result<()> {
    match channel.transmit(&mut NonBlocking(socket)) {
        Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
        _ => Ok(()),
    }
}

/// An adapter from a socket to the `std` traits.
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

/// The maximum number of receive calls before other tasks run; this is enough for one record.
const MAX_RECEIVES: usize = 16;
