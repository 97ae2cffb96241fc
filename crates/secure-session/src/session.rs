//! A session with an agent over a secure transport: whole messages, both ways.

mod dtls;
mod handshake_reporter;
mod ssh;
mod tls;

use std::time::Duration;

use portreeve_broker_protocol::{SessionRequest, Transport};
use portreeve_channel::{
    ChannelError, ChannelObserver, ChannelStep, NoObserver, SecureDatagrams, SecureStream,
};
use portreeve_channel_ssh::client::{NoPrompter, Prompter, SshChannel};
use tokio::net::{TcpStream, UdpSocket};

use dtls::DtlsSession;
use ssh::SshSession;
use tls::TlsSession;

/// One session. Whoever drops it breaks it off; [`SecureSession::close`] ends it in order.
#[derive(Debug)]
pub struct SecureSession(TransportSession);

impl SecureSession {
    /// Opens the session that is ordered. `observer` hears of every step.
    ///
    /// # Errors
    /// With the step that failed, which is the one that began last.
    //= rfc5592#5.2-3b
    //= rfc6353#5.2-5b
    pub async fn open(
        request: &SessionRequest,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        Self::open_with_prompter(request, &NoPrompter, observer).await
    }

    /// As [`Self::open`], and `asker` is asked for passwords and pass phrases.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub async fn open_with_prompter(
        request: &SessionRequest,
        prompter: &dyn Prompter,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let opened = match request.transport {
            Transport::Ssh => SshSession::open(request, prompter, observer)
                .await
                .map(|session| TransportSession::Ssh(Box::new(session))),
            Transport::Tls => TlsSession::open(request, observer)
                .await
                .map(|session| TransportSession::Tls(Box::new(session))),
            Transport::Dtls => DtlsSession::open(request, observer)
                .await
                .map(|session| TransportSession::Dtls(Box::new(session))),
        };
        opened.map(Self).map_err(with_resolver_hint)
    }

    /// Over a channel with the agent's subsystem.
    pub fn over_ssh(channel: SshChannel) -> Self {
        Self(TransportSession::Ssh(Box::new(SshSession::new(channel))))
    }

    /// Over a connection, with a client's channel that has said nothing yet; the handshake is done when this returns.
    ///
    /// # Errors
    /// With the step that failed.
    pub async fn over_tls(
        connection: TcpStream,
        channel: Box<dyn SecureStream>,
    ) -> Result<Self, ChannelError> {
        Ok(Self(TransportSession::Tls(Box::new(
            TlsSession::establish(connection, channel, &[], &NoObserver).await?,
        ))))
    }

    /// Over a connected socket, as [`Self::over_tls`].
    ///
    /// # Errors
    /// With the step that failed.
    pub async fn over_dtls(
        socket: UdpSocket,
        channel: Box<dyn SecureDatagrams>,
    ) -> Result<Self, ChannelError> {
        Ok(Self(TransportSession::Dtls(Box::new(
            DtlsSession::establish(socket, channel, &[], &NoObserver).await?,
        ))))
    }

    /// Waits, at most for `patience`, until the agent has shown that it takes what it was shown last: our certificate,
    /// which TLS 1.3 judges when for us the handshake is done already, or the name of the subsystem. What is sent at
    /// once need not wait for it.
    ///
    /// # Errors
    /// That it does not take it.
    pub async fn confirm(&mut self, max_wait: Duration) -> Result<Confirmation, ChannelError> {
        match &mut self.0 {
            TransportSession::Ssh(session) => session.confirm(max_wait).await,
            TransportSession::Tls(session) => session.confirm(max_wait).await,
            TransportSession::Dtls(session) => session.confirm(max_wait).await,
        }
    }

    /// Whom the agent's side has proven to be, for people.
    pub fn peer(&self) -> &str {
        match &self.0 {
            TransportSession::Ssh(session) => session.peer(),
            TransportSession::Tls(session) => session.peer(),
            TransportSession::Dtls(session) => session.peer(),
        }
    }

    /// What is spoken, for people.
    pub fn protocol(&self) -> &'static str {
        match &self.0 {
            // There is no other (RFC 4253 §4.2).
            TransportSession::Ssh(_) => "SSHv2",
            TransportSession::Tls(session) => session.protocol(),
            TransportSession::Dtls(session) => session.protocol(),
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
            TransportSession::Ssh(session) => session.send(message).await,
            TransportSession::Tls(session) => session.send(message).await,
            TransportSession::Dtls(session) => session.send(message).await,
        }
    }

    /// Waits for the next message. Whoever stops waiting loses nothing.
    ///
    /// # Errors
    /// When the session has ended, or the agent does not have the subsystem.
    pub async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        match &mut self.0 {
            TransportSession::Ssh(session) => session.receive().await,
            TransportSession::Tls(session) => session.receive().await,
            TransportSession::Dtls(session) => session.receive().await,
        }
    }

    /// Tells the agent that nothing more will come.
    pub async fn close(self) {
        match self.0 {
            TransportSession::Ssh(session) => session.close().await,
            TransportSession::Tls(session) => session.close().await,
            TransportSession::Dtls(session) => session.close().await,
        }
    }
}

/// What an agent has let us know of its judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It has shown that we are taken.
    Accepted,
    /// It has not objected so far.
    NoObjection,
}

#[derive(Debug)]
enum TransportSession {
    Ssh(Box<SshSession>),
    Tls(Box<TlsSession>),
    Dtls(Box<DtlsSession>),
}

/// A resolver says why, and never what to do.
fn with_resolver_hint(mut error: ChannelError) -> ChannelError {
    if error.step == ChannelStep::Resolve {
        error.hint.get_or_insert_with(|| RESOLVER_HINT.to_owned());
    }
    error
}

fn ended(how: &str) -> ChannelError {
    ChannelError::at(ChannelStep::Data, how)
}

const RESOLVER_HINT: &str =
    "check how the name is spelled, and that it has an address of the family asked for";
const MALFORMED_MESSAGE: &str = "the agent sent what is no SNMP message";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolver_error_gets_a_default_hint() {
        let cure_of = |error| with_resolver_hint(error).hint;
        assert_eq!(
            cure_of(ChannelError::at(ChannelStep::Resolve, "nowhere")).as_deref(),
            Some(RESOLVER_HINT)
        );
        assert_eq!(
            cure_of(ChannelError::at(ChannelStep::Resolve, "").with_hint("better")).as_deref(),
            Some("better")
        );
        assert_eq!(cure_of(ChannelError::at(ChannelStep::Connect, "")), None);
    }
}
