//! A common interface to TCP and Unix stream sockets and to channels of SSH connections.

use std::io;

use tokio::{
    io::Interest,
    net::{TcpStream, UnixStream},
};

use crate::ssh::ChannelSocket;
use crate::statistics::CloseReason;

/// An accepted connection. Only [`ready`](Self::ready) waits; the other functions do not block.
pub(crate) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
    Ssh(ChannelSocket),
}

impl Socket {
    /// Waits until the socket is readable or writable.
    pub(super) async fn ready(&self, interest: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.ready(interest).await.map(drop),
            Self::Unix(stream) => stream.ready(interest).await.map(drop),
            Self::Ssh(channel) => {
                channel.ready(interest).await;
                Ok(())
            }
        }
    }

    /// Returns whether octets written earlier wait for the peer, as far as the socket reports it.
    pub(super) fn is_congested(&self) -> bool {
        match self {
            Self::Tcp(_) | Self::Unix(_) => false,
            Self::Ssh(channel) => channel.is_congested(),
        }
    }

    /// Returns whether octets written earlier have not been passed to the connection.
    pub(super) fn has_unsent(&self) -> bool {
        match self {
            Self::Tcp(_) | Self::Unix(_) => false,
            Self::Ssh(channel) => channel.has_unsent(),
        }
    }

    /// Returns whether octets that waited for the peer have been sent since the last call.
    pub(super) fn take_progress(&self) -> bool {
        match self {
            Self::Tcp(_) | Self::Unix(_) => false,
            Self::Ssh(channel) => channel.take_progress(),
        }
    }

    /// Returns the reason if the connection under an SSH channel has closed the session.
    pub(super) fn close_reason(&self) -> Option<CloseReason> {
        match self {
            Self::Tcp(_) | Self::Unix(_) => None,
            Self::Ssh(channel) => channel.close_reason(),
        }
    }

    pub(super) fn try_read(&self, into: &mut [u8]) -> io::Result<usize> {
        let count = match self {
            Self::Tcp(stream) => stream.try_read(into),
            Self::Unix(stream) => stream.try_read(into),
            Self::Ssh(channel) => channel.try_read(into),
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
            Self::Ssh(_) => Ok(()),
        };
    }

    pub(super) fn try_write(&self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.try_write(octets),
            Self::Unix(stream) => stream.try_write(octets),
            Self::Ssh(channel) => channel.try_write(octets),
        }
    }

    pub(super) fn try_write_vectored(&self, parts: &[io::IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.try_write_vectored(parts),
            Self::Unix(stream) => stream.try_write_vectored(parts),
            Self::Ssh(channel) => channel.try_write(parts.first().map_or(&[], |part| part)),
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

impl From<ChannelSocket> for Socket {
    fn from(channel: ChannelSocket) -> Self {
        Self::Ssh(channel)
    }
}
