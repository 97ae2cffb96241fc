//! Sessions over SSH and TCP.

use std::{
    fmt,
    path::{Path, PathBuf},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use portreeve_broker_protocol::{Frame, FrameBuffer, SessionOption, SessionRequest};
use portreeve_channel::{ChannelError, ChannelObserver, ChannelStep, FileReads, read_files};
use portreeve_channel_ssh::client::{ClientSettings, Prompter, SshChannel, SshTarget, connect_observed};
use tokio::time::timeout;

use super::{Confirmation, MALFORMED_MESSAGE, ended};

pub(crate) struct SshSession {
    channel: SshChannel,
    buffer: FrameBuffer,
    peer: String,
}

impl SshSession {
    /// Opens a session with the agent's subsystem. A rejection of the subsystem is reported by the
    /// first [`SshSession::receive`].
    pub(crate) async fn open(
        request: &SessionRequest,
        reads: Arc<dyn FileReads>,
        prompter: &dyn Prompter,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        let request = request.clone();
        let read = move || look_up(&request);
        let (mut settings, target) = read_files(&*reads, ChannelStep::Resolve, read).await??;
        settings.file_reads = reads;
        let channel = connect_observed(&target, &settings, prompter, observer).await;
        channel.map(Self::new).map_err(with_auth_alternatives)
    }

    pub(super) fn new(channel: SshChannel) -> Self {
        let peer = channel.peer().user.escape_debug().to_string();
        Self { channel, buffer: FrameBuffer::default(), peer }
    }

    pub(crate) async fn confirm(&mut self, max_wait: Duration) -> Result<Confirmation, ChannelError> {
        match timeout(max_wait, self.channel.wait_for_subsystem()).await {
            Ok(confirmed) => confirmed.map(|()| Confirmation::Accepted),
            Err(_) => Ok(Confirmation::NoObjection),
        }
    }

    pub(crate) fn peer(&self) -> &str {
        &self.peer
    }

    /// Sends a message. While the window is full, incoming data is read. sshd opens the window only
    /// after it has started the subsystem. Before that, it reports if the subsystem is missing.
    pub(crate) async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        let Self { channel, buffer, .. } = self;
        let (reader, writer) = channel.halves();
        let mut written = pin!(writer.write(message.to_vec()));
        loop {
            let has_enough = buffer.has_frame().map_err(|_| ended(MALFORMED_MESSAGE))?;
            tokio::select! {
                biased;
                result = &mut written => return result,
                octets = reader.read(), if !has_enough => match octets? {
                    Some(octets) => append(buffer, &octets),
                    None => return Err(ended(CLOSED)),
                },
            }
        }
    }

    pub(crate) async fn receive(&mut self) -> Result<&[u8], ChannelError> {
        while !self.buffer.has_frame().map_err(|_| ended(MALFORMED_MESSAGE))? {
            match self.channel.read().await? {
                Some(octets) => append(&mut self.buffer, &octets),
                None => return Err(ended(CLOSED)),
            }
        }
        match self.buffer.next_frame() {
            Ok(Some(Frame::Message(message))) => Ok(message),
            _ => Err(ended(MALFORMED_MESSAGE)),
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

/// Reads the settings of the user, and finds out what they specify for the agent.
fn look_up(request: &SessionRequest) -> Result<(ClientSettings, SshTarget), ChannelError> {
    let settings = settings(request);
    let user = Some(request.user.as_str()).filter(|user| !user.is_empty());
    let port = Some(request.port).filter(|port| *port != 0);
    let target = SshTarget::look_up(&request.host, user, port, &settings)?;
    Ok((settings, target))
}

/// The SSH settings of the user who runs the command. This process may have been started by another
/// command.
fn settings(request: &SessionRequest) -> ClientSettings {
    let mut settings = ClientSettings::current();
    if let Some(home) = request.get(SessionOption::Home).map(Path::new) {
        settings.local.home = home.to_owned();
        settings.config_files = vec![home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")];
    }
    settings.agent = request.get(SessionOption::SshAgent).map(PathBuf::from);
    settings.identity_files = request.all(SessionOption::SshIdentity).map(PathBuf::from).collect();
    let known_hosts: Vec<_> = request.all(SessionOption::KnownHosts).map(PathBuf::from).collect();
    settings.known_hosts_only = request.get(SessionOption::KnownHostsOnly).is_some();
    settings.known_hosts = (!known_hosts.is_empty()).then_some(known_hosts);
    settings
}

fn append(buffer: &mut FrameBuffer, mut octets: &[u8]) {
    while !octets.is_empty() {
        let free = buffer.free_space();
        let count = free.len().min(octets.len());
        let (fitting, remaining) = octets.split_at_checked(count).unwrap_or((octets, &[]));
        free.iter_mut().zip(fitting).for_each(|(place, octet)| *place = *octet);
        buffer.advance(count);
        octets = remaining;
    }
}

/// Adds to the hint of an authentication error the options for the other authentication methods.
fn with_auth_alternatives(mut error: ChannelError) -> ChannelError {
    if error.step == ChannelStep::ClientIdentity {
        let hint = error.hint.map_or_else(String::new, |hint| format!("{hint}; "));
        error.hint = Some(format!("{hint}{AUTH_ALTERNATIVES}"));
    }
    error
}

const CLOSED: &str = "the agent closed the session";
const AUTH_ALTERNATIVES: &str = "use --identity for a key, or --password-file for a password; at a terminal, \
                                 you are asked for passwords and pass phrases";

#[cfg(test)]
mod tests;
