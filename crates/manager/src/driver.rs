//! One session over one blocking socket: the way for commands and scripts.

mod link;
mod tcp;
mod udp;

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    io,
    time::Instant,
};

use portreeve_smi::Timestamp;

use crate::{Credentials, PeerAddress, Request, RequestError, Response, Session, SessionOptions, Transport};
use link::{Link, Received};

/// A session with its socket. Requests are made one at a time and awaited.
pub struct Client {
    session: Session,
    link: Box<dyn Link>,
    started: Instant,
    statistics: Statistics,
}

/// What has gone over the wire so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Requests that got their Response.
    pub exchanges: u64,
    /// Variable bindings in those Responses.
    pub variables: u64,
    /// Messages sent, retransmissions and discovery included.
    pub messages_out: u64,
    /// Octets of SNMP messages sent.
    pub octets_out: u64,
    /// Octets of SNMP messages received.
    pub octets_in: u64,
}

impl Client {
    /// Resolves the address and opens a socket. Nothing is sent yet, but a TCP connection is made.
    pub fn open(
        address: &PeerAddress,
        credentials: Credentials,
        options: &SessionOptions,
    ) -> io::Result<Self> {
        let mut options = options.clone();
        let link: Box<dyn Link> = match address.transport {
            Transport::Udp => Box::new(udp::UdpLink::open(address)?),
            Transport::Tcp => {
                options.retry = options.retry.without_resending();
                Box::new(tcp::TcpLink::open(address, options.retry.patience())?)
            }
        };
        let session = Session::new(credentials, &options, random_seed());
        Ok(Self { session, link, started: Instant::now(), statistics: Statistics::default() })
    }

    /// Sends a request and waits for its end.
    pub fn request(&mut self, request: &Request) -> Result<Response, ClientError> {
        self.session.request(request);
        loop {
            let now = self.now();
            while let Some(message) = self.session.poll_output(now) {
                self.statistics.messages_out += 1;
                self.statistics.octets_out += message.len() as u64;
                self.link.send(message)?;
            }
            if let Some(event) = self.session.poll_event() {
                if let Ok(response) = &event.result {
                    self.statistics.exchanges += 1;
                    self.statistics.variables += response.var_binds().len() as u64;
                }
                return event.result.map_err(ClientError::Request);
            }
            self.wait(now)?;
        }
    }

    /// Takes back a response that is done with, so that its memory serves another.
    pub fn recycle(&mut self, response: Response) {
        self.session.recycle(response);
    }

    /// What has gone over the wire so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Until a message arrives or the session wants to act.
    fn wait(&mut self, now: Timestamp) -> Result<(), ClientError> {
        let started = self.started;
        let Some(timeout) = self.session.next_timeout() else { return Ok(()) };
        let received = match timeout.since(now) {
            left if left.is_zero() => Received::Nothing,
            left => self.link.receive(left)?,
        };
        let now = Timestamp::ZERO + started.elapsed();
        match received {
            Received::Message(message) => {
                self.statistics.octets_in += message.len() as u64;
                self.session.handle_input(now, message);
            }
            Received::Nothing => self.session.handle_timeout(now),
        }
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.started.elapsed()
    }
}

/// Why a client has no Response to show.
#[derive(Debug)]
pub enum ClientError {
    /// The request ended without one.
    Request(RequestError),
    /// This machine's sockets, or the connection, failed.
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

/// From the randomness that the standard library asks the system for to key its hash maps.
fn random_seed() -> u64 {
    RandomState::new().hash_one(std::process::id())
}
