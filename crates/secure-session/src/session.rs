//! A session with an agent over a secure transport: whole messages, both ways.

mod dtls;
mod ssh;
mod tls;
mod watch;

use std::time::Duration;

use portreeve_broker_protocol::{Order, Transport};
use portreeve_channel::{ChannelError, Observer, SecureDatagrams, SecureStream, Step, Unobserved};
use portreeve_channel_ssh::client::{Asker, Nobody, SshChannel};
use tokio::net::{TcpStream, UdpSocket};

use dtls::DtlsSession;
use ssh::SshSession;
use tls::TlsSession;

/// One session. Whoever drops it breaks it off; [`Session::close`] ends it in order.
#[derive(Debug)]
pub struct Session(Over);

impl Session {
    /// Opens the session that is ordered. `observer` hears of every step.
    ///
    /// # Errors
    /// With the step that failed, which is the one that began last.
    //= rfc5592#5.2-3b
    //= rfc6353#5.2-5b
    pub async fn open(order: &Order, observer: &dyn Observer) -> Result<Self, ChannelError> {
        Self::open_asking(order, &Nobody, observer).await
    }

    /// As [`Self::open`], and `asker` is asked for passwords and pass phrases.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub async fn open_asking(
        order: &Order,
        asker: &dyn Asker,
        observer: &dyn Observer,
    ) -> Result<Self, ChannelError> {
        let opened = match order.transport {
            Transport::Ssh => {
                SshSession::open(order, asker, observer).await.map(|session| Over::Ssh(Box::new(session)))
            }
            Transport::Tls => {
                TlsSession::open(order, observer).await.map(|session| Over::Tls(Box::new(session)))
            }
            Transport::Dtls => {
                DtlsSession::open(order, observer).await.map(|session| Over::Dtls(Box::new(session)))
            }
        };
        opened.map(Self).map_err(with_cure)
    }

    /// Over a channel with the agent's subsystem.
    pub fn over_ssh(channel: SshChannel) -> Self {
        Self(Over::Ssh(Box::new(SshSession::over(channel))))
    }

    /// Over a connection, with a client's channel that has said nothing yet; the handshake is done when this returns.
    ///
    /// # Errors
    /// With the step that failed.
    pub async fn over_tls(
        connection: TcpStream,
        channel: Box<dyn SecureStream>,
    ) -> Result<Self, ChannelError> {
        Ok(Self(Over::Tls(Box::new(TlsSession::over(connection, channel, &[], &Unobserved).await?))))
    }

    /// Over a connected socket, as [`Self::over_tls`].
    ///
    /// # Errors
    /// With the step that failed.
    pub async fn over_dtls(
        socket: UdpSocket,
        channel: Box<dyn SecureDatagrams>,
    ) -> Result<Self, ChannelError> {
        Ok(Self(Over::Dtls(Box::new(DtlsSession::over(socket, channel, &[], &Unobserved).await?))))
    }

    /// Waits, at most for `patience`, until the agent has shown that it takes what it was shown last: our certificate,
    /// which TLS 1.3 judges when for us the handshake is done already, or the name of the subsystem. What is sent at
    /// once need not wait for it.
    ///
    /// # Errors
    /// That it does not take it.
    pub async fn confirm(&mut self, patience: Duration) -> Result<Confirmation, ChannelError> {
        match &mut self.0 {
            Over::Ssh(session) => session.confirm(patience).await,
            Over::Tls(session) => session.confirm(patience).await,
            Over::Dtls(session) => session.confirm(patience).await,
        }
    }

    /// Whom the agent's side has proven to be, for people.
    pub fn peer(&self) -> &str {
        match &self.0 {
            Over::Ssh(session) => session.peer(),
            Over::Tls(session) => session.peer(),
            Over::Dtls(session) => session.peer(),
        }
    }

    /// What is spoken, for people.
    pub fn protocol(&self) -> &'static str {
        match &self.0 {
            // There is no other (RFC 4253 §4.2).
            Over::Ssh(_) => "SSHv2",
            Over::Tls(session) => session.protocol(),
            Over::Dtls(session) => session.protocol(),
        }
    }

    /// Sends one message.
    ///
    /// # Errors
    /// When the session has ended.
    //= rfc5592#5.2-4
    //= rfc6353#5.2-6
    pub async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        match &mut self.0 {
            Over::Ssh(session) => session.send(message).await,
            Over::Tls(session) => session.send(message).await,
            Over::Dtls(session) => session.send(message).await,
        }
    }

    /// Waits for the next message. Whoever stops waiting loses nothing.
    ///
    /// # Errors
    /// When the session has ended, or the agent does not have the subsystem.
    pub async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        match &mut self.0 {
            Over::Ssh(session) => session.receive().await,
            Over::Tls(session) => session.receive().await,
            Over::Dtls(session) => session.receive().await,
        }
    }

    /// Tells the agent that nothing more will come.
    pub async fn close(self) {
        match self.0 {
            Over::Ssh(session) => session.close().await,
            Over::Tls(session) => session.close().await,
            Over::Dtls(session) => session.close().await,
        }
    }
}

/// What an agent has let us know of its judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It has shown that we are taken.
    Taken,
    /// It has not objected so far.
    NoObjection,
}

#[derive(Debug)]
enum Over {
    Ssh(Box<SshSession>),
    Tls(Box<TlsSession>),
    Dtls(Box<DtlsSession>),
}

/// A resolver says why, and never what to do.
fn with_cure(mut error: ChannelError) -> ChannelError {
    if error.step == Step::Resolve {
        error.cure.get_or_insert_with(|| NO_ADDRESS.to_owned());
    }
    error
}

fn ended(how: &str) -> ChannelError {
    ChannelError::at(Step::Data, how)
}

const NO_ADDRESS: &str = "check how the name is spelled, and that it has an address of the family asked for";
const NO_MESSAGE: &str = "the agent sent what is no SNMP message";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_an_address_is_told_with_a_cure() {
        let cure_of = |error| with_cure(error).cure;
        assert_eq!(cure_of(ChannelError::at(Step::Resolve, "nowhere")).as_deref(), Some(NO_ADDRESS));
        assert_eq!(
            cure_of(ChannelError::at(Step::Resolve, "").cured_by("better")).as_deref(),
            Some("better")
        );
        assert_eq!(cure_of(ChannelError::at(Step::Connect, "")), None);
    }
}
