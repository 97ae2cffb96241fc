//! An open connection or session with one target.

mod opening;

use std::{
    cell::RefCell,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use portreeve_broker_protocol::{Frame, FrameBuffer, Transport};
use portreeve_channel::{ChannelError, ChannelReason, ChannelStep};
use portreeve_secure_session::SecureSession;
use portreeve_snmp_engine::statistics::Recorder;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpStream, UdpSocket},
    task::consume_budget,
    time::{Instant, timeout},
};

use crate::{destination::Endpoint, file_reads::TargetFileReads, session_counters};
use opening::open_session;

/// An open connection or session.
pub(crate) enum Connection {
    Udp(UdpSocket),
    Tcp(TcpStream, FrameBuffer),
    Secure(Box<OpenSession>),
}

/// A session that the counters of its transport model include.
pub(crate) struct OpenSession {
    session: SecureSession,
    transport: Transport,
    recorder: Recorder,
    /// The time until which the receiver may reject the session, although it is open on this side:
    /// a server of TLS 1.3 verifies the client's certificate, and an SSH server starts the
    /// subsystem, while the client already sends. `None` after the first message of the receiver.
    rejectable_until: Option<Instant>,
}

impl Connection {
    /// Opens a connection or session, which `recorder` counts. `reads` executes the reads of the
    /// target's files.
    pub(crate) async fn open(
        endpoint: &Endpoint,
        max_time: Duration,
        recorder: &Recorder,
        reads: &Arc<TargetFileReads>,
    ) -> Result<Self, ConnectionEnd> {
        match endpoint {
            Endpoint::Udp(address) => Ok(Self::Udp(open_udp(*address).await?)),
            Endpoint::Tcp(address) => match timeout(max_time, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    // Without the option, a message may wait for an acknowledgement.
                    let _ = stream.set_nodelay(true);
                    Ok(Self::Tcp(stream, FrameBuffer::default()))
                }
                Ok(Err(error)) => Err(ConnectionEnd::failed(format!("cannot connect: {error}"))),
                Err(_) => Err(ConnectionEnd::failed(format!("cannot connect within {max_time:?}"))),
            },
            Endpoint::Secure(endpoint) => Ok(Self::Secure(Box::new(OpenSession {
                session: open_session(endpoint, max_time, recorder, reads).await?,
                transport: endpoint.request.transport,
                recorder: recorder.clone(),
                rejectable_until: Some(Instant::now() + MAX_REJECTION_TIME),
            }))),
        }
    }

    /// Returns the own IPv4 address, for traps of SNMPv1.
    pub(crate) fn own_ipv4(&self) -> Option<[u8; 4]> {
        let address = match self {
            Self::Udp(socket) => socket.local_addr(),
            Self::Tcp(stream, _) => stream.local_addr(),
            Self::Secure(_) => return None,
        };
        match address.ok()?.ip() {
            IpAddr::V4(address) => Some(address.octets()),
            IpAddr::V6(_) => None,
        }
    }

    /// Returns true if the receiver may still reject the session, and with it what is sent.
    pub(crate) fn is_rejectable(&self) -> bool {
        matches!(self, Self::Secure(open) if open.is_rejectable())
    }

    /// Returns the time for which the receiver may still reject the session.
    pub(crate) fn rejection_time_left(&self) -> Duration {
        match self {
            Self::Secure(open) => open.rejection_time_left(),
            Self::Udp(_) | Self::Tcp(..) => Duration::ZERO,
        }
    }

    /// Sends a whole message.
    ///
    /// # Errors
    /// If the connection has ended, or the receiver does not accept data.
    pub(crate) async fn send(&mut self, message: &[u8]) -> Result<(), ConnectionEnd> {
        let sent = timeout(MAX_SEND_TIME, async {
            match self {
                Self::Udp(socket) => match socket.send(message).await {
                    Ok(_) => Ok(()),
                    // The kernel reports an ICMP error of an earlier datagram once: send again.
                    Err(_) => Ok(socket.send(message).await.map(|_| ())?),
                },
                Self::Tcp(stream, _) => Ok(stream.write_all(message).await?),
                Self::Secure(open) => {
                    let sent = open.session.send(message).await;
                    sent.map_err(|error| open.end(&error))
                }
            }
        });
        sent.await.unwrap_or_else(|_| Err(ConnectionEnd::failed("the receiver does not accept data")))
    }

    /// Waits for the next message and passes it to `handle`. Canceling the wait loses no data.
    /// `datagram` is the memory for a datagram, which all targets share.
    ///
    /// # Errors
    /// If the connection has ended. An ICMP error does not end it.
    pub(crate) async fn receive(
        &mut self,
        datagram: &RefCell<Box<[u8]>>,
        handle: impl FnOnce(&mut [u8]),
    ) -> Result<(), ConnectionEnd> {
        // A receiver that sends without end would otherwise keep the thread from all other targets:
        // a socket that always has data never makes the task wait.
        consume_budget().await;
        match self {
            Self::Udp(socket) => {
                socket.readable().await?;
                let mut buffer = datagram.borrow_mut();
                if let Ok(length) = socket.try_recv(&mut buffer) {
                    handle(buffer.get_mut(..length).unwrap_or_default());
                }
                Ok(())
            }
            Self::Tcp(stream, buffer) => receive_from_stream(stream, buffer, handle).await,
            Self::Secure(open) => {
                let mut message = match open.session.receive().await {
                    Ok(message) => message.to_vec(),
                    Err(error) => return Err(open.end(&error)),
                };
                open.rejectable_until = None;
                handle(&mut message);
                Ok(())
            }
        }
    }

    /// Closes the connection or session.
    pub(crate) async fn close(self) {
        if let Self::Secure(open) = self {
            session_counters::count_close(&open.recorder, open.transport);
            let _ = timeout(MAX_CLOSE_TIME, open.session.close()).await;
        }
    }
}

impl OpenSession {
    /// Returns what the error means, and counts a rejection. The session is not used after it.
    fn end(&self, error: &ChannelError) -> ConnectionEnd {
        let has_reason = matches!(error.step, ChannelStep::ClientIdentity | ChannelStep::Subsystem);
        let is_rejection = has_reason || self.is_rejectable();
        if is_rejection {
            session_counters::count_failure(&self.recorder, self.transport, error);
        }
        let explanation = if is_rejection && !has_reason { MAY_BE_UNTRUSTED } else { "" };
        let reason = describe(error) + explanation;
        ConnectionEnd { reason, is_rejection, cause: error.reason }
    }

    fn is_rejectable(&self) -> bool {
        !self.rejection_time_left().is_zero()
    }

    fn rejection_time_left(&self) -> Duration {
        let left = self.rejectable_until.map(|end| end.saturating_duration_since(Instant::now()));
        left.unwrap_or_default()
    }
}

/// The reason why a connection can no longer be used.
pub(crate) struct ConnectionEnd {
    pub(crate) reason: String,
    /// True if the receiver has rejected the session, and with it what was sent.
    pub(crate) is_rejection: bool,
    /// The cause, if the transport models count it on its own.
    pub(crate) cause: Option<ChannelReason>,
}

impl ConnectionEnd {
    /// Creates the reason of a failure that is not a rejection of the session.
    pub(crate) fn failed(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_rejection: false, cause: None }
    }
}

impl From<io::Error> for ConnectionEnd {
    fn from(error: io::Error) -> Self {
        Self::failed(error.to_string())
    }
}

/// Binds a socket that receives datagrams only from the target (RFC 3413 §3.3 step 6).
async fn open_udp(address: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = match address {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(any).await?;
    socket.connect(address).await?;
    Ok(socket)
}

/// Returns the text of an error. The peer of this session is a receiver, not an agent.
fn describe(error: &ChannelError) -> String {
    format!("{}: {}", error.step, error.cause.replace("the agent", "the receiver"))
}

async fn receive_from_stream(
    stream: &TcpStream,
    buffer: &mut FrameBuffer,
    handle: impl FnOnce(&mut [u8]),
) -> Result<(), ConnectionEnd> {
    let malformed = || ConnectionEnd::failed("the receiver sent a malformed message");
    while !buffer.has_frame().map_err(|_| malformed())? {
        stream.readable().await?;
        match stream.try_read(buffer.free_space()) {
            Ok(0) => return Err(ConnectionEnd::failed("the receiver closed the connection")),
            Ok(count) => buffer.advance(count),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
    }
    match buffer.next_frame() {
        Ok(Some(Frame::Message(message))) => {
            handle(&mut message.to_vec());
            Ok(())
        }
        _ => Err(malformed()),
    }
}

/// The explanation if the receiver ends a session at once, without a reason.
const MAY_BE_UNTRUSTED: &str = ": it may not accept the certificate of this agent";
/// The maximum time for which a receiver may leave data unread.
const MAX_SEND_TIME: Duration = Duration::from_secs(10);
/// The maximum time for which a session is closed.
const MAX_CLOSE_TIME: Duration = Duration::from_secs(1);
/// The time after which a session that the receiver has not rejected counts as accepted.
const MAX_REJECTION_TIME: Duration = Duration::from_secs(2);
