//! A connection that carries whole messages, in cleartext or in a session.

use portreeve_broker_protocol::{BrokerConnection, Frame, FrameBuffer};
use portreeve_secure_session::SecureSession;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, UdpSocket},
};

use super::job::SESSION_TIMEOUT;
use crate::error::Result;

/// An open connection over any carrier.
pub(super) enum Connection {
    Clear {
        socket: TcpStream,
        inbox: FrameBuffer,
    },
    Datagrams {
        socket: UdpSocket,
        datagram: Box<[u8]>,
    },
    Secured {
        session: SecureSession,
        message: Vec<u8>,
    },
    /// A session of the broker. Its reads block the thread, as those of a command do.
    Broker {
        connection: Box<BrokerConnection>,
        message: Vec<u8>,
    },
}

impl Connection {
    pub(super) fn clear(socket: TcpStream) -> Self {
        Self::Clear { socket, inbox: FrameBuffer::default() }
    }

    pub(super) fn datagrams(socket: UdpSocket) -> Self {
        Self::Datagrams { socket, datagram: vec![0; MAX_DATAGRAM_LEN].into() }
    }

    pub(super) fn secured(session: SecureSession) -> Self {
        Self::Secured { session, message: Vec::new() }
    }

    pub(super) async fn send(&mut self, message: &[u8]) -> Result<()> {
        match self {
            Self::Clear { socket, .. } => Ok(socket.write_all(message).await?),
            Self::Datagrams { socket, .. } => Ok(socket.send(message).await.map(drop)?),
            Self::Secured { session, .. } => Ok(session.send(message).await?),
            Self::Broker { connection, .. } => Ok(connection.send(message)?),
        }
    }

    pub(super) async fn receive(&mut self) -> Result<&mut [u8]> {
        match self {
            Self::Clear { socket, inbox } => {
                while !inbox.has_frame()? {
                    match socket.read(inbox.free_space()).await? {
                        0 => return Err("the agent has closed the connection".into()),
                        count => inbox.advance(count),
                    }
                }
                match inbox.next_frame()? {
                    Some(Frame::Message(message)) => Ok(message),
                    _ => Err("the agent sent a malformed message".into()),
                }
            }
            Self::Datagrams { socket, datagram } => {
                let count = socket.recv(datagram).await?;
                Ok(datagram.get_mut(..count).unwrap_or_default())
            }
            Self::Secured { session, message } => {
                message.clear();
                message.extend_from_slice(session.receive().await?);
                Ok(message)
            }
            Self::Broker { connection, message } => {
                message.clear();
                loop {
                    match connection.receive(SESSION_TIMEOUT)? {
                        Some(Frame::Message(received)) => {
                            message.extend_from_slice(received);
                            return Ok(message);
                        }
                        None => {}
                        Some(Frame::Failed(error)) => return Err(error.into()),
                        Some(_) => return Err("the broker sent an unexpected frame".into()),
                    }
                }
            }
        }
    }

    /// Sends what the client has kept back for its first message, and waits until the agent has
    /// accepted the session.
    pub(super) async fn confirm(&mut self) -> Result<()> {
        if let Self::Secured { session, .. } = self {
            session.confirm(SESSION_TIMEOUT).await?;
        }
        Ok(())
    }

    pub(super) async fn close(self) {
        match self {
            Self::Clear { .. } | Self::Datagrams { .. } | Self::Broker { .. } => {}
            Self::Secured { session, .. } => session.close().await,
        }
    }
}

/// Maximum length of a datagram.
const MAX_DATAGRAM_LEN: usize = 1 << 16;
