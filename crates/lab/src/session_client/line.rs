//! A connection in use: whole messages both ways, in clear or in a session of the broker's.

use portreeve_broker_protocol::{Frame, Inbox};
use portreeve_secure_session::Session;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, UdpSocket},
};

use crate::failure::Result;

/// One connection.
pub(super) enum Line {
    Clear { socket: TcpStream, inbox: Inbox },
    Datagrams { socket: UdpSocket, datagram: Box<[u8]> },
    Secured { session: Session, message: Vec<u8> },
}

impl Line {
    pub(super) fn clear(socket: TcpStream) -> Self {
        Self::Clear { socket, inbox: Inbox::default() }
    }

    pub(super) fn datagrams(socket: UdpSocket) -> Self {
        Self::Datagrams { socket, datagram: vec![0; LONGEST].into() }
    }

    pub(super) fn secured(session: Session) -> Self {
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
                    match socket.read(inbox.room()).await? {
                        0 => return Err("the agent has closed the connection".into()),
                        count => inbox.note_read(count),
                    }
                }
                match inbox.next_frame()? {
                    Some(Frame::Message(message)) => Ok(message),
                    _ => Err("the agent sent what is no message".into()),
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

/// Octets of a datagram.
const LONGEST: usize = 1 << 16;
