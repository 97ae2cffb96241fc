//! Stream transports: messages follow one another, delimited by their outer BER header (RFC 3430
//! §2.1).

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    os::unix::net::UnixStream,
    time::Duration,
};

use rustix::{
    io::Errno,
    net::{
        self, AddressFamily, SocketAddrUnix, SocketFlags, SocketType,
        sockopt::{self, Timeout},
    },
};

use super::link::{Link, LinkInput, resolve};
use crate::PeerAddress;

/// A link over a connected stream.
///
/// ```no_run
/// use std::os::unix::net::UnixStream;
/// use portreeve_snmp_manager::{Client, Credentials, Secret, SessionOptions, StreamLink};
///
/// let link = StreamLink::new(UnixStream::connect("/run/agent.socket")?);
/// let community = Credentials::V2c(Secret::from("public"));
/// let client = Client::with_link(link, community, &SessionOptions::default());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct StreamLink<S> {
    stream: S,
    buffer: Vec<u8>,
    /// Length of the message that was last returned; it is at the start of the buffer.
    consumed: usize,
    /// Number of bytes in the buffer.
    filled: usize,
    /// The receive timeout that is set on the stream.
    timeout: Duration,
}

/// The operations that a [`StreamLink`] requires of its stream.
pub trait Stream: Read + Write {
    /// Sets the maximum time that `read` waits before it fails with `WouldBlock` or `TimedOut`.
    /// `timeout` is not zero.
    ///
    /// # Errors
    /// The system rejects the timeout.
    fn set_receive_timeout(&mut self, timeout: Duration) -> io::Result<()>;

    /// Returns the local address and the peer's, if the stream has addresses.
    fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        None
    }
}

impl Stream for TcpStream {
    fn set_receive_timeout(&mut self, timeout: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(timeout))
    }

    fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        Some((self.local_addr().ok()?, self.peer_addr().ok()?))
    }
}

impl Stream for UnixStream {
    fn set_receive_timeout(&mut self, timeout: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(timeout))
    }
}

/// Connects over TCP and disables Nagle's algorithm.
pub(super) fn connect(peer: &PeerAddress, timeout: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for address in resolve(peer)? {
        match TcpStream::connect_timeout(&address, timeout.max(MIN_TIMEOUT)) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Connects to a Unix socket. If the agent's queue of connections is full, waits for at most
/// `timeout`.
pub(super) fn connect_unix(path: &str, timeout: Duration) -> io::Result<UnixStream> {
    let socket = net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    sockopt::set_socket_timeout(&socket, Timeout::Send, Some(timeout.max(MIN_TIMEOUT)))?;
    match net::connect(&socket, &SocketAddrUnix::new(path)?) {
        Ok(()) => Ok(UnixStream::from(socket)),
        Err(Errno::AGAIN) => Err(ErrorKind::TimedOut.into()),
        Err(error) => Err(error.into()),
    }
}

impl<S: Stream> StreamLink<S> {
    /// Creates a link over a connected stream.
    pub fn new(stream: S) -> Self {
        Self { stream, buffer: vec![0; INITIAL_CAPACITY], consumed: 0, filled: 0, timeout: Duration::ZERO }
    }

    /// Returns the length of the first message in the buffer, if the message is complete.
    fn complete_message_len(&mut self) -> io::Result<Option<usize>> {
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        let Some(length) = message_len(filled)? else { return Ok(None) };
        if length > self.buffer.len() {
            // The length is limited, because `message_len` rejects longer messages.
            self.buffer.resize(length, 0);
        }
        Ok((length <= self.filled).then_some(length))
    }

    /// Removes the last returned message from the buffer.
    fn discard_message(&mut self) {
        self.buffer.copy_within(self.consumed..self.filled, 0);
        self.filled -= self.consumed;
        self.consumed = 0;
    }
}

impl<S: Stream> Link for StreamLink<S> {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.stream.write_all(message)
    }

    fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        self.stream.addresses()
    }

    fn receive(&mut self, timeout: Duration) -> io::Result<LinkInput<'_>> {
        self.discard_message();
        if timeout != self.timeout {
            self.stream.set_receive_timeout(timeout)?;
            self.timeout = timeout;
        }
        if self.complete_message_len()?.is_none() {
            match self.stream.read(self.buffer.get_mut(self.filled..).unwrap_or_default()) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.filled += count,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
        // Read only once per call, so that a peer that sends octet by octet cannot extend the
        // timeout.
        let Some(length) = self.complete_message_len()? else { return Ok(LinkInput::Nothing) };
        self.consumed = length;
        Ok(LinkInput::Message(self.buffer.get_mut(..length).unwrap_or_default()))
    }
}

/// Returns the total length of the message that begins with `octets`, including its header; `None`
/// while the header is incomplete.
fn message_len(octets: &[u8]) -> io::Result<Option<usize>> {
    let invalid = || io::Error::new(ErrorKind::InvalidData, "the agent sent a malformed SNMP message");
    let (tag, rest) = match octets {
        [] => return Ok(None),
        [tag, rest @ ..] => (*tag, rest),
    };
    if tag != SEQUENCE {
        return Err(invalid());
    }
    let (header, content) = match rest {
        [] => return Ok(None),
        [short, ..] if *short < 0x80 => (2, usize::from(*short)),
        [long, rest @ ..] => {
            let digits = usize::from(*long & 0x7f);
            if !(1..=4).contains(&digits) {
                return Err(invalid());
            }
            let Some(digits) = rest.get(..digits) else { return Ok(None) };
            (2 + digits.len(), digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)))
        }
    };
    match header + content {
        length if length <= MAX_MESSAGE_LEN => Ok(Some(length)),
        _ => Err(invalid()),
    }
}

const SEQUENCE: u8 = 0x30;
const INITIAL_CAPACITY: usize = 4096;
/// The maximum length of an accepted message in octets.
const MAX_MESSAGE_LEN: usize = 1 << 20;
/// The minimum receive timeout, because the system rejects zero.
const MIN_TIMEOUT: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests;
