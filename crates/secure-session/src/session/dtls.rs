//! Sessions over DTLS and UDP.

use std::{
    fmt,
    future::pending,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{SessionOption, SessionRequest};
use portreeve_channel::{
    ChannelError, ChannelEvent, ChannelObserver, ChannelStep, Fact, FileReads, SecureDatagrams,
};
use portreeve_channel_dtls::{
    DtlsClient, MAX_MESSAGE_LEN, ServerExpectation, Settings, hello::FirstResponse,
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    net::UdpSocket,
    task::coop::consume_budget,
    time::{sleep_until, timeout},
};

use super::{
    Confirmation, ended,
    handshake_reporter::HandshakeReporter,
    tls::{peer_text, resolve},
};
use crate::identity;

pub(crate) struct DtlsSession {
    /// Registered for reading only: the socket becomes writable whenever a datagram has been sent,
    /// and would wake the task needlessly.
    socket: AsyncFd<std::net::UdpSocket>,
    channel: Box<dyn SecureDatagrams>,
    /// The datagram that is being received or sent.
    datagram: Vec<u8>,
    /// The message that was received last.
    message: Vec<u8>,
    peer: String,
    first_responses: FirstResponses,
}

/// Responses before the end of the handshake, as far as they are worth reporting.
#[derive(Default)]
struct FirstResponses {
    /// The number of times the server has requested a proof of our address.
    cookies: u32,
    /// A description of a response that is not DTLS.
    not_dtls: Option<String>,
    /// The number of cookie requests already reported.
    reported_cookies: u32,
    is_not_dtls_reported: bool,
}

impl DtlsSession {
    //= rfc6353#5.3.1-3
    pub(crate) async fn open(
        request: &SessionRequest,
        reads: &dyn FileReads,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let expected =
            ServerExpectation::named(request.get(SessionOption::ServerName).unwrap_or(&request.host))?;
        let (credentials, trust) = identity::read(request, reads).await?;
        let client = DtlsClient::new(&credentials, trust, Settings::default())
            .map_err(|error| ChannelError::at(ChannelStep::ClientIdentity, error.to_string()))?;
        let own_certificate = credentials.chain().first().map(|leaf| leaf.as_ref()).unwrap_or_default();
        let addresses = resolve(request, observer).await?;
        let Some((last, others)) = addresses.split_last() else {
            let cause = format!("{} has no address of the requested family", request.host);
            return Err(ChannelError::at(ChannelStep::Resolve, cause));
        };
        observer.on_step(ChannelStep::Connect);
        let unreachable = |error: io::Error| {
            ChannelError::at(ChannelStep::Connect, format!("{} port {}: {error}", request.host, request.port))
        };
        let address_timeout = request.timeout.div_f64(addresses.len() as f64).min(ADDRESS_TIMEOUT);
        for address in others {
            let attempt = async {
                let socket = socket(*address).await.map_err(unreachable)?;
                let mut session = Self::new(socket, client.connect(Instant::now(), &expected)?)?;
                session.wait_for_response(address_timeout).await.map(|()| session)
            };
            match attempt.await {
                Ok(session) => {
                    observer.on_fact(Fact::new("connected", address.to_string()));
                    return session.handshake(own_certificate, observer).await;
                }
                Err(error) => {
                    observer.on_fact(Fact::new("unreachable", format!("{address}: {}", error.cause)));
                }
            }
        }
        // The last address may use the remaining time.
        let socket = socket(*last).await.map_err(unreachable)?;
        observer.on_fact(Fact::new("connected", last.to_string()));
        Self::establish(socket, client.connect(Instant::now(), &expected)?, own_certificate, observer).await
    }

    #[expect(
        deprecated,
        reason = "unsound only for types that change their descriptor; the replacement is unsafe"
    )]
    fn new(socket: UdpSocket, channel: Box<dyn SecureDatagrams>) -> Result<Self, ChannelError> {
        let socket = socket.into_std().and_then(|socket| AsyncFd::with_interest(socket, Interest::READABLE));
        Ok(Self {
            socket: socket.map_err(|error| ChannelError::at(ChannelStep::Connect, error.to_string()))?,
            channel,
            datagram: vec![0; MAX_DATAGRAM_LEN],
            message: vec![0; MAX_MESSAGE_LEN],
            peer: String::new(),
            first_responses: FirstResponses::default(),
        })
    }

    /// Sends the first flight, and retransmits it, until a response arrives. The response is stored
    /// for the handshake.
    async fn wait_for_response(&mut self, max_wait: Duration) -> Result<(), ChannelError> {
        let response = timeout(max_wait, async {
            loop {
                self.flush()?;
                if self.wait().await? {
                    return Ok(());
                }
            }
        });
        let message = format!("no response within {max_wait:?}");
        response.await.unwrap_or_else(|_| Err(ChannelError::at(ChannelStep::Connect, message)))
    }

    /// Establishes a session over a connected socket with a channel that has sent nothing yet.
    /// `own_certificate` is the certificate that it presents.
    pub(super) async fn establish(
        socket: UdpSocket,
        channel: Box<dyn SecureDatagrams>,
        own_certificate: &[u8],
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        Self::new(socket, channel)?.handshake(own_certificate, observer).await
    }

    async fn handshake(
        mut self,
        own_certificate: &[u8],
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let mut reporter = HandshakeReporter::start(observer);
        let failure = loop {
            let event = self.next_event_reported(observer).await;
            reporter.report_new(&self.channel.handshake());
            if let Ok(ChannelEvent::Failed(error)) = &event
                && error.step == ChannelStep::ClientIdentity
            {
                reporter.report_client_certificate(&self.channel.handshake(), own_certificate);
            }
            match event? {
                ChannelEvent::Open => {
                    self.peer = self.channel.peer().map(peer_text).unwrap_or_default();
                    self.flush()?;
                    if let Some(peer) = self.channel.peer() {
                        reporter.report_verified_server(&self.channel.handshake(), peer, own_certificate);
                    }
                    return Ok(self);
                }
                // The channel delivers no messages before the handshake is done.
                ChannelEvent::Message(_) => {}
                ChannelEvent::ClosedByPeer => {
                    break rejected("the server closed the session during the handshake");
                }
                ChannelEvent::Failed(error) => break error,
            }
        };
        // Sends the alert with the reason, if the server still listens.
        let _ = self.flush();
        Err(failure)
    }

    /// Waits for a rejection: a DTLS 1.3 server that rejects our certificate closes the session,
    /// which is already open on our side.
    pub(crate) async fn confirm(&mut self, max_wait: Duration) -> Result<Confirmation, ChannelError> {
        if self.channel.protocol() != "DTLSv1.3" {
            return Ok(Confirmation::Accepted);
        }
        let event = match timeout(max_wait, self.next_event()).await {
            Ok(event) => event?,
            Err(_) => return Ok(Confirmation::NoObjection),
        };
        let at_client_identity = |mut error: ChannelError| {
            error.step = ChannelStep::ClientIdentity;
            error
        };
        match event {
            ChannelEvent::ClosedByPeer => {
                Err(at_client_identity(rejected("the server closed the session immediately")))
            }
            ChannelEvent::Failed(error) => Err(at_client_identity(error)),
            // Nothing was requested yet, so the message is ignored.
            ChannelEvent::Message(_) | ChannelEvent::Open => Ok(Confirmation::Accepted),
        }
    }

    pub(crate) fn peer(&self) -> &str {
        &self.peer
    }

    pub(crate) fn protocol(&self) -> &'static str {
        self.channel.protocol()
    }

    pub(crate) async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        self.channel.send(Instant::now(), message)?;
        self.flush()
    }

    pub(crate) async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        let range = loop {
            match self.next_event().await? {
                ChannelEvent::Message(range) => break range,
                ChannelEvent::ClosedByPeer => return Err(rejected("the agent closed the session")),
                ChannelEvent::Failed(error) => return Err(error),
                ChannelEvent::Open => {}
            }
        };
        Ok(self.message.get(range).unwrap_or_default())
    }

    pub(crate) async fn close(mut self) {
        self.channel.close(Instant::now());
        // If the agent no longer runs, it does not need the alert.
        let _ = self.flush();
    }

    /// Like [`Self::next_event`], but reports responses as they arrive, so that an observer knows
    /// the reason for a long wait.
    async fn next_event_reported(
        &mut self,
        observer: &dyn ChannelObserver,
    ) -> Result<ChannelEvent, ChannelError> {
        loop {
            self.first_responses.report(observer);
            if let Some(event) = self.channel.poll_event(&mut self.message) {
                return Ok(event);
            }
            self.flush()?;
            self.wait().await?;
        }
    }

    /// Waits for the next event. Canceling the wait loses at most a datagram.
    async fn next_event(&mut self) -> Result<ChannelEvent, ChannelError> {
        loop {
            if let Some(event) = self.channel.poll_event(&mut self.message) {
                return Ok(event);
            }
            self.flush()?;
            self.wait().await?;
        }
    }

    /// Waits for a datagram or the next timeout; returns `true` if a datagram arrived.
    async fn wait(&mut self) -> Result<bool, ChannelError> {
        // As in a TLS session.
        consume_budget().await;
        let next = self.channel.next_timeout();
        let timer = async {
            match next {
                Some(next) => sleep_until(next.into()).await,
                None => pending().await,
            }
        };
        tokio::select! {
            readable = self.socket.readable() => drop(readable.map_err(|error| self.lost(&error))?),
            () = timer => {
                self.channel.handle_timeout(Instant::now());
                return Ok(false);
            }
        }
        let Self { socket, datagram, .. } = self;
        match socket.try_io(Interest::READABLE, |socket| socket.recv(datagram)) {
            Ok(count) => {
                let datagram = self.datagram.get_mut(..count).unwrap_or_default();
                if self.channel.peer().is_none() {
                    self.first_responses.record(datagram);
                }
                self.channel.handle_datagram(Instant::now(), datagram);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(self.lost(&error)),
        }
    }

    /// Sends waiting datagrams. If the socket's buffer is full, they are lost, which DTLS
    /// tolerates.
    fn flush(&mut self) -> Result<(), ChannelError> {
        while let Some(count) = self.channel.poll_transmit(&mut self.datagram) {
            let datagram = self.datagram.get(..count).unwrap_or_default();
            match self.socket.get_ref().send(datagram) {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(self.lost(&error)),
                _ => {}
            }
        }
        Ok(())
    }

    fn lost(&self, error: &io::Error) -> ChannelError {
        let step = if self.channel.peer().is_some() { ChannelStep::Data } else { ChannelStep::Connect };
        ChannelError::at(step, format!("the agent is not reachable: {error}"))
            .with_hint("check that the agent listens there, and that no firewall blocks it")
    }
}

impl FirstResponses {
    fn record(&mut self, datagram: &[u8]) {
        match FirstResponse::classify(datagram) {
            FirstResponse::CookieRequest => self.cookies = self.cookies.saturating_add(1),
            FirstResponse::Record => {}
            FirstResponse::ClientHello => {
                self.not_dtls = Some("our own datagram, as an echo server returns it".to_owned())
            }
            FirstResponse::NotDtls => {
                let begin = datagram.get(..datagram.len().min(MAX_SHOWN_OCTETS)).unwrap_or_default();
                let text = String::from_utf8_lossy(begin).escape_debug().to_string();
                self.not_dtls = Some(format!("{} octets that start with \"{text}\"", datagram.len()));
            }
        }
    }

    fn report(&mut self, observer: &dyn ChannelObserver) {
        let (before, now) = (self.reported_cookies, self.cookies);
        if before == 0 && now > 0 {
            observer.on_fact(Fact::new("cookie", "returned to the server"));
        }
        if before < MAX_COOKIE_REQUESTS && now >= MAX_COOKIE_REQUESTS {
            observer.on_fact(Fact::new("cookie-repeated", "the server requests the cookie again and again"));
        }
        self.reported_cookies = now;
        if let Some(description) = self.not_dtls.as_ref().filter(|_| !self.is_not_dtls_reported) {
            observer.on_fact(Fact::new("not-dtls", description));
            self.is_not_dtls_reported = true;
        }
    }
}

impl fmt::Debug for DtlsSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtlsSession").field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// Connects a UDP socket to an address. That does not show if anything listens there.
async fn socket(address: SocketAddr) -> io::Result<UdpSocket> {
    let any: IpAddr =
        if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).await?;
    socket.connect(address).await?;
    Ok(socket)
}

/// An error for a session that the server has closed. The server may have rejected our certificate,
/// which a DTLS 1.3 server does only after the handshake.
fn rejected(cause: &str) -> ChannelError {
    ended(cause)
        .with_hint("see the agent's log for the reason; the agent may not trust the client certificate")
}

/// The maximum number of octets that an error shows of a response that is not DTLS.
const MAX_SHOWN_OCTETS: usize = 24;
/// The number of cookie requests that is reported as a problem: more than a server of any version
/// needs, even if datagrams are lost.
const MAX_COOKIE_REQUESTS: u32 = 5;
/// The maximum length of a datagram in octets.
const MAX_DATAGRAM_LEN: usize = 1 << 16;
/// The time without a response after which the next address is tried. A lost datagram has been
/// retransmitted by then.
const ADDRESS_TIMEOUT: Duration = Duration::from_millis(2500);
