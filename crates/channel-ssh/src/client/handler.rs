//! Stands between russh and the server: what it asks in the middle of the key exchange is judged here, what a server may ask for is
//! refused, and whoever opens the session hears of it.

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

/// Stands between russh and the server.
pub(crate) struct ClientHandler {
    target: SshTarget,
    known: KnownHosts,
    events: mpsc::Sender<HandshakeEvent>,
    /// Who the server is, once judged. russh has the key of the first exchange judged only; later ones are made under the keys
    /// of that one, so nobody but the server can make them, and must be signed by whatever key they show (RFC 4253 §9).
    identity: Arc<OnceLock<SshIdentity>>,
    /// Where to leave what the server says when it ends the connection.
    disconnect_message: Arc<OnceLock<String>>,
    verified_key: Option<HostKey>,
    rekeys: RekeyCounter,
}

/// What the one who opens the session hears while russh sets it up: each at most once, in this order, but for what is agreed
/// on, which a server may have repeated as often as it likes.
pub(crate) enum HandshakeEvent {
    /// What the server has shown, and what is known of it.
    HostKeyReceived(Vec<Fact>),
    /// Somebody is to be asked.
    HostKeyUnknown(HostKeyQuestion),
    /// What both ends have agreed on.
    Negotiated(Vec<Fact>),
}

impl HandshakeEvent {
    /// How many may wait: one of each, so that there is always room for the question.
    pub(crate) const QUEUE_CAPACITY: usize = 3;
}

/// An unknown key, and where to say whether to take it.
pub(crate) struct HostKeyQuestion {
    pub(crate) key: HostKey,
    /// Where a key of another kind is known.
    pub(crate) other_key_at: Option<String>,
    pub(crate) answer: oneshot::Sender<bool>,
}

/// russh's failures, and our refusals.
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

    /// Nobody listens once the session is set up; and what there is no room for has been said before.
    fn emit(&self, event: HandshakeEvent) {
        let _ = self.events.try_send(event);
    }
}

impl client::Handler for ClientHandler {
    type Error = HandlerError;

    async fn check_server_key(&mut self, presented: &PublicKeyOrCertificate) -> Result<bool, HandlerError> {
        match self.verify_host_key(presented).await {
            Ok(()) => Ok(true),
            Err(refused) => Err(HandlerError::Rejected(Box::new(refused))),
        }
    }

    async fn disconnected(&mut self, reason: DisconnectReason<HandlerError>) -> Result<(), HandlerError> {
        match reason {
            DisconnectReason::ReceivedDisconnect(info) => {
                if !info.message.is_empty() {
                    // The first words are the last.
                    let _ = self.disconnect_message.set(info.message);
                }
                Ok(())
            }
            DisconnectReason::Error(error) => {
                let cause = match &error {
                    HandlerError::Rejected(refused) => Some(refused.cause.clone()),
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

    // What follows are the channels that a server may ask for. None is opened: dropping the reply refuses.

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

/// How often keys were exchanged since the server has last said anything.
#[derive(Debug, Default)]
struct RekeyCounter {
    count: u32,
    since: Option<Instant>,
}

impl RekeyCounter {
    /// Counts one more; whether the server only means to keep us busy. Those of an idle session are hours apart.
    fn count_and_check(&mut self) -> bool {
        let since = *self.since.get_or_insert_with(Instant::now);
        if since.elapsed() > REKEY_INTERVAL {
            *self = Self::default();
        }
        self.count += 1;
        self.count > MAX_REKEYS
    }
}

/// What is said of a server whose new keys somebody else has signed.
pub(crate) const WRONG_SIGNATURE: &str = "the server does not hold the host key that it shows";
const TOO_MANY_REKEYS: &str = "new keys without end";
const MAX_REKEYS: u32 = 64;
const REKEY_INTERVAL: Duration = Duration::from_secs(600);

#[cfg(test)]
mod tests;
