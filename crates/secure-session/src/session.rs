//! Sessions with an agent over a secure transport, which carry whole messages in both directions.

mod dtls;
mod handshake_reporter;
mod ssh;
mod tls;

use std::{sync::Arc, time::Duration};

use portreeve_broker_protocol::{SessionRequest, Transport};
use portreeve_channel::{
    ChannelError, ChannelObserver, ChannelStep, FileReads, InlineReads, NoObserver, SecureDatagrams,
    SecureStream,
};
use portreeve_channel_ssh::client::{NoPrompter, Prompter, SshChannel};
use tokio::net::{TcpStream, UdpSocket};

use dtls::DtlsSession;
use ssh::SshSession;
use tls::TlsSession;

/// A session with an agent. Dropping it aborts the connection; [`SecureSession::close`] closes it
/// gracefully.
#[derive(Debug)]
pub struct SecureSession(TransportSession);

impl SecureSession {
    /// Opens the requested session and reports every step to `observer`.
    ///
    /// # Errors
    /// The step that failed, which is the last one reported, and its cause.
    //= rfc5592#5.2-3b
    //= rfc6353#5.2-5b
    pub async fn open(
        request: &SessionRequest,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        Self::open_with_prompter(request, &NoPrompter, observer).await
    }

    /// Like [`Self::open`], but executes the reads of files with `reads`.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub async fn open_with_reads(
        request: &SessionRequest,
        reads: Arc<dyn FileReads>,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        Self::open_with(request, reads, &NoPrompter, observer).await
    }

    /// Like [`Self::open`], but also asks `prompter` for passwords and pass phrases.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub async fn open_with_prompter(
        request: &SessionRequest,
        prompter: &dyn Prompter,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        Self::open_with(request, Arc::new(InlineReads), prompter, observer).await
    }

    async fn open_with(
        request: &SessionRequest,
        reads: Arc<dyn FileReads>,
        prompter: &dyn Prompter,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let opened = match request.transport {
            Transport::Ssh => SshSession::open(request, reads, prompter, observer)
                .await
                .map(|session| TransportSession::Ssh(Box::new(session))),
            Transport::Tls => TlsSession::open(request, &*reads, observer)
                .await
                .map(|session| TransportSession::Tls(Box::new(session))),
            Transport::Dtls => DtlsSession::open(request, &*reads, observer)
                .await
                .map(|session| TransportSession::Dtls(Box::new(session))),
        };
        opened.map(Self).map_err(with_resolver_hint)
    }

    /// Creates a session over an SSH channel with the agent's subsystem.
    pub fn over_ssh(channel: SshChannel) -> Self {
        Self(TransportSession::Ssh(Box::new(SshSession::new(channel))))
    }

    /// Creates a session over a TCP connection, with a client channel that has sent nothing yet.
    /// Returns when the handshake is done.
    ///
    /// # Errors
    /// The step that failed, and its cause.
    pub async fn over_tls(
        connection: TcpStream,
        channel: Box<dyn SecureStream>,
    ) -> Result<Self, ChannelError> {
        Ok(Self(TransportSession::Tls(Box::new(
            TlsSession::establish(connection, channel, &[], &NoObserver).await?,
        ))))
    }

    /// Like [`Self::over_tls`], over a connected UDP socket.
    ///
    /// # Errors
    /// The step that failed, and its cause.
    pub async fn over_dtls(
        socket: UdpSocket,
        channel: Box<dyn SecureDatagrams>,
    ) -> Result<Self, ChannelError> {
        Ok(Self(TransportSession::Dtls(Box::new(
            DtlsSession::establish(socket, channel, &[], &NoObserver).await?,
        ))))
    }

    /// Waits up to `max_wait` until the agent has accepted our certificate or, over SSH, the
    /// subsystem name. A TLS 1.3 server verifies our certificate only after our side of the
    /// handshake is done. Messages may be sent without this confirmation.
    ///
    /// # Errors
    /// If the agent rejects the certificate or the subsystem.
    pub async fn confirm(&mut self, max_wait: Duration) -> Result<Confirmation, ChannelError> {
        match &mut self.0 {
            TransportSession::Ssh(session) => session.confirm(max_wait).await,
            TransportSession::Tls(session) => session.confirm(max_wait).await,
            TransportSession::Dtls(session) => session.confirm(max_wait).await,
        }
    }

    /// The authenticated identity of the agent, for display.
    pub fn peer(&self) -> &str {
        match &self.0 {
            TransportSession::Ssh(session) => session.peer(),
            TransportSession::Tls(session) => session.peer(),
            TransportSession::Dtls(session) => session.peer(),
        }
    }

    /// The protocol version, for display.
    pub fn protocol(&self) -> &'static str {
        match &self.0 {
            // The only protocol version of SSH that is in use (RFC 4253 §4.2).
            TransportSession::Ssh(_) => "SSHv2",
            TransportSession::Tls(session) => session.protocol(),
            TransportSession::Dtls(session) => session.protocol(),
        }
    }

    /// Sends one message.
    ///
    /// # Errors
    /// If the session has ended.
    //= rfc5592#5.2-4
    //= rfc6353#5.2-6
    pub async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        match &mut self.0 {
            TransportSession::Ssh(session) => session.send(message).await,
            TransportSession::Tls(session) => session.send(message).await,
            TransportSession::Dtls(session) => session.send(message).await,
        }
    }

    /// Waits for the next message. Canceling the wait loses no data.
    ///
    /// # Errors
    /// If the session has ended, or the agent does not provide the subsystem.
    pub async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        match &mut self.0 {
            TransportSession::Ssh(session) => session.receive().await,
            TransportSession::Tls(session) => session.receive().await,
            TransportSession::Dtls(session) => session.receive().await,
        }
    }

    /// Closes the session gracefully.
    pub async fn close(self) {
        match self.0 {
            TransportSession::Ssh(session) => session.close().await,
            TransportSession::Tls(session) => session.close().await,
            TransportSession::Dtls(session) => session.close().await,
        }
    }
}

/// The result of waiting for a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The agent has accepted our certificate, or has opened the subsystem.
    Accepted,
    /// The agent has not responded yet, so it has not rejected our certificate or the subsystem so
    /// far.
    NoObjection,
}

#[derive(Debug)]
enum TransportSession {
    Ssh(Box<SshSession>),
    Tls(Box<TlsSession>),
    Dtls(Box<DtlsSession>),
}

/// Adds a hint to a resolver error that has none.
fn with_resolver_hint(mut error: ChannelError) -> ChannelError {
    if error.step == ChannelStep::Resolve {
        error.hint.get_or_insert_with(|| RESOLVER_HINT.to_owned());
    }
    error
}

fn ended(cause: &str) -> ChannelError {
    ChannelError::at(ChannelStep::Data, cause)
}

const RESOLVER_HINT: &str =
    "check the spelling of the name, and check that it has an address of the requested family (IPv4 or IPv6)";
const MALFORMED_MESSAGE: &str = "the agent sent a malformed SNMP message";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_hint_is_added_only_to_resolver_errors_without_a_hint() {
        let hint_of = |error| with_resolver_hint(error).hint;
        assert_eq!(
            hint_of(ChannelError::at(ChannelStep::Resolve, "nowhere")).as_deref(),
            Some(RESOLVER_HINT)
        );
        assert_eq!(
            hint_of(ChannelError::at(ChannelStep::Resolve, "").with_hint("better")).as_deref(),
            Some("better")
        );
        assert_eq!(hint_of(ChannelError::at(ChannelStep::Connect, "")), None);
    }
}
