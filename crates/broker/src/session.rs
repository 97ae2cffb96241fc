//! A session with an agent over a secure transport: whole messages, both ways.

mod dtls;
mod ssh;
mod tls;

use portreeve_broker_protocol::{Order, Transport};
use portreeve_channel::{ChannelError, Step};

use dtls::DtlsSession;
use ssh::SshSession;
use tls::TlsSession;

/// One session. Whoever drops it breaks it off; [`Session::close`] ends it in order.
#[derive(Debug)]
pub(crate) enum Session {
    Ssh(Box<SshSession>),
    Tls(Box<TlsSession>),
    Dtls(Box<DtlsSession>),
}

impl Session {
    pub(crate) async fn open(order: &Order) -> Result<Self, ChannelError> {
        match order.transport {
            Transport::Ssh => Ok(Self::Ssh(Box::new(SshSession::open(order).await?))),
            Transport::Tls => Ok(Self::Tls(Box::new(TlsSession::open(order).await?))),
            Transport::Dtls => Ok(Self::Dtls(Box::new(DtlsSession::open(order).await?))),
        }
    }

    /// Whom the agent's side has proven to be, for people.
    pub(crate) fn peer(&self) -> &str {
        match self {
            Self::Ssh(session) => session.peer(),
            Self::Tls(session) => session.peer(),
            Self::Dtls(session) => session.peer(),
        }
    }

    /// Sends one message.
    pub(crate) async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        match self {
            Self::Ssh(session) => session.send(message).await,
            Self::Tls(session) => session.send(message).await,
            Self::Dtls(session) => session.send(message).await,
        }
    }

    /// Waits for the next message. Whoever stops waiting loses nothing.
    pub(crate) async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        match self {
            Self::Ssh(session) => session.receive().await,
            Self::Tls(session) => session.receive().await,
            Self::Dtls(session) => session.receive().await,
        }
    }

    /// Tells the agent that nothing more will come.
    pub(crate) async fn close(self) {
        match self {
            Self::Ssh(session) => session.close().await,
            Self::Tls(session) => session.close().await,
            Self::Dtls(session) => session.close().await,
        }
    }
}

fn ended(how: &str) -> ChannelError {
    ChannelError::at(Step::Data, how)
}

const NO_MESSAGE: &str = "the agent sent what is no SNMP message";
