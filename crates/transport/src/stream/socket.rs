//! The stream sockets that sessions come over, read and written alike.

use std::io;

use tokio::{
    io::Interest,
    net::{TcpStream, UnixStream},
};

/// One accepted connection. Nothing here waits but [`ready`](Self::ready).
pub(crate) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    /// Until it can be read, or written.
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

    /// There was room for more than came, so more is waited for without asking again; of what comes, and of an end that has
    /// come already, the system tells anew.
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
