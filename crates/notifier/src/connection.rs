//! An open connection or session to one target.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use portreeve_broker_protocol::{Frame, FrameBuffer, SessionOption};
use portreeve_channel::{ChannelError, ChannelStep, NoObserver};
use portreeve_secure_session::SecureSession;
use portreeve_snmp_engine::statistics::Recorder;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpStream, UdpSocket},
    time::timeout,
};

use crate::{destination::Endpoint, session_counters};

/// An open connection or session.
pub(crate) enum Connection {
    Udp { socket: UdpSocket, buffer: Box<[u8]> },
    Tcp { stream: TcpStream, buffer: FrameBuffer },
    Secure(Box<SecureSession>),
}

impl Connection {
    /// Opens a connection or session, which `recorder` counts.
    pub(crate) async fn open(
        endpoint: &Endpoint,
        max_time: Duration,
        recorder: &Recorder,
    ) -> Result<Self, String> {
        match endpoint {
            Endpoint::Udp(address) => Self::open_udp(*address).await.map_err(|error| error.to_string()),
            Endpoint::Tcp(address) => match timeout(max_time, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    // Without the option, a message may wait for an acknowledgement.
                    let _ = stream.set_nodelay(true);
                    Ok(Self::Tcp { stream, buffer: FrameBuffer::default() })
                }
                Ok(Err(error)) => Err(format!("cannot connect: {error}")),
                Err(_) => Err(format!("cannot connect within {max_time:?}")),
            },
            Endpoint::Secure(request) => {
                let opened = timeout(max_time, SecureSession::open(request, &NoObserver)).await;
                let opened = opened.unwrap_or_else(|_| {
                    let cause = format!("no session within {max_time:?}");
                    Err(ChannelError::at(ChannelStep::Negotiate, cause))
                });
                match opened {
                    Ok(session) => {
                        session_counters::opened(recorder, request.transport);
                        Ok(Self::Secure(Box::new(session)))
                    }
                    Err(error) => {
                        let is_pinned = request.get(SessionOption::Pin).is_some();
                        session_counters::not_opened(recorder, request.transport, &error, is_pinned);
                        Err(describe(&error))
                    }
                }
            }
        }
    }

    async fn open_udp(address: SocketAddr) -> io::Result<Self> {
        let any: SocketAddr = match address {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (std::net::Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any).await?;
        socket.connect(address).await?;
        Ok(Self::Udp { socket, buffer: vec![0; MAX_DATAGRAM].into_boxed_slice() })
    }

    /// Returns the own IPv4 address, for traps of SNMPv1.
    pub(crate) fn own_ipv4(&self) -> Option<[u8; 4]> {
        let address = match self {
            Self::Udp { socket, .. } => socket.local_addr(),
            Self::Tcp { stream, .. } => stream.local_addr(),
            Self::Secure(_) => return None,
        };
        match address.ok()?.ip() {
            IpAddr::V4(address) => Some(address.octets()),
            IpAddr::V6(_) => None,
        }
    }

    /// Sends a whole message.
    pub(crate) async fn send(&mut self, message: &[u8]) -> Result<(), String> {
        let sent = timeout(MAX_SEND_TIME, async {
            match self {
                Self::Udp { socket, .. } => match socket.send(message).await {
                    Ok(_) => Ok(()),
                    // The kernel reports an ICMP error of an earlier datagram once: send again.
                    Err(_) => socket.send(message).await.map(|_| ()).map_err(|error| error.to_string()),
                },
                Self::Tcp { stream, .. } => {
                    stream.write_all(message).await.map_err(|error| error.to_string())
                }
                Self::Secure(session) => session.send(message).await.map_err(|error| describe(&error)),
            }
        });
        sent.await.unwrap_or_else(|_| Err("the receiver does not accept data".to_owned()))
    }

    /// Waits for the next message and passes it to `handle`. Canceling the wait loses no data.
    ///
    /// # Errors
    /// If the connection has ended. An ICMP error does not end it.
    pub(crate) async fn receive(&mut self, handle: impl FnOnce(&mut [u8])) -> Result<(), String> {
        match self {
            Self::Udp { socket, buffer } => {
                if let Ok(length) = socket.recv(buffer).await {
                    handle(buffer.get_mut(..length).unwrap_or_default());
                }
                Ok(())
            }
            Self::Tcp { stream, buffer } => receive_from_stream(stream, buffer, handle).await,
            Self::Secure(session) => {
                let message = session.receive().await.map_err(|error| describe(&error))?;
                handle(&mut message.to_vec());
                Ok(())
            }
        }
    }

    /// Closes the connection or session, which `recorder` counts.
    pub(crate) async fn close(self, endpoint: &Endpoint, recorder: &Recorder) {
        if let (Self::Secure(session), Endpoint::Secure(request)) = (self, endpoint) {
            session_counters::closed(recorder, request.transport);
            let _ = timeout(MAX_CLOSE_TIME, session.close()).await;
        }
    }
}

/// Returns the text of an error. The peer of this session is a receiver, not an agent.
fn describe(error: &ChannelError) -> String {
    format!("{}: {}", error.step, error.cause.replace("the agent", "the receiver"))
}

async fn receive_from_stream(
    stream: &TcpStream,
    buffer: &mut FrameBuffer,
    handle: impl FnOnce(&mut [u8]),
) -> Result<(), String> {
    let malformed = |_| "the receiver sent a malformed message".to_owned();
    while !buffer.has_frame().map_err(malformed)? {
        stream.readable().await.map_err(|error| error.to_string())?;
        match stream.try_read(buffer.free_space()) {
            Ok(0) => return Err("the receiver closed the connection".to_owned()),
            Ok(count) => buffer.advance(count),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    match buffer.next_frame() {
        Ok(Some(Frame::Message(message))) => {
            handle(&mut message.to_vec());
            Ok(())
        }
        _ => Err("the receiver sent a malformed message".to_owned()),
    }
}

/// The maximum size of a datagram.
const MAX_DATAGRAM: usize = 65_535;
/// The maximum time for which a receiver may leave data unread.
const MAX_SEND_TIME: Duration = Duration::from_secs(10);
/// The maximum time for which a session is closed.
const MAX_CLOSE_TIME: Duration = Duration::from_secs(1);
