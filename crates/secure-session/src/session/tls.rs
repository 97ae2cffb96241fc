//! Sessions over TLS and TCP.

use std::{
    fmt,
    io::{self, Read, Write},
    net::SocketAddr,
    time::Duration,
};

use portreeve_broker_protocol::{Frame, FrameBuffer, SessionOption, SessionRequest};
use portreeve_channel::{
    ChannelError, ChannelObserver, ChannelStep, Fact, FileReads, PeerIdentity, SecureStream,
};
use portreeve_channel_tls::{ServerExpectation, TlsClient, Versions};
use tokio::{
    io::Interest,
    net::{TcpStream, lookup_host},
    task::coop::consume_budget,
    time::timeout,
};

use super::{
    Confirmation, MALFORMED_MESSAGE, ended,
    handshake_reporter::{self, HandshakeReporter},
};
use crate::identity;

pub(crate) struct TlsSession {
    socket: TcpStream,
    channel: Box<dyn SecureStream>,
    buffer: FrameBuffer,
    peer: String,
}

impl TlsSession {
    //= rfc6353#5.3.1-3
    pub(crate) async fn open(
        request: &SessionRequest,
        reads: &dyn FileReads,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let expected =
            ServerExpectation::named(request.get(SessionOption::ServerName).unwrap_or(&request.host))?;
        let (credentials, trust) = identity::read(request, reads).await?;
        let client = TlsClient::new(&credentials, trust, Versions::From12)
            .map_err(|error| ChannelError::at(ChannelStep::ClientIdentity, error.to_string()))?;
        let socket = connect(request, observer).await?;
        let own_certificate = credentials.chain().first().map(|leaf| leaf.as_ref()).unwrap_or_default();
        let channel = client.connect_observed(&expected)?;
        Self::establish(socket, channel, own_certificate, observer).await
    }

    /// Establishes a session over a connection with a channel that has sent nothing yet.
    /// `own_certificate` is the certificate that it presents.
    pub(super) async fn establish(
        socket: TcpStream,
        channel: Box<dyn SecureStream>,
        own_certificate: &[u8],
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let mut reporter = HandshakeReporter::start(observer);
        let mut session = Self { socket, channel, buffer: FrameBuffer::default(), peer: String::new() };
        loop {
            // Our last handshake flight waits for the first message, so that both are sent
            // together.
            if let Some(peer) = session.channel.peer().cloned() {
                session.peer = peer_text(&peer);
                reporter.report_verified_server(&session.channel.handshake(), &peer, own_certificate);
                return Ok(session);
            }
            session.flush().await?;
            let read = session.read_once().await;
            reporter.report_new(&session.channel.handshake());
            if read.as_ref().is_err_and(|error| error.step == ChannelStep::ClientIdentity) {
                reporter.report_client_certificate(&session.channel.handshake(), own_certificate);
            }
            if read? == 0 {
                return Err(ChannelError::at(ChannelStep::Negotiate, "the server has closed the connection")
                    .with_hint("check that the port serves TLS, and see the server's log"));
            }
        }
    }

    /// Waits for the response of a TLS 1.3 server to our certificate: a ticket or an alert.
    pub(crate) async fn confirm(&mut self, max_wait: Duration) -> Result<Confirmation, ChannelError> {
        if self.channel.protocol() != "TLSv1.3" {
            return Ok(Confirmation::Accepted);
        }
        self.flush().await?;
        match timeout(max_wait, self.read_once()).await {
            Ok(Ok(0)) => {
                let cause = "the server closed the connection after it received the client certificate";
                Err(ChannelError::at(ChannelStep::ClientIdentity, cause)
                    .with_hint("configure the server to trust the certificate's authority or fingerprint; the server's log contains the reason"))
            }
            Ok(read) => read.map(|_| Confirmation::Accepted),
            Err(_) => Ok(Confirmation::NoObjection),
        }
    }

    pub(crate) fn peer(&self) -> &str {
        &self.peer
    }

    pub(crate) fn protocol(&self) -> &'static str {
        self.channel.protocol()
    }

    pub(crate) async fn send(&mut self, mut message: &[u8]) -> Result<(), ChannelError> {
        while !message.is_empty() {
            let accepted = self.channel.write(message);
            message = message.get(accepted..).unwrap_or_default();
            self.flush().await?;
        }
        Ok(())
    }

    pub(crate) async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        while !self.has_message()? {
            match self.channel.read(self.buffer.free_space()) {
                Ok(0) => return Err(ended("the agent closed the session")),
                Ok(count) => self.buffer.advance(count),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.flush().await?;
                    self.read_once().await?;
                }
                Err(_) => return Err(ended("the connection ended without a close alert")),
            }
        }
        match self.buffer.next_frame() {
            Ok(Some(Frame::Message(message))) => Ok(message),
            _ => Err(ended(MALFORMED_MESSAGE)),
        }
    }

    pub(crate) async fn close(mut self) {
        self.channel.close();
        portreeve_dial::cork_until_close(&self.socket);
        // If the agent no longer reads, it needs no alert.
        let _ = timeout(CLOSE_TIMEOUT, self.flush()).await;
    }

    fn has_message(&mut self) -> Result<bool, ChannelError> {
        self.buffer.has_frame().map_err(|_| ended(MALFORMED_MESSAGE))
    }

    /// Reads from the socket once; returns the number of octets, 0 at the end.
    async fn read_once(&mut self) -> Result<usize, ChannelError> {
        loop {
            // Waiting does not let other tasks run if the socket is readable, as it always is while
            // an agent floods the session.
            consume_budget().await;
            self.socket.readable().await.map_err(|error| self.lost(&error))?;
            match self.channel.receive(&mut NonBlocking(&self.socket))? {
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(self.lost(&error)),
            }
        }
    }

    async fn flush(&mut self) -> Result<(), ChannelError> {
        while self.channel.wants_transmit() {
            match self.channel.transmit(&mut NonBlocking(&self.socket)) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.socket.writable().await.map_err(|error| self.lost(&error))?;
                }
                Err(error) => return Err(self.lost(&error)),
            }
        }
        Ok(())
    }

    fn lost(&self, error: &io::Error) -> ChannelError {
        let step = if self.channel.peer().is_some() { ChannelStep::Data } else { ChannelStep::Negotiate };
        ChannelError::at(step, format!("connection lost: {error}"))
            .with_hint("see the server's log: the server may limit connections, or reject this address")
    }
}

impl fmt::Debug for TlsSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsSession").field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// The authenticated identity of the server, for display.
pub(super) fn peer_text(peer: &PeerIdentity) -> String {
    let PeerIdentity::Certificate(identity) = peer else { return String::new() };
    let leaf = &identity.leaf;
    match (&leaf.common_name, leaf.fingerprints.get(SHA_256_INDEX)) {
        (Some(name), _) => handshake_reporter::shortened(name.escape_debug().to_string()),
        (None, Some(fingerprint)) => fingerprint.to_string(),
        (None, None) => String::new(),
    }
}

/// Connects to the first of the agent's addresses that accepts the connection.
async fn connect(
    request: &SessionRequest,
    observer: &dyn ChannelObserver,
) -> Result<TcpStream, ChannelError> {
    let addresses = resolve(request, observer).await?;
    observer.on_step(ChannelStep::Connect);
    match portreeve_dial::connect(&addresses, None, observer).await {
        Ok(socket) => {
            // Without this option sessions are slower, but they work.
            let _ = socket.set_nodelay(true);
            Ok(socket)
        }
        Err(last) => {
            let cause = last.map_or_else(|| "no address".to_owned(), |(_, error)| error.to_string());
            Err(ChannelError::at(
                ChannelStep::Connect,
                format!("{} port {}: {cause}", request.host, request.port),
            )
            .with_hint("check that the agent listens there, and that no firewall blocks it"))
        }
    }
}

/// Resolves the agent's addresses, IPv4 first, as other SNMP commands do.
pub(super) async fn resolve(
    request: &SessionRequest,
    observer: &dyn ChannelObserver,
) -> Result<Vec<SocketAddr>, ChannelError> {
    observer.on_step(ChannelStep::Resolve);
    let found = lookup_host((request.host.as_str(), request.port)).await;
    let mut found: Vec<_> = match found {
        Ok(found) => found.collect(),
        Err(error) => {
            return Err(ChannelError::at(ChannelStep::Resolve, format!("{}: {error}", request.host)));
        }
    };
    found.retain(|address| match request.family {
        Some(4) => address.is_ipv4(),
        Some(_) => address.is_ipv6(),
        None => true,
    });
    found.sort_by_key(SocketAddr::is_ipv6);
    for address in &found {
        observer.on_fact(Fact::new("address", address.ip().to_string()));
    }
    Ok(found)
}

/// The socket in non-blocking mode.
struct NonBlocking<'s>(&'s TcpStream);

impl Read for NonBlocking<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.0.try_read(into)?;
        if (1..into.len()).contains(&count) {
            // The read did not fill the buffer, so no more data is available now. Mark the socket
            // as not readable, so that the next wait needs no further read.
            let emptied = || Err::<(), _>(io::ErrorKind::WouldBlock.into());
            let _ = self.0.try_io(Interest::READABLE, emptied);
        }
        Ok(count)
    }
}

impl Write for NonBlocking<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.try_write(octets)
    }

    fn write_vectored(&mut self, octets: &[io::IoSlice<'_>]) -> io::Result<usize> {
        self.0.try_write_vectored(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The index of SHA-256 in the list of fingerprints.
const SHA_256_INDEX: usize = 2;
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
