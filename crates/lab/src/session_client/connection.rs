//! A connection that carries whole messages, in cleartext or in a session.

use portreeve_broker_protocol::{Frame, FrameBuffer};
use portreeve_secure_session::SecureSession;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, UdpSocket},
};

use crate::error::Result;

/// An open connection over any carrier.
pub(super) enum Connection {
    Clear { socket: TcpStream, inbox: FrameBuffer },
    Datagrams { socket: UdpSocket, datagram: Box<[u8]> },
    Secured { session: SecureSession, message: Vec<u8> },
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
        }
    }

    pub(super) async fn close(self) {
        match self {
            Self::Clear { .. } | Self::Datagrams { .. } => {}
            Self::Secured { session, .. } => session.close().await,
        }
    }
}

/// Maximum length of a datagram.
const MAX_DATAGRAM_LEN: usize = 1 << 16;
