//! A session with an agent over a secure transport: whole messages, both ways.

mod tls;

use portreeve_broker_protocol::{Order, Transport};
use portreeve_channel::{ChannelError, Step};

use tls::TlsSession;

/// One session. Whoever drops it breaks it off; [`Session::close`] ends it in order.
#[derive(Debug)]
pub(crate) enum Session {
    Tls(Box<TlsSession>),
}

impl Session {
    pub(crate) async fn open(order: &Order) -> Result<Self, ChannelError> {
        match order.transport {
            Transport::Tls => Ok(Self::Tls(Box::new(TlsSession::open(order).await?))),
            Transport::Ssh | Transport::Dtls => {
                Err(ChannelError::at(Step::Negotiate, "this broker does not speak that transport"))
            }
        }
    }

    /// Whom the agent's side has proven to be, for people.
    pub(crate) fn peer(&self) -> &str {
        match self {
            Self::Tls(session) => session.peer(),
        }
    }

    /// Sends one message.
    pub(crate) async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        match self {
            Self::Tls(session) => session.send(message).await,
        }
    }

    /// Waits for the next message. Whoever stops waiting loses nothing.
    pub(crate) async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        match self {
            Self::Tls(session) => session.receive().await,
        }
    }

    /// Tells the agent that nothing more will come.
    pub(crate) async fn close(self) {
        match self {
            Self::Tls(session) => session.close().await,
        }
    }
}
