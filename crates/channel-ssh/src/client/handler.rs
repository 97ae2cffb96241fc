//! The russh client handler: verifies the host key during key exchange, rejects all channels that a
//! server tries to open, and reports events to the code that sets up the session.

mod host_key;

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use portreeve_channel::{ChannelError, ChannelStep, Fact, SshIdentity};
use russh::{
    ChannelId, Disconnect, Names,
    client::{self, DisconnectReason},
    keys::PublicKeyOrCertificate,
};
use tokio::sync::{mpsc, oneshot};

use super::{
    known_hosts::{HostKey, KnownHosts},
    target::SshTarget,
};
use crate::traffic::{self, WINDOW_OVERFLOW};

/// The russh handler of one client connection.
pub(crate) struct ClientHandler {
    target: SshTarget,
    known: KnownHosts,
    events: mpsc::Sender<HandshakeEvent>,
    /// The verified identity of the server. russh calls the handler for the host key of the first
    /// key exchange only. Later exchanges are protected by the keys of the first, so only the
    /// server can start them, and each must be signed by the host key it presents (RFC 4253 §9).
    identity: Arc<OnceLock<SshIdentity>>,
    /// Receives the message with which the server closes the connection.
    disconnect_message: Arc<OnceLock<String>>,
    verified_key: Option<HostKey>,
    rekeys: RekeyCounter,
}

/// Events during session setup. Each occurs at most once and in this order, except `Negotiated`,
/// which a server can repeat.
pub(crate) enum HandshakeEvent {
    /// The server's host key, and the result of its verification.
    HostKeyReceived(Vec<Fact>),
    /// The host key is unknown, and the user must decide.
    HostKeyUnknown(HostKeyQuestion),
    /// The algorithms that client and server have negotiated.
    Negotiated(Vec<Fact>),
}

impl HandshakeEvent {
    /// Queue capacity: one event of each kind, so that there is always room for the question.
    pub(crate) const QUEUE_CAPACITY: usize = 3;
}

/// A question about an unknown host key, and the sender for the decision.
pub(crate) struct HostKeyQuestion {
    pub(crate) key: HostKey,
    /// Location of a known key of another type, if any.
    pub(crate) other_key_at: Option<String>,
    pub(crate) answer: oneshot::Sender<bool>,
}

/// An error of russh or a rejection by this handler.
#[derive(Debug)]
pub(crate) enum HandlerError {
    Russh(russh::Error),
    Rejected(Box<ChannelError>),
}

impl From<russh::Error> for HandlerError {
    fn from(error: russh::Error) -> Self {
        Self::Russh(error)
    }
}

impl ClientHandler {
    pub(crate) fn new(
        target: SshTarget,
        known: KnownHosts,
        events: mpsc::Sender<HandshakeEvent>,
        identity: Arc<OnceLock<SshIdentity>>,
        disconnect_message: Arc<OnceLock<String>>,
    ) -> Self {
        Self {
            target,
            known,
            events,
            identity,
            disconnect_message,
            verified_key: None,
            rekeys: RekeyCounter::default(),
        }
    }

    /// Queues an event for the code that sets up the session, which stops receiving once the
    /// session is set up. If the queue is full, the event is dropped: the queue then contains an
    /// event of this kind.
    fn emit(&self, event: HandshakeEvent) {
        let _ = self.events.try_send(event);
    }
}

impl client::Handler for ClientHandler {
    type Error = HandlerError;

    async fn check_server_key(&mut self, presented: &PublicKeyOrCertificate) -> Result<bool, HandlerError> {
        match self.verify_host_key(presented).await {
            Ok(()) => Ok(true),
            Err(rejection) => Err(HandlerError::Rejected(Box::new(rejection))),
        }
    }

    async fn disconnected(&mut self, reason: DisconnectReason<HandlerError>) -> Result<(), HandlerError> {
        match reason {
            DisconnectReason::ReceivedDisconnect(info) => {
                if !info.message.is_empty() {
                    // If the server sends several disconnect messages, the first is kept.
                    let _ = self.disconnect_message.set(info.message);
                }
                Ok(())
            }
            DisconnectReason::Error(error) => {
                let cause = match &error {
                    HandlerError::Rejected(rejection) => Some(rejection.cause.clone()),
                    HandlerError::Russh(russh::Error::WrongServerSig) => Some(WRONG_SIGNATURE.to_owned()),
                    HandlerError::Russh(_) => None,
                };
                cause.into_iter().for_each(|cause| drop(self.disconnect_message.set(cause)));
                Err(error)
            }
        }
    }

    async fn kex_done(
        &mut self,
        _: Option<&[u8]>,
        names: &Names,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        if self.rekeys.count_and_check() {
            return Err(HandlerError::Rejected(Box::new(ChannelError::at(
                ChannelStep::Negotiate,
                TOO_MANY_REKEYS,
            ))));
        }
        self.emit(HandshakeEvent::Negotiated(vec![
            Fact::new("key-exchange", names.kex.as_ref()),
            Fact::new("cipher", names.cipher.as_ref()),
        ]));
        Ok(())
    }

    async fn data(&mut self, _: ChannelId, data: &[u8], _: &mut client::Session) -> Result<(), HandlerError> {
        if !data.is_empty() {
            self.rekeys = RekeyCounter::default();
        }
        Ok(())
    }

    async fn window_adjusted(
        &mut self,
        _: ChannelId,
        size: u32,
        session: &mut client::Session,
    ) -> Result<(), HandlerError> {
        if traffic::is_window_overflow(size) {
            let _ = self.disconnect_message.set(WINDOW_OVERFLOW.to_owned());
            session.disconnect(Disconnect::ProtocolError, WINDOW_OVERFLOW, "")?;
        }
        Ok(())
    }

    // The channels that a server can request. All are rejected: dropping the reply rejects the
    // request.

    async fn server_channel_open_forwarded_tcpip(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: u32,
        _: &str,
        _: u32,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        Ok(())
    }

    async fn server_channel_open_forwarded_streamlocal(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        Ok(())
    }

    async fn server_channel_open_agent_forward(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        Ok(())
    }

    async fn server_channel_open_session(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        Ok(())
    }

    async fn server_channel_open_direct_tcpip(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: u32,
        _: &str,
        _: u32,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        Ok(())
    }

    async fn server_channel_open_direct_streamlocal(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        Ok(())
    }

    async fn server_channel_open_x11(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: u32,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), HandlerError> {
        Ok(())
    }
}

/// Counts the key exchanges since the server last sent data.
#[derive(Debug, Default)]
struct RekeyCounter {
    count: u32,
    since: Option<Instant>,
}

impl RekeyCounter {
    /// Counts a key exchange and returns true if there are too many. In an idle session they are
    /// hours apart.
    fn count_and_check(&mut self) -> bool {
        let since = *self.since.get_or_insert_with(Instant::now);
        if since.elapsed() > REKEY_INTERVAL {
            *self = Self::default();
        }
        self.count += 1;
        self.count > MAX_REKEYS
    }
}

/// Cause of the error for a later key exchange that is not signed by the host key presented in it.
pub(crate) const WRONG_SIGNATURE: &str =
    "the server does not hold the private key of the host key it presented";
const TOO_MANY_REKEYS: &str = "too many key exchanges";
const MAX_REKEYS: u32 = 64;
const REKEY_INTERVAL: Duration = Duration::from_secs(600);

#[cfg(test)]
mod tests;
