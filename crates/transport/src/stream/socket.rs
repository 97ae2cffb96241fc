//! A common interface to TCP and Unix stream sockets.

use std::io;

use tokio::{
    io::Interest,
    net::{TcpStream, UnixStream},
};

/// An accepted connection. Only [`ready`](Self::ready) waits; the other functions do not block.
pub(crate) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    /// Waits until the socket is readable or writable.
    pub(super) async fn ready(&self, interest: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.ready(interest).await.map(drop),
            Self::Unix(stream) => stream.ready(interest).await.map(drop),
        }
    }

    pub(super) fn try_read(&self, into: &mut [u8]) -> io::Result<usize> {
        let count = match self {
            Self::Tcp(stream) => stream.try_read(into),
            Self::Unix(stream) => stream.try_read(into),
        }?;
        if (1..into.len()).contains(&count) {
            self.note_emptied();
        }
        Ok(count)
    }

    /// Clears readiness without another system call, because the read did not fill the buffer. The
    /// kernel reports later data, and reports an end of stream even if it has already arrived.
    fn note_emptied(&self) {
        let emptied = || Err::<(), _>(io::ErrorKind::WouldBlock.into());
        let _ = match self {
            Self::Tcp(stream) => stream.try_io(Interest::READABLE, emptied),
            Self::Unix(stream) => stream.try_io(Interest::READABLE, emptied),
        };
    }

    pub(super) fn try_write(&self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.try_write(octets),
            Self::Unix(stream) => stream.try_write(octets),
        }
    }

    pub(super) fn try_write_vectored(&self, parts: &[io::IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.try_write_vectored(parts),
            Self::Unix(stream) => stream.try_write_vectored(parts),
        }
    }
}

impl From<TcpStream> for Socket {
    fn from(stream: TcpStream) -> Self {
        Self::Tcp(stream)
    }
}

impl From<UnixStream> for Socket {
    fn from(stream: UnixStream) -> Self {
        Self::Unix(stream)
    }
}
