//! Stands between russh and the server: what it asks in the middle of the key exchange is judged here, what a server may ask for is
//! refused, and whoever opens the session hears of it.

mod judge;

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use portreeve_channel::{ChannelError, Fact, SshIdentity, Step};
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
use crate::traffic::{self, OVERFULL};

/// Stands between russh and the server.
pub(crate) struct Guard {
    target: SshTarget,
    known: KnownHosts,
    news: mpsc::Sender<News>,
    /// Who the server is, once judged. russh has the key of the first exchange judged only; later ones are made under the keys
    /// of that one, so nobody but the server can make them, and must be signed by whatever key they show (RFC 4253 §9).
    identity: Arc<OnceLock<SshIdentity>>,
    /// Where to leave what the server says when it ends the connection.
    parting: Arc<OnceLock<String>>,
    judged: Option<HostKey>,
    renewals: Renewals,
}

/// What the one who opens the session hears while russh sets it up: each at most once, in this order, but for what is agreed
/// on, which a server may have repeated as often as it likes.
pub(crate) enum News {
    /// What the server has shown, and what is known of it.
    Shown(Vec<Fact>),
    /// Somebody is to be asked.
    Unknown(HostKeyQuestion),
    /// What both ends have agreed on.
    Agreed(Vec<Fact>),
}

impl News {
    /// How many may wait: one of each, so that there is always room for the question.
    pub(crate) const ROOM: usize = 3;
}

/// An unknown key, and where to say whether to take it.
pub(crate) struct HostKeyQuestion {
    pub(crate) key: HostKey,
    /// Where a key of another kind is known.
    pub(crate) other: Option<String>,
    pub(crate) answer: oneshot::Sender<bool>,
}

/// russh's failures, and our refusals.
#[derive(Debug)]
pub(crate) enum Failure {
    Russh(russh::Error),
    Refused(Box<ChannelError>),
}

impl From<russh::Error> for Failure {
    fn from(error: russh::Error) -> Self {
        Self::Russh(error)
    }
}

impl Guard {
    pub(crate) fn new(
        target: SshTarget,
        known: KnownHosts,
        news: mpsc::Sender<News>,
        identity: Arc<OnceLock<SshIdentity>>,
        parting: Arc<OnceLock<String>>,
    ) -> Self {
        Self { target, known, news, identity, parting, judged: None, renewals: Renewals::default() }
    }

    /// Nobody listens once the session is set up; and what there is no room for has been said before.
    fn tell(&self, news: News) {
        let _ = self.news.try_send(news);
    }
}

impl client::Handler for Guard {
    type Error = Failure;

    async fn check_server_key(&mut self, shown: &PublicKeyOrCertificate) -> Result<bool, Failure> {
        match self.judge(shown).await {
            Ok(()) => Ok(true),
            Err(refused) => Err(Failure::Refused(Box::new(refused))),
        }
    }

    async fn disconnected(&mut self, reason: DisconnectReason<Failure>) -> Result<(), Failure> {
        match reason {
            DisconnectReason::ReceivedDisconnect(info) => {
                if !info.message.is_empty() {
                    // The first words are the last.
                    let _ = self.parting.set(info.message);
                }
                Ok(())
            }
            DisconnectReason::Error(error) => {
                let cause = match &error {
                    Failure::Refused(refused) => Some(refused.cause.clone()),
                    Failure::Russh(russh::Error::WrongServerSig) => Some(NOT_ITS_KEY.to_owned()),
                    Failure::Russh(_) => None,
                };
                cause.into_iter().for_each(|cause| drop(self.parting.set(cause)));
                Err(error)
            }
        }
    }

    async fn kex_done(
        &mut self,
        _: Option<&[u8]>,
        names: &Names,
        _: &mut client::Session,
    ) -> Result<(), Failure> {
        if self.renewals.are_endless() {
            return Err(Failure::Refused(Box::new(ChannelError::at(Step::Negotiate, ENDLESS))));
        }
        self.tell(News::Agreed(vec![
            Fact::new("key-exchange", names.kex.as_ref()),
            Fact::new("cipher", names.cipher.as_ref()),
        ]));
        Ok(())
    }

    async fn data(&mut self, _: ChannelId, data: &[u8], _: &mut client::Session) -> Result<(), Failure> {
        if !data.is_empty() {
            self.renewals = Renewals::default();
        }
        Ok(())
    }

    async fn window_adjusted(
        &mut self,
        _: ChannelId,
        size: u32,
        session: &mut client::Session,
    ) -> Result<(), Failure> {
        if traffic::is_overfull(size) {
            let _ = self.parting.set(OVERFULL.to_owned());
            session.disconnect(Disconnect::ProtocolError, OVERFULL, "")?;
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
    ) -> Result<(), Failure> {
        Ok(())
    }

    async fn server_channel_open_forwarded_streamlocal(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), Failure> {
        Ok(())
    }

    async fn server_channel_open_agent_forward(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), Failure> {
        Ok(())
    }

    async fn server_channel_open_session(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), Failure> {
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
    ) -> Result<(), Failure> {
        Ok(())
    }

    async fn server_channel_open_direct_streamlocal(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), Failure> {
        Ok(())
    }

    async fn server_channel_open_x11(
        &mut self,
        _: russh::Channel<client::Msg>,
        _: &str,
        _: u32,
        _: client::ChannelOpenHandle,
        _: &mut client::Session,
    ) -> Result<(), Failure> {
        Ok(())
    }
}

/// How often keys were exchanged since the server has last said anything.
#[derive(Debug, Default)]
struct Renewals {
    count: u32,
    since: Option<Instant>,
}

impl Renewals {
    /// Counts one more; whether the server only means to keep us busy. Those of an idle session are hours apart.
    fn are_endless(&mut self) -> bool {
        let since = *self.since.get_or_insert_with(Instant::now);
        if since.elapsed() > A_WHILE {
            *self = Self::default();
        }
        self.count += 1;
        self.count > MOST_RENEWALS
    }
}

/// What is said of a server whose new keys somebody else has signed.
pub(crate) const NOT_ITS_KEY: &str = "the server does not hold the host key that it shows";
const ENDLESS: &str = "new keys without end";
const MOST_RENEWALS: u32 = 64;
const A_WHILE: Duration = Duration::from_secs(600);

#[cfg(test)]
mod tests;
