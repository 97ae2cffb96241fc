//! Streams: messages follow one another, each as long as its outer header says (RFC 3430 §2.1).

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    os::unix::net::UnixStream,
    time::Duration,
};

use super::link::{Link, LinkInput, resolve};
use crate::PeerAddress;

/// A connected stream, over which messages follow one another.
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
    /// Octets of the buffer that the message handed out last takes.
    consumed: usize,
    /// Octets of the buffer that are filled.
    filled: usize,
    /// The patience that the stream has been told.
    timeout: Duration,
}

/// What a stream has to be for a [`StreamLink`].
pub trait Stream: Read + Write {
    /// Lets a `read` wait so long, and fail with `WouldBlock` or `TimedOut` then. `timeout` is not zero.
    fn set_receive_timeout(&mut self, timeout: Duration) -> io::Result<()>;

    /// This side's address and the peer's, where the stream has such.
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

/// Connects over TCP, without Nagle's algorithm.
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

impl<S: Stream> StreamLink<S> {
    /// A link over a stream that is connected already.
    pub fn new(stream: S) -> Self {
        Self { stream, buffer: vec![0; INITIAL_CAPACITY], consumed: 0, filled: 0, timeout: Duration::ZERO }
    }

    /// Where the first message in the buffer ends, once it is complete.
    fn complete_message_len(&mut self) -> io::Result<Option<usize>> {
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        let Some(length) = message_len(filled)? else { return Ok(None) };
        if length > self.buffer.len() {
            // Bounded by what `message_len` lets pass.
            self.buffer.resize(length, 0);
        }
        Ok((length <= self.filled).then_some(length))
    }

    /// Forgets the message handed out last.
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
        // One read at a time: whoever sends octet by octet does not extend anybody's patience.
        let Some(length) = self.complete_message_len()? else { return Ok(LinkInput::Nothing) };
        self.consumed = length;
        Ok(LinkInput::Message(self.buffer.get_mut(..length).unwrap_or_default()))
    }
}

/// The length of the message that `octets` begins, header included; `None` while the header is incomplete.
fn message_len(octets: &[u8]) -> io::Result<Option<usize>> {
    let invalid = || io::Error::new(ErrorKind::InvalidData, "the agent sent what is no SNMP message");
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
/// The longest message accepted.
const MAX_MESSAGE_LEN: usize = 1 << 20;
/// The system refuses to wait no time at all.
const MIN_TIMEOUT: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests;
