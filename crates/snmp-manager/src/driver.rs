//! One session over one blocking socket, for commands and scripts.

mod explain;
mod link;
mod stream;
mod trap_sender;
mod udp;
mod walk;

use std::{
    collections::VecDeque,
    fmt,
    hash::{BuildHasher, RandomState},
    io,
    net::SocketAddr,
    time::Instant,
};

use portreeve_smi::{ClockReading, EngineId, Timestamp};

use crate::{
    Credentials, PeerAddress, Request, RequestError, RequestEvent, RequestHandle, Response, Session,
    SessionOptions, Transport,
};
pub use link::{Link, LinkInput};
pub use stream::{Stream, StreamLink};
pub use trap_sender::TrapSender;
pub use walk::ClientWalkError;

/// A session with its socket. Requests are sent one at a time with [`Client::request`], or several
/// in parallel with [`Client::send`].
///
/// ```no_run
/// use portreeve_snmp_manager::{Client, Credentials, Operation, Request, SessionOptions};
/// use portreeve_secret::Secret;
///
/// let community = Credentials::V2c(Secret::from("public"));
/// let mut client = Client::open(&"192.0.2.1".parse()?, community, &SessionOptions::default())?;
/// for interface in 1..=8 {
///     client.send(&Request::read(Operation::Get, [[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, interface]]));
/// }
/// while let Some(event) = client.next_event()? {
///     println!("{:?}: {:?}", event.handle, event.result);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Client {
    session: Session,
    link: Box<dyn Link>,
    started: Instant,
    statistics: ClientStatistics,
    /// Events of other requests that ended while the client waited for one request.
    other_events: VecDeque<RequestEvent>,
    observer: Option<MessageObserver>,
}

type MessageObserver = Box<dyn FnMut(WireMessage<'_>)>;

/// An encoded SNMP message, sent or received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireMessage<'m> {
    /// A message to the agent, immediately before it is sent.
    Sent(&'m [u8]),
    /// A message from the agent, before any check.
    Received(&'m [u8]),
}

/// Counters of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientStatistics {
    /// Requests that received a Response.
    pub exchanges: u64,
    /// Variable bindings in those Responses.
    pub variables: u64,
    /// Messages sent, including retransmissions and discovery.
    pub messages_out: u64,
    /// Octets of SNMP messages sent.
    pub octets_out: u64,
    /// Octets of SNMP messages received.
    pub octets_in: u64,
}

impl Client {
    /// Resolves the address and opens a socket. Over UDP nothing is sent; over TCP, and to a Unix
    /// socket, the connection is established. For a secure transport, open the session yourself and
    /// use [`Self::with_link`].
    ///
    /// # Errors
    /// The name cannot be resolved, the socket cannot be opened, or the transport is a secure one
    /// (`Unsupported`).
    pub fn open(
        address: &PeerAddress,
        credentials: Credentials,
        options: &SessionOptions,
    ) -> io::Result<Self> {
        Ok(Self::with_boxed_link(open_link(address, options)?, credentials, options))
    }

    /// Creates a client over an existing link to one agent. If the link does not lose messages,
    /// each request is sent only once; its total timeout remains as in `options`.
    pub fn with_link(link: impl Link + 'static, credentials: Credentials, options: &SessionOptions) -> Self {
        Self::with_boxed_link(Box::new(link), credentials, options)
    }

    fn with_boxed_link(link: Box<dyn Link>, credentials: Credentials, options: &SessionOptions) -> Self {
        let mut options = options.clone();
        if !link.loses_messages() {
            options.retry = options.retry.without_retransmission();
        }
        let session = Session::new(credentials, &options, random_seed());
        let (statistics, other_events) = (ClientStatistics::default(), VecDeque::new());
        Self { session, link, started: Instant::now(), statistics, other_events, observer: None }
    }

    /// Sends a request and waits for its result. Requests sent with [`Self::send`] remain in
    /// flight.
    ///
    /// # Errors
    /// The request got no acceptable Response, or the link failed.
    pub fn request(&mut self, request: &Request) -> Result<Response, ClientError> {
        let handle = self.send(request);
        loop {
            match self.await_event()? {
                Some(event) if event.handle == handle => return event.result.map_err(ClientError::Request),
                Some(event) => self.other_events.push_back(event),
                None => {
                    return Err(ClientError::Request(RequestError::Timeout(self.session.last_drop_reason())));
                }
            }
        }
    }

    /// Queues a request. [`Self::next_event`] sends it and returns its result.
    pub fn send(&mut self, request: &Request) -> RequestHandle {
        self.session.request(request)
    }

    /// Waits until one of the queued requests has ended; `None` if none is left.
    ///
    /// # Errors
    /// The link failed.
    pub fn next_event(&mut self) -> io::Result<Option<RequestEvent>> {
        match self.other_events.pop_front() {
            Some(event) => Ok(Some(event)),
            None => self.await_event(),
        }
    }

    fn await_event(&mut self) -> io::Result<Option<RequestEvent>> {
        loop {
            let now = self.now();
            while let Some(message) = self.session.poll_output(now) {
                self.statistics.messages_out += 1;
                self.statistics.octets_out += message.len() as u64;
                if let Some(observer) = &mut self.observer {
                    observer(WireMessage::Sent(message));
                }
                self.link.send(message)?;
            }
            if let Some(event) = self.session.poll_event() {
                if let Ok(response) = &event.result {
                    self.statistics.exchanges += 1;
                    self.statistics.variables += response.var_binds().len() as u64;
                }
                return Ok(Some(event));
            }
            if !self.wait(now)? {
                return Ok(None);
            }
        }
    }

    /// Returns true if the session uses SNMPv1, which has no GetBulk.
    pub fn is_v1(&self) -> bool {
        self.session.is_v1()
    }

    /// Takes back a used response, to reuse its memory.
    pub fn recycle(&mut self, response: Response) {
        self.session.recycle(response);
    }

    /// Passes each encoded message from now on to `observer`.
    pub fn observe(&mut self, observer: impl FnMut(WireMessage<'_>) + 'static) {
        self.observer = Some(Box::new(observer));
    }

    /// Returns the local address and the agent's, if the transport has addresses.
    pub fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        self.link.addresses()
    }

    /// Returns the agent's engine ID, once it is known (SNMPv3).
    pub fn engine_id(&self) -> Option<EngineId> {
        self.session.engine_id()
    }

    /// Returns the current reading of the agent's clock, derived from its authentic messages;
    /// `None` before the first one (SNMPv3 with USM).
    pub fn engine_clock(&self) -> Option<ClockReading> {
        self.session.engine_clock(self.now())
    }

    /// Returns the counters since the client was created.
    pub fn statistics(&self) -> ClientStatistics {
        self.statistics
    }

    /// Waits until a message arrives or a timer of the session expires; `false` if neither can
    /// happen.
    fn wait(&mut self, now: Timestamp) -> io::Result<bool> {
        let started = self.started;
        let Some(timeout) = self.session.next_timeout() else { return Ok(false) };
        let received = match timeout.since(now) {
            left if left.is_zero() => LinkInput::Nothing,
            left => self.link.receive(left)?,
        };
        let now = Timestamp::ZERO + started.elapsed();
        match received {
            LinkInput::Message(message) => {
                self.statistics.octets_in += message.len() as u64;
                if let Some(observer) = &mut self.observer {
                    observer(WireMessage::Received(message));
                }
                self.session.handle_input(now, message);
            }
            LinkInput::Nothing => self.session.handle_timeout(now),
        }
        Ok(true)
    }

    fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.started.elapsed()
    }
}

/// Opens a socket to the address. A secure transport needs a session, which this crate does not
/// open.
fn open_link(address: &PeerAddress, options: &SessionOptions) -> io::Result<Box<dyn Link>> {
    let timeout = options.retry.total_timeout();
    Ok(match address.transport {
        Transport::Udp => Box::new(udp::UdpLink::open(address)?),
        Transport::Tcp => Box::new(StreamLink::new(stream::connect(address, timeout)?)),
        Transport::Unix => Box::new(StreamLink::new(stream::connect_unix(&address.host, timeout)?)),
        Transport::Ssh | Transport::Tls | Transport::Dtls => {
            let message = "a secure transport needs an open session: use with_link";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
    })
}

/// The reason why a request of a client received no Response.
#[derive(Debug)]
pub enum ClientError {
    /// The request ended without a Response.
    Request(RequestError),
    /// A local socket or the connection failed.
    Io(io::Error),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<io::Error> for ClientError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Derives a seed from the random keys of the standard library's hash maps, which come from the
/// system.
pub(crate) fn random_seed() -> u64 {
    RandomState::new().hash_one(std::process::id())
}
