//! DTLS over UDP.

use std::{
    fmt,
    future::pending,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{SessionOption, SessionRequest};
use portreeve_channel::{ChannelError, ChannelEvent, ChannelObserver, ChannelStep, Fact, SecureDatagrams};
use portreeve_channel_dtls::{
    DtlsClient, MAX_MESSAGE_LEN, ServerExpectation, Settings, hello::FirstResponse,
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    net::UdpSocket,
    time::{sleep_until, timeout},
};

use super::{
    Confirmation, ended,
    handshake_reporter::HandshakeReporter,
    tls::{peer_text, resolve},
};
use crate::identity;

pub(crate) struct DtlsSession {
    /// Watched for reading only: the agent's taking a datagram makes it writable again, and would rouse us for nothing.
    socket: AsyncFd<std::net::UdpSocket>,
    channel: Box<dyn SecureDatagrams>,
    /// The datagram that comes or goes.
    datagram: Vec<u8>,
    /// The message that has come.
    message: Vec<u8>,
    peer: String,
    first_responses: FirstResponses,
}

/// What has come before there is a handshake's end, as far as it is worth telling.
#[derive(Default)]
struct FirstResponses {
    /// How often the server has had us show that we receive what is sent to our address.
    cookies: u32,
    /// Something that is no DTLS.
    not_dtls: Option<String>,
    /// How much of this was told.
    reported_cookies: u32,
    is_not_dtls_reported: bool,
}

impl DtlsSession {
    //= rfc6353#5.3.1-3
    pub(crate) async fn open(
        request: &SessionRequest,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let expected =
            ServerExpectation::named(request.get(SessionOption::ServerName).unwrap_or(&request.host))?;
        let (credentials, trust) = identity::read(request)?;
        let client = DtlsClient::new(&credentials, trust, Settings::default())
            .map_err(|error| ChannelError::at(ChannelStep::ClientIdentity, error.to_string()))?;
        let own_certificate =
            credentials.chain().first().map(|own_certificate| own_certificate.as_ref()).unwrap_or_default();
        let addresses = resolve(request, observer).await?;
        let Some((last, others)) = addresses.split_last() else {
            let found = format!("{} has no address of that family", request.host);
            return Err(ChannelError::at(ChannelStep::Resolve, found));
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
        // It has all the time that is left.
        let socket = socket(*last).await.map_err(unreachable)?;
        observer.on_fact(Fact::new("connected", last.to_string()));
        Self::establish(socket, client.connect(Instant::now(), &expected)?, own_certificate, observer).await
    }

    #[expect(
        deprecated,
        reason = "unsound only for what changes its descriptor, and what replaces it is unsafe"
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

    /// Says the first words until something comes back, which is kept for the handshake.
    async fn wait_for_response(&mut self, max_wait: Duration) -> Result<(), ChannelError> {
        let response = timeout(max_wait, async {
            loop {
                self.flush()?;
                if self.wait().await? {
                    return Ok(());
                }
            }
        });
        let message = format!("nothing came back within {max_wait:?}");
        response.await.unwrap_or_else(|_| Err(ChannelError::at(ChannelStep::Connect, message)))
    }

    /// Over a connected socket, with a channel that has said nothing yet. `own` is the certificate that it presents.
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
                // Nothing is said before the handshake is done.
                ChannelEvent::Message(_) => {}
                ChannelEvent::ClosedByPeer => break rejected("the server has ended the handshake"),
                ChannelEvent::Failed(error) => break error,
            }
        };
        // The server is told why, where it still listens.
        let _ = self.flush();
        Err(failure)
    }

    /// A server of DTLS 1.3 that refuses us closes the session which for us has just begun.
    pub(crate) async fn confirm(&mut self, max_wait: Duration) -> Result<Confirmation, ChannelError> {
        if self.channel.protocol() != "DTLSv1.3" {
            return Ok(Confirmation::Accepted);
        }
        let event = match timeout(max_wait, self.next_event()).await {
            Ok(event) => event?,
            Err(_) => return Ok(Confirmation::NoObjection),
        };
        let refused = |mut error: ChannelError| {
            error.step = ChannelStep::ClientIdentity;
            error
        };
        match event {
            ChannelEvent::ClosedByPeer => {
                Err(refused(self::rejected("the server has closed the session at once")))
            }
            ChannelEvent::Failed(error) => Err(refused(error)),
            // Nothing was asked yet, so a message is of no interest.
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
                ChannelEvent::ClosedByPeer => return Err(rejected("the agent has closed the session")),
                ChannelEvent::Failed(error) => return Err(error),
                ChannelEvent::Open => {}
            }
        };
        Ok(self.message.get(range).unwrap_or_default())
    }

    pub(crate) async fn close(mut self) {
        self.channel.close(Instant::now());
        // An agent that has gone need not know.
        let _ = self.flush();
    }

    /// As [`Self::next_event`], and what comes is told as it comes: whoever has heard nothing for long is asked what it was.
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

    /// Waits until something has happened. Whoever stops waiting loses nothing but what datagrams may lose.
    async fn next_event(&mut self) -> Result<ChannelEvent, ChannelError> {
        loop {
            if let Some(event) = self.channel.poll_event(&mut self.message) {
                return Ok(event);
            }
            self.flush()?;
            self.wait().await?;
        }
    }

    /// Waits for a datagram, or for the time at which something is to be said again; whether a datagram has come.
    async fn wait(&mut self) -> Result<bool, ChannelError> {
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

    /// Where the socket's buffer is full, datagrams are lost, as they may be.
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
        ChannelError::at(step, format!("the agent cannot be reached: {error}"))
            .with_hint("see that the agent listens there, and that nothing between keeps it away")
    }
}

impl FirstResponses {
    fn record(&mut self, datagram: &[u8]) {
        match FirstResponse::classify(datagram) {
            FirstResponse::CookieRequest => self.cookies = self.cookies.saturating_add(1),
            FirstResponse::Record => {}
            FirstResponse::ClientHello => {
                self.not_dtls = Some("our own words, as an echo sends them back".to_owned())
            }
            FirstResponse::NotDtls => {
                let begin = datagram.get(..datagram.len().min(MAX_SHOWN_OCTETS)).unwrap_or_default();
                let text = String::from_utf8_lossy(begin).escape_debug().to_string();
                self.not_dtls = Some(format!("{} octets that begin with \"{text}\"", datagram.len()));
            }
        }
    }

    fn report(&mut self, observer: &dyn ChannelObserver) {
        let (before, now) = (self.reported_cookies, self.cookies);
        if before == 0 && now > 0 {
            observer.on_fact(Fact::new("cookie", "returned to the server"));
        }
        if before < MAX_COOKIE_REQUESTS && now >= MAX_COOKIE_REQUESTS {
            observer.on_fact(Fact::new("cookie-again", "the server asks for it again and again"));
        }
        self.reported_cookies = now;
        if let Some(foreign) = self.not_dtls.as_ref().filter(|_| !self.is_not_dtls_reported) {
            observer.on_fact(Fact::new("no-dtls", foreign));
            self.is_not_dtls_reported = true;
        }
    }
}

impl fmt::Debug for DtlsSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtlsSession").field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// A socket towards an address: whether it is the right one, no socket can tell.
async fn socket(address: SocketAddr) -> io::Result<UdpSocket> {
    let any: IpAddr =
        if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).await?;
    socket.connect(address).await?;
    Ok(socket)
}

/// DTLS 1.3 refuses a client only once the handshake is done.
fn rejected(how: &str) -> ChannelError {
    ended(how).with_hint("the agent's log says why; it may not trust the certificate that was presented")
}

/// Octets of something strange that are shown.
const MAX_SHOWN_OCTETS: usize = 24;
/// More than a server of any version asks for, even where datagrams are lost.
const MAX_COOKIE_REQUESTS: u32 = 5;
/// In octets.
const MAX_DATAGRAM_LEN: usize = 1 << 16;
/// How long an address may say nothing before another is tried: a lost datagram has been sent again by then.
const ADDRESS_TIMEOUT: Duration = Duration::from_millis(2500);
