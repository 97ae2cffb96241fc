//! DTLS over UDP.

use std::{
    fmt,
    future::pending,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{Key, Order};
use portreeve_channel::{ChannelError, Event, Fact, Observer, SecureDatagrams, Step};
use portreeve_channel_dtls::{DtlsClient, LONGEST_MESSAGE, ServerExpectation, Settings, hello::Answer};
use tokio::{
    io::{Interest, unix::AsyncFd},
    net::UdpSocket,
    time::{sleep_until, timeout},
};

use super::{
    Confirmation, ended,
    tls::{resolve, shown},
    watch::Watch,
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
    heard: Heard,
}

/// What has come before there is a handshake's end, as far as it is worth telling.
#[derive(Default)]
struct Heard {
    /// How often the server has had us show that we receive what is sent to our address.
    cookies: u32,
    /// Something that is no DTLS.
    foreign: Option<String>,
    /// How much of this was told.
    told_cookies: u32,
    has_told_foreign: bool,
}

impl DtlsSession {
    //= rfc6353#5.3.1-3
    pub(crate) async fn open(order: &Order, observer: &dyn Observer) -> Result<Self, ChannelError> {
        let expected = ServerExpectation::named(order.get(Key::ServerName).unwrap_or(&order.host))?;
        let (credentials, trust) = identity::read(order)?;
        let client = DtlsClient::new(&credentials, trust, Settings::default())
            .map_err(|error| ChannelError::at(Step::ClientIdentity, error.to_string()))?;
        let own = credentials.chain().first().map(|own| own.as_ref()).unwrap_or_default();
        let addresses = resolve(order, observer).await?;
        let Some((last, others)) = addresses.split_last() else {
            let found = format!("{} has no address of that family", order.host);
            return Err(ChannelError::at(Step::Resolve, found));
        };
        observer.begins(Step::Connect);
        let unreachable = |error: io::Error| {
            ChannelError::at(Step::Connect, format!("{} port {}: {error}", order.host, order.port))
        };
        let silence = order.patience.div_f64(addresses.len() as f64).min(SILENCE);
        for address in others {
            let attempt = async {
                let socket = socket(*address).await.map_err(unreachable)?;
                let mut session = Self::new(socket, client.connect(Instant::now(), &expected)?)?;
                session.hear(silence).await.map(|()| session)
            };
            match attempt.await {
                Ok(session) => {
                    observer.finds(Fact::new("connected", address.to_string()));
                    return session.handshake(own, observer).await;
                }
                Err(error) => {
                    observer.finds(Fact::new("unreachable", format!("{address}: {}", error.cause)));
                }
            }
        }
        // It has all the time that is left.
        let socket = socket(*last).await.map_err(unreachable)?;
        observer.finds(Fact::new("connected", last.to_string()));
        Self::over(socket, client.connect(Instant::now(), &expected)?, own, observer).await
    }

    #[expect(
        deprecated,
        reason = "unsound only for what changes its descriptor, and what replaces it is unsafe"
    )]
    fn new(socket: UdpSocket, channel: Box<dyn SecureDatagrams>) -> Result<Self, ChannelError> {
        let socket = socket.into_std().and_then(|socket| AsyncFd::with_interest(socket, Interest::READABLE));
        Ok(Self {
            socket: socket.map_err(|error| ChannelError::at(Step::Connect, error.to_string()))?,
            channel,
            datagram: vec![0; LONGEST_DATAGRAM],
            message: vec![0; LONGEST_MESSAGE],
            peer: String::new(),
            heard: Heard::default(),
        })
    }

    /// Says the first words until something comes back, which is kept for the handshake.
    async fn hear(&mut self, patience: Duration) -> Result<(), ChannelError> {
        let heard = timeout(patience, async {
            loop {
                self.flush()?;
                if self.wait().await? {
                    return Ok(());
                }
            }
        });
        let silent = format!("nothing came back within {patience:?}");
        heard.await.unwrap_or_else(|_| Err(ChannelError::at(Step::Connect, silent)))
    }

    /// Over a connected socket, with a channel that has said nothing yet. `own` is the certificate that it presents.
    pub(super) async fn over(
        socket: UdpSocket,
        channel: Box<dyn SecureDatagrams>,
        own: &[u8],
        observer: &dyn Observer,
    ) -> Result<Self, ChannelError> {
        Self::new(socket, channel)?.handshake(own, observer).await
    }

    async fn handshake(mut self, own: &[u8], observer: &dyn Observer) -> Result<Self, ChannelError> {
        let mut watch = Watch::begin(observer);
        let failure = loop {
            let event = self.next_event_told(observer).await;
            watch.look(&self.channel.handshake());
            if let Ok(Event::Failed(error)) = &event
                && error.step == Step::ClientIdentity
            {
                watch.we_are_judged(&self.channel.handshake(), own);
            }
            match event? {
                Event::Open => {
                    self.peer = self.channel.peer().map(shown).unwrap_or_default();
                    self.flush()?;
                    if let Some(peer) = self.channel.peer() {
                        watch.server_is_known(&self.channel.handshake(), peer, own);
                    }
                    return Ok(self);
                }
                // Nothing is said before the handshake is done.
                Event::Message(_) => {}
                Event::ClosedByPeer => break refused("the server has ended the handshake"),
                Event::Failed(error) => break error,
            }
        };
        // The server is told why, where it still listens.
        let _ = self.flush();
        Err(failure)
    }

    /// A server of DTLS 1.3 that refuses us closes the session which for us has just begun.
    pub(crate) async fn confirm(&mut self, patience: Duration) -> Result<Confirmation, ChannelError> {
        if self.channel.protocol() != "DTLSv1.3" {
            return Ok(Confirmation::Taken);
        }
        let event = match timeout(patience, self.next_event()).await {
            Ok(event) => event?,
            Err(_) => return Ok(Confirmation::NoObjection),
        };
        let refused = |mut error: ChannelError| {
            error.step = Step::ClientIdentity;
            error
        };
        match event {
            Event::ClosedByPeer => Err(refused(self::refused("the server has closed the session at once"))),
            Event::Failed(error) => Err(refused(error)),
            // Nothing was asked yet, so a message is of no interest.
            Event::Message(_) | Event::Open => Ok(Confirmation::Taken),
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
                Event::Message(range) => break range,
                Event::ClosedByPeer => return Err(refused("the agent has closed the session")),
                Event::Failed(error) => return Err(error),
                Event::Open => {}
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
    async fn next_event_told(&mut self, observer: &dyn Observer) -> Result<Event, ChannelError> {
        loop {
            self.heard.tell(observer);
            if let Some(event) = self.channel.poll_event(&mut self.message) {
                return Ok(event);
            }
            self.flush()?;
            self.wait().await?;
        }
    }

    /// Waits until something has happened. Whoever stops waiting loses nothing but what datagrams may lose.
    async fn next_event(&mut self) -> Result<Event, ChannelError> {
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
                    self.heard.note(datagram);
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
        let step = if self.channel.peer().is_some() { Step::Data } else { Step::Connect };
        ChannelError::at(step, format!("the agent cannot be reached: {error}"))
            .cured_by("see that the agent listens there, and that nothing between keeps it away")
    }
}

impl Heard {
    fn note(&mut self, datagram: &[u8]) {
        match Answer::of(datagram) {
            Answer::Cookie => self.cookies = self.cookies.saturating_add(1),
            Answer::Record => {}
            Answer::Echo => self.foreign = Some("our own words, as an echo sends them back".to_owned()),
            Answer::Foreign => {
                let begin = datagram.get(..datagram.len().min(SHOWN)).unwrap_or_default();
                let text = String::from_utf8_lossy(begin).escape_debug().to_string();
                self.foreign = Some(format!("{} octets that begin with \"{text}\"", datagram.len()));
            }
        }
    }

    fn tell(&mut self, observer: &dyn Observer) {
        let (before, now) = (self.told_cookies, self.cookies);
        if before == 0 && now > 0 {
            observer.finds(Fact::new("cookie", "returned to the server"));
        }
        if before < MANY_COOKIES && now >= MANY_COOKIES {
            observer.finds(Fact::new("cookie-again", "the server asks for it again and again"));
        }
        self.told_cookies = now;
        if let Some(foreign) = self.foreign.as_ref().filter(|_| !self.has_told_foreign) {
            observer.finds(Fact::new("no-dtls", foreign));
            self.has_told_foreign = true;
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
fn refused(how: &str) -> ChannelError {
    ended(how).cured_by("the agent's log says why; it may not trust the certificate that was presented")
}

/// Octets of something strange that are shown.
const SHOWN: usize = 24;
/// More than a server of any version asks for, even where datagrams are lost.
const MANY_COOKIES: u32 = 5;
/// In octets.
const LONGEST_DATAGRAM: usize = 1 << 16;
/// How long an address may say nothing before another is tried: a lost datagram has been sent again by then.
const SILENCE: Duration = Duration::from_millis(2500);
