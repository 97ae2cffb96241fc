//! The russh handler of one connection: authenticates the user, opens subsystem channels, and
//! rejects all other requests.

mod login;

use std::{future::poll_fn, net::IpAddr, rc::Rc, sync::Arc, task::Poll};

use portreeve_channel::{ChannelStep, PeerIdentity, SshIdentity};
use russh::{
    Channel, ChannelId, ChannelOpenFailure, Disconnect, Pty,
    keys::Certificate,
    server::{Auth, ChannelOpenHandle, Handler, Msg, PublicKeyOffer, Response, Session, VerifiedPublicKey},
};

use super::{
    callbacks::{ChannelNumber, ChannelWriter, ControlFlow},
    registry::{self, ConnectionEntry, ConnectionProgress, ProtocolViolation, Registration},
    settings::{self, ActiveSettings},
    socket_stats::SocketStats,
    statistics::SshStatistics,
};
use crate::traffic::{self, ReceiveWindow, WindowPolicy};
use login::{CheckedKey, InteractiveState};

/// The russh handler of one connection.
pub(super) struct ConnectionHandler {
    /// Number of the connection in the registry of its worker.
    number: usize,
    progress: Arc<ConnectionProgress>,
    current: Arc<ActiveSettings>,
    statistics: Arc<SshStatistics>,
    peer: IpAddr,
    window: ReceiveWindow,
    /// The offered key that was checked last.
    checked_key: Option<CheckedKey>,
    interactive: InteractiveState,
    /// Number of passwords and question rounds so far.
    attempts: usize,
    /// Number of public keys offered so far.
    offers: usize,
    identity: Option<Arc<SshIdentity>>,
    channels: Vec<OpenChannel>,
    stats: Arc<SocketStats>,
}

struct OpenChannel {
    id: ChannelId,
    /// Set once a subsystem was opened on the channel.
    has_subsystem: bool,
}

/// Error that ends a connection.
#[derive(Debug)]
pub(super) enum HandlerError {
    Protocol(russh::Error),
    /// An internal error.
    InvalidState,
    /// Too many login attempts or public keys.
    TooManyAttempts,
    WrongThread,
}

impl From<russh::Error> for HandlerError {
    fn from(error: russh::Error) -> Self {
        Self::Protocol(error)
    }
}

impl ConnectionHandler {
    pub(super) fn new(
        registration: &Registration,
        current: Arc<ActiveSettings>,
        window: WindowPolicy,
    ) -> Self {
        let window = ReceiveWindow::new(window, settings::WINDOW);
        let progress = Arc::clone(&registration.progress);
        Self {
            number: registration.number(),
            current,
            statistics: Arc::clone(&progress.statistics),
            peer: progress.peer,
            progress,
            window,
            checked_key: None,
            interactive: InteractiveState::default(),
            attempts: 0,
            offers: 0,
            identity: None,
            channels: Vec::new(),
            stats: Arc::default(),
        }
    }

    /// Sets the statistics, which record that the peer has logged in.
    pub(super) fn with_stats(self, stats: Arc<SocketStats>) -> Self {
        Self { stats, ..self }
    }

    fn entry(&self) -> Result<Rc<ConnectionEntry>, HandlerError> {
        registry::find(self.number).ok_or(HandlerError::WrongThread)
    }

    /// Waits until the connection is polled by its worker, and returns its entry.
    async fn entry_on_worker(&self) -> Rc<ConnectionEntry> {
        poll_fn(|_| match registry::find(self.number) {
            Some(entry) => {
                self.progress.set_awaits_worker(false);
                Poll::Ready(entry)
            }
            // The login thread then returns the connection to the worker, which polls it at once.
            None => {
                self.progress.set_awaits_worker(true);
                Poll::Pending
            }
        })
        .await
    }

    fn has_subsystem(&self, id: ChannelId) -> bool {
        self.channels.iter().any(|channel| channel.id == id && channel.has_subsystem)
    }

    /// Runs a callback for a channel with a subsystem, and applies the returned [`ControlFlow`].
    fn call_back(
        &self,
        id: ChannelId,
        session: &mut Session,
        call: impl FnOnce(&ConnectionEntry, &mut ChannelWriter<'_>) -> ControlFlow,
    ) -> Result<(), HandlerError> {
        let entry = self.entry()?;
        let mut writer = ChannelWriter::new(session, id, self.window.policy());
        let flow = call(&entry, &mut writer);
        writer.finish()?;
        match flow {
            ControlFlow::Continue => {}
            ControlFlow::CloseChannel => {
                session.exit_status_request(id, 0)?;
                session.eof(id)?;
                session.close(id)?;
            }
            ControlFlow::Disconnect => session.disconnect(Disconnect::ByApplication, "", "")?,
        }
        Ok(())
    }

    /// Closes the connection of a peer that violates the protocol, and sends it the reason.
    fn disconnect_for(
        &self,
        violation: ProtocolViolation,
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        self.entry()?.violation.set(Some(violation));
        Ok(session.disconnect(Disconnect::ProtocolError, violation.message(), "")?)
    }

    /// Rejects a request for a service that is not supported.
    fn reject_request(&self, id: ChannelId, session: &mut Session) -> Result<(), HandlerError> {
        self.statistics.count_rejected_request();
        Ok(session.channel_failure(id)?)
    }
}

impl Handler for ConnectionHandler {
    type Error = HandlerError;

    async fn authentication_banner(&mut self) -> Result<Option<String>, HandlerError> {
        // russh asks for a banner after the key exchange, when the peer starts to log in.
        self.progress.set_step(ChannelStep::ClientIdentity);
        Ok(None)
    }

    async fn auth_none(&mut self, _user: &str) -> Result<Auth, HandlerError> {
        Ok(self.reject())
    }

    async fn auth_password(&mut self, user: &str, password: &str) -> Result<Auth, HandlerError> {
        self.check_password(user, password).await
    }

    async fn auth_publickey_offered(
        &mut self,
        user: &str,
        offer: PublicKeyOffer<'_>,
    ) -> Result<Auth, HandlerError> {
        self.authorize_offer(user, offer.algorithm, offer.public_key.key_data()).await
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, HandlerError> {
        self.authorize_key(user, key.public_key.key_data()).await
    }

    async fn auth_openssh_certificate(
        &mut self,
        user: &str,
        certificate: &Certificate,
    ) -> Result<Auth, HandlerError> {
        self.authorize_certificate(user, certificate).await
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _submethods: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, HandlerError> {
        match response {
            None => self.start_interactive(user).await,
            Some(answers) => self.submit_answers(user, answers.take(MAX_ANSWERS).collect()).await,
        }
    }

    async fn auth_succeeded(&mut self, session: &mut Session) -> Result<(), HandlerError> {
        self.checked_key = None;
        self.interactive = InteractiveState::default();
        let Some(identity) = self.identity.clone() else { return Err(HandlerError::InvalidState) };
        let entry = self.entry_on_worker().await;
        self.statistics.count_login(&identity.proof);
        self.stats.set_logged_in();
        self.progress.refund();
        self.progress.set_step(ChannelStep::Subsystem);
        if !entry.callbacks.authenticated(&PeerIdentity::Ssh(identity)) {
            session.disconnect(Disconnect::ByApplication, "SNMP is not available to this user", "")?;
        }
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), HandlerError> {
        if self.channels.len() < self.current.channels {
            self.channels.push(OpenChannel { id: channel.id(), has_subsystem: false });
            reply.accept().await;
        } else {
            self.statistics.count_rejected_request();
            reply.reject(ChannelOpenFailure::ResourceShortage).await;
        }
        Ok(())
    }

    async fn subsystem_request(
        &mut self,
        id: ChannelId,
        name: &str,
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        let entry = self.entry()?;
        let channel = self.channels.iter_mut().find(|channel| channel.id == id && !channel.has_subsystem);
        match channel {
            Some(channel) if entry.callbacks.open_subsystem(ChannelNumber(id), name) => {
                channel.has_subsystem = true;
                self.progress.set_step(ChannelStep::Data);
                Ok(session.channel_success(id)?)
            }
            _ => self.reject_request(id, session),
        }
    }

    async fn data(
        &mut self,
        id: ChannelId,
        octets: &[u8],
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        if !self.has_subsystem(id) {
            return self.disconnect_for(ProtocolViolation::DataWithoutSubsystem, session);
        }
        self.window.on_data(octets.len());
        self.call_back(id, session, |entry, writer| entry.callbacks.receive(writer, octets))
    }

    async fn window_adjusted(
        &mut self,
        id: ChannelId,
        size: u32,
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        if traffic::is_window_overflow(size) {
            return self.disconnect_for(ProtocolViolation::WindowOverflow, session);
        }
        if !self.has_subsystem(id) {
            return Ok(());
        }
        self.call_back(id, session, |entry, writer| entry.callbacks.writable(writer))
    }

    async fn channel_eof(&mut self, id: ChannelId, session: &mut Session) -> Result<(), HandlerError> {
        if !self.has_subsystem(id) {
            return Ok(());
        }
        self.call_back(id, session, |entry, writer| entry.callbacks.on_eof(writer))
    }

    async fn channel_close(&mut self, id: ChannelId, _session: &mut Session) -> Result<(), HandlerError> {
        if self.has_subsystem(id) {
            self.entry()?.callbacks.closed(ChannelNumber(id));
        }
        self.channels.retain(|channel| channel.id != id);
        Ok(())
    }

    fn adjust_window(&mut self, id: ChannelId, _current: u32) -> u32 {
        // Returns the next window size. It is only two octets while messages of the peer have to
        // wait, so that the peer cannot fill our memory.
        let congested = self.entry().is_ok_and(|entry| entry.callbacks.is_congested(ChannelNumber(id)));
        if congested { CONGESTED_WINDOW } else { self.window.next_target() }
    }

    async fn pty_request(
        &mut self,
        id: ChannelId,
        _term: &str,
        _columns: u32,
        _rows: u32,
        _width: u32,
        _height: u32,
        _modes: &[(Pty, u32)],
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        self.reject_request(id, session)
    }

    async fn x11_request(
        &mut self,
        id: ChannelId,
        _single: bool,
        _protocol: &str,
        _cookie: &str,
        _screen: u32,
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        self.reject_request(id, session)
    }

    async fn env_request(
        &mut self,
        id: ChannelId,
        _: &str,
        _: &str,
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        // Clients send these by default, so they are not counted as rejected requests.
        Ok(session.channel_failure(id)?)
    }

    async fn shell_request(&mut self, id: ChannelId, session: &mut Session) -> Result<(), HandlerError> {
        self.reject_request(id, session)
    }

    async fn exec_request(
        &mut self,
        id: ChannelId,
        _: &[u8],
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        self.reject_request(id, session)
    }
}

/// Maximum number of answers that are read: more than the number of questions in a round.
const MAX_ANSWERS: usize = 33;
/// Window size in octets while messages of the peer have to wait.
const CONGESTED_WINDOW: u32 = 2;

#[cfg(test)]
mod tests;
