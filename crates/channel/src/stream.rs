//! A secure channel over a stream socket: TLS.

use std::io;

use crate::{ChannelError, Handshake, PeerIdentity};

/// Makes the server's end of channels over stream sockets.
pub trait StreamAcceptor: Send + Sync {
    /// A channel for a connection that was just accepted; `None` where none can be made.
    fn accept(&self) -> Option<Box<dyn SecureStream>>;
}

/// One end of a channel over a stream socket. It never waits: whoever drives it reads and writes a non-blocking socket
/// when the socket is ready.
pub trait SecureStream {
    /// Reads ciphertext from `socket` once and takes in what it says. Returns how many octets were read; 0 is the end of
    /// the stream. `WouldBlock` leaves everything as it was.
    ///
    /// # Errors
    /// The handshake or a record failed: an alert for the peer may be waiting for [`transmit`](Self::transmit), and then
    /// the channel is to be dropped.
    fn receive(&mut self, socket: &mut dyn io::Read) -> Result<io::Result<usize>, ChannelError>;

    /// Writes to `socket` what waits for the peer; returns how many octets it took.
    ///
    /// # Errors
    /// Those of `socket`.
    fn transmit(&mut self, socket: &mut dyn io::Write) -> io::Result<usize>;

    /// Whether ciphertext waits for the peer.
    fn wants_transmit(&self) -> bool;

    /// Who the peer is; `None` until the handshake is done and the peer has proven it.
    fn peer(&self) -> Option<&PeerIdentity>;

    /// What is spoken, for people, such as `TLSv1.3`; settled when the handshake is done.
    fn protocol(&self) -> &'static str;

    /// What the handshake has shown so far, where that is looked at.
    fn handshake(&self) -> Handshake {
        Handshake::default()
    }

    /// Takes decrypted octets out. `WouldBlock` when there are none, 0 when the peer has closed the channel in order.
    ///
    /// # Errors
    /// `UnexpectedEof` when the stream ended without the peer closing the channel: what came last may be cut off.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize>;

    /// Encrypts octets for the peer; returns how many it took, which is fewer than given, or none, while those it took
    /// earlier have not been transmitted. What the handshake has left to say is no hindrance: both leave together.
    fn write(&mut self, octets: &[u8]) -> usize;

    /// Tells the peer, with the next [`transmit`](Self::transmit), that nothing more will come.
    fn close(&mut self);
}
