//! SSH over TCP.

use std::{
    fmt,
    path::{Path, PathBuf},
    pin::pin,
    time::Duration,
};

use portreeve_broker_protocol::{Frame, Inbox, Key, Order};
use portreeve_channel::{ChannelError, Observer, Step};
use portreeve_channel_ssh::client::{Asker, ClientSettings, SshChannel, SshTarget, connect_observed};
use tokio::time::timeout;

use super::{Confirmation, NO_MESSAGE, ended};

pub(crate) struct SshSession {
    channel: SshChannel,
    inbox: Inbox,
    peer: String,
}

impl SshSession {
    /// A session with the agent's subsystem. Whether the agent has it, the first [`SshSession::receive`] tells.
    pub(crate) async fn open(
        order: &Order,
        asker: &dyn Asker,
        observer: &dyn Observer,
    ) -> Result<Self, ChannelError> {
        let settings = settings(order);
        let user = Some(order.user.as_str()).filter(|user| !user.is_empty());
        let port = Some(order.port).filter(|port| *port != 0);
        let target = SshTarget::look_up(&order.host, user, port, &settings)?;
        let channel = connect_observed(&target, &settings, asker, observer).await;
        channel.map(Self::over).map_err(with_other_ways)
    }

    pub(super) fn over(channel: SshChannel) -> Self {
        let peer = channel.peer().user.escape_debug().to_string();
        Self { channel, inbox: Inbox::default(), peer }
    }

    pub(crate) async fn confirm(&mut self, patience: Duration) -> Result<Confirmation, ChannelError> {
        match timeout(patience, self.channel.confirmed()).await {
            Ok(confirmed) => confirmed.map(|()| Confirmation::Taken),
            Err(_) => Ok(Confirmation::NoObjection),
        }
    }

    pub(crate) fn peer(&self) -> &str {
        &self.peer
    }

    /// Until there is room for the message, what comes is looked at: sshd makes none before it has begun the subsystem,
    /// so that it has none is said meanwhile.
    pub(crate) async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        let Self { channel, inbox, .. } = self;
        let (reader, writer) = channel.halves();
        let mut written = pin!(writer.write(message.to_vec()));
        loop {
            let has_enough = inbox.has_frame().map_err(|_| ended(NO_MESSAGE))?;
            tokio::select! {
                biased;
                result = &mut written => return result,
                octets = reader.read(), if !has_enough => match octets? {
                    Some(octets) => take_in(inbox, &octets),
                    None => return Err(ended(CLOSED)),
                },
            }
        }
    }

    pub(crate) async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        while !self.inbox.has_frame().map_err(|_| ended(NO_MESSAGE))? {
            match self.channel.read().await? {
                Some(octets) => take_in(&mut self.inbox, &octets),
                None => return Err(ended(CLOSED)),
            }
        }
        match self.inbox.next_frame() {
            Ok(Some(Frame::Message(message))) => Ok(message),
            _ => Err(ended(NO_MESSAGE)),
        }
    }

    pub(crate) async fn close(self) {
        self.channel.close().await;
    }
}

impl fmt::Debug for SshSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SshSession").field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// The user's own, as the command that asks has them: this process may have been started by another.
fn settings(order: &Order) -> ClientSettings {
    let mut settings = ClientSettings::current();
    if let Some(home) = order.get(Key::Home).map(Path::new) {
        settings.local.home = home.to_owned();
        settings.config_files = vec![home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")];
    }
    settings.agent = order.get(Key::SshAgent).map(PathBuf::from);
    settings.identity_files = order.all(Key::SshIdentity).map(PathBuf::from).collect();
    let known_hosts: Vec<_> = order.all(Key::KnownHosts).map(PathBuf::from).collect();
    settings.known_hosts = (!known_hosts.is_empty()).then_some(known_hosts);
    settings
}

fn take_in(inbox: &mut Inbox, mut octets: &[u8]) {
    while !octets.is_empty() {
        let room = inbox.room();
        let count = room.len().min(octets.len());
        let (now, later) = octets.split_at_checked(count).unwrap_or((octets, &[]));
        room.iter_mut().zip(now).for_each(|(place, octet)| *place = *octet);
        inbox.note_read(count);
        octets = later;
    }
}

/// Adds to what can be done about keys what can be done otherwise.
fn with_other_ways(mut error: ChannelError) -> ChannelError {
    if error.step == Step::ClientIdentity {
        let cure = error.cure.map_or_else(String::new, |cure| format!("{cure}; "));
        error.cure = Some(format!("{cure}{OTHER_WAYS}"));
    }
    error
}

const CLOSED: &str = "the agent has closed the session";
const OTHER_WAYS: &str = "--identity names a key, --password-file a file with a password; at a terminal passwords and pass \
                          phrases are asked for";

#[cfg(test)]
mod tests;
