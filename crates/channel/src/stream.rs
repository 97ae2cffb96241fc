//! A secure channel over a stream socket: TLS.

use std::io;

use crate::{ChannelError, Handshake, PeerIdentity};

/// Creates server channels over stream sockets.
pub trait StreamAcceptor: Send + Sync {
    /// Creates a channel for a newly accepted connection; `None` if that fails.
    fn accept(&self) -> Option<Box<dyn SecureStream>>;

    /// Returns `true` if the identity has been revoked since its channel was opened.
    fn is_revoked(&self, identity: &PeerIdentity) -> bool {
        let _ = identity;
        false
    }
}

/// One side of a channel over a stream socket. It never blocks: the caller drives it when the
/// non-blocking socket is ready.
pub trait SecureStream {
    /// Reads ciphertext from `socket` once and processes it. Returns the number of octets read; 0
    /// is the end of the stream. `WouldBlock` leaves the channel unchanged.
    ///
    /// # Errors
    /// If the handshake or a record failed. An alert for the peer may be waiting for
    /// [`transmit`](Self::transmit); the channel must be dropped after the alert is transmitted.
    fn receive(&mut self, socket: &mut dyn io::Read) -> Result<io::Result<usize>, ChannelError>;

    /// Writes waiting ciphertext to `socket`; returns the number of octets written.
    ///
    /// # Errors
    /// Those of `socket`.
    fn transmit(&mut self, socket: &mut dyn io::Write) -> io::Result<usize>;

    /// Returns `true` if ciphertext is waiting for the peer.
    fn wants_transmit(&self) -> bool;

    /// The peer's identity; `None` until the handshake is done and the peer is authenticated.
    fn peer(&self) -> Option<&PeerIdentity>;

    /// The protocol version for display, such as `TLSv1.3`; final when the handshake is done.
    fn protocol(&self) -> &'static str;

    /// The details of the handshake so far, if they are recorded.
    fn handshake(&self) -> Handshake {
        Handshake::default()
    }

    /// Reads decrypted octets. Returns `WouldBlock` if none are available, and 0 if the peer has
    /// closed the channel with a close alert.
    ///
    /// # Errors
    /// `UnexpectedEof` if the stream ended without a close alert: the last data may be truncated.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize>;

    /// Encrypts octets for the peer; returns the number accepted. While octets of an earlier call
    /// are waiting to be transmitted, accepts only some octets or none. Waiting handshake octets do
    /// not matter, because the new octets are sent together with them.
    fn write(&mut self, octets: &[u8]) -> usize;

    /// Queues a close alert for the next [`transmit`](Self::transmit).
    fn close(&mut self);
}
