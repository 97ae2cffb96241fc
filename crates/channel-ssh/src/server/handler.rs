//! The russh handler of one connection: authenticates the user, opens subsystem channels, and
//! rejects other requests, except those for a terminal, which have no effect.

mod login;

use std::{future::poll_fn, mem, net::IpAddr, sync::Arc, task::Poll, time::Duration};

use portreeve_channel::{ChannelStep, PeerIdentity, SshIdentity};
use russh::{
    Channel, ChannelId, ChannelOpenFailure, ChannelWriteHalf, Disconnect, Pty,
    keys::Certificate,
    server::{
        Auth, ChannelOpenHandle, Handle, Handler, Msg, PublicKeyOffer, Response, Session, VerifiedPublicKey,
    },
};

use super::{
    channel::{ChannelBuffers, InputOverflow, ServerChannel},
    connection::{SshEvent, SshEvents},
    progress::{ConnectionProgress, ProtocolViolation},
    server_stream::StreamStats,
    settings::{self, ActiveSettings},
    statistics::SshStatistics,
};
use crate::{
    TrafficSettings,
    traffic::{self, ReceiveWindow},
};
use login::{CheckedKey, InteractiveState};

/// The russh handler of one connection.
pub(super) struct ConnectionHandler {
    progress: Arc<ConnectionProgress>,
    current: Arc<ActiveSettings>,
    statistics: Arc<SshStatistics>,
    peer: IpAddr,
    window: ReceiveWindow,
    /// True if an answer may share a packet with other messages.
    coalesces_writes: bool,
    /// The offered key that was checked last.
    checked_key: Option<Box<CheckedKey>>,
    interactive: InteractiveState,
    /// Number of passwords and question rounds so far.
    attempts: usize,
    /// Number of public keys offered so far.
    offers: usize,
    identity: Option<Arc<SshIdentity>>,
    subsystems: Arc<[Box<str>]>,
    channels: Vec<OpenChannel>,
    /// Number of channels that the peer did not close first; russh keeps some memory for each.
    abandoned: usize,
    stats: Arc<StreamStats>,
    events: SshEvents,
}

struct OpenChannel {
    id: ChannelId,
    state: ChannelState,
    is_closed_by_peer: bool,
}

enum ChannelState {
    /// No subsystem is open yet.
    Unused(ChannelWriteHalf<Msg>),
    /// A subsystem is open, and a session uses these buffers.
    InUse(Arc<ChannelBuffers>),
}

impl OpenChannel {
    fn buffers(&self) -> Option<&Arc<ChannelBuffers>> {
        match &self.state {
            ChannelState::Unused(_) => None,
            ChannelState::InUse(buffers) => Some(buffers),
        }
    }

    /// Returns true if the user of the subsystem has dropped the channel, or if the peer has closed
    /// it without a subsystem.
    fn is_dropped(&self) -> bool {
        self.buffers().map_or(self.is_closed_by_peer, |buffers| buffers.is_dropped())
    }

    /// Opens a subsystem. Fails if one was opened before.
    async fn open_subsystem(&mut self, name: &str, queue: Handle) -> Option<ServerChannel> {
        let ChannelState::Unused(half) = &self.state else { return None };
        let buffers = Arc::new(ChannelBuffers::new(half.writable_packet_size().await));
        let channel = ServerChannel::new(name, Arc::clone(&buffers), queue, half);
        self.state = ChannelState::InUse(buffers);
        Some(channel)
    }
}

/// Error that ends a connection.
#[derive(Debug)]
pub(super) enum HandlerError {
    Protocol(russh::Error),
    /// An internal error.
    InvalidState,
    /// Too many login attempts or public keys.
    TooManyAttempts,
}

impl From<russh::Error> for HandlerError {
    fn from(error: russh::Error) -> Self {
        Self::Protocol(error)
    }
}

impl ConnectionHandler {
    pub(super) fn new(
        progress: Arc<ConnectionProgress>,
        current: Arc<ActiveSettings>,
        traffic: TrafficSettings,
        subsystems: Arc<[Box<str>]>,
        stats: Arc<StreamStats>,
        events: SshEvents,
    ) -> Self {
        Self {
            current,
            statistics: Arc::clone(&progress.statistics),
            peer: progress.peer,
            progress,
            window: ReceiveWindow::new(traffic.window, settings::WINDOW),
            coalesces_writes: traffic.coalesces_writes(),
            checked_key: None,
            interactive: InteractiveState::default(),
            attempts: 0,
            offers: 0,
            identity: None,
            subsystems,
            channels: Vec::new(),
            abandoned: 0,
            stats,
            events,
        }
    }

    fn buffers(&self, id: ChannelId) -> Option<&Arc<ChannelBuffers>> {
        self.channels.iter().find(|channel| channel.id == id)?.buffers()
    }

    /// Passes received data to the session of its channel, and lets the session answer.
    async fn receive(&mut self, id: ChannelId, octets: &[u8]) -> Result<(), ProtocolViolation> {
        let buffers = self.buffers(id).ok_or(ProtocolViolation::DataWithoutSubsystem)?;
        // Requests that follow are collected first, so that their answers share a packet.
        let awaits_answer = self.coalesces_writes && !self.stats.has_read_ahead();
        let is_accepted =
            buffers.push(octets, awaits_answer).map_err(|InputOverflow| ProtocolViolation::WindowExceeded)?;
        let fills_congested_window =
            octets.len() <= CONGESTED_WINDOW as usize && buffers.is_input_congested();
        if fills_congested_window {
            // russh extends even this window each time. Without the delay, the peer would fill the
            // buffer two octets at a time while the session waits.
            let reading = poll_fn(|context| buffers.poll_uncongested(context));
            let _ = tokio::time::timeout(CONGESTED_DELAY, reading).await;
        }
        self.window.on_data(octets.len());
        if is_accepted {
            self.stats.record_data();
            if awaits_answer {
                answer_turn().await;
            }
        }
        Ok(())
    }

    /// Sends the output of a session as far as the peer accepts it.
    fn send_output(&self, id: ChannelId, session: &mut Session) -> Result<(), HandlerError> {
        let Some(buffers) = self.buffers(id) else { return Ok(()) };
        buffers.send_output(|part| Ok(session.data(id, part)?))
    }

    /// Returns true if the peer may open another channel.
    fn has_free_channel(&mut self) -> bool {
        self.remove_dropped_channels();
        self.channels.len() < self.current.channels && self.abandoned < MAX_ABANDONED
    }

    /// Removes the channels that are no longer used. A channel whose session has not ended counts
    /// even if the peer has closed it, so that closing channels cannot create more sessions.
    fn remove_dropped_channels(&mut self) {
        let abandoned = &mut self.abandoned;
        self.channels.retain(|channel| {
            let is_dropped = channel.is_dropped();
            *abandoned += usize::from(is_dropped && !channel.is_closed_by_peer);
            !is_dropped
        });
    }

    /// Closes the connection of a peer that violates the protocol, and sends it the reason.
    fn disconnect_for(
        &self,
        violation: ProtocolViolation,
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        self.progress.set_violation(violation);
        Ok(session.disconnect(Disconnect::ProtocolError, violation.message(), "")?)
    }

    /// Rejects a request for a service that is not supported.
    fn reject_request(&self, id: ChannelId, session: &mut Session) -> Result<(), HandlerError> {
        self.statistics.count_rejected_request();
        Ok(session.channel_failure(id)?)
    }
}

impl Drop for ConnectionHandler {
    /// Reports the end of the connection to the users of its channels.
    fn drop(&mut self) {
        self.channels.iter().filter_map(OpenChannel::buffers).for_each(|buffers| buffers.close());
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
        Box::pin(self.check_password(user, password)).await
    }

    async fn auth_publickey_offered(
        &mut self,
        user: &str,
        offer: PublicKeyOffer<'_>,
    ) -> Result<Auth, HandlerError> {
        Box::pin(self.authorize_offer(user, offer.algorithm, offer.public_key.key_data())).await
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, HandlerError> {
        Box::pin(self.authorize_key(user, key.public_key.key_data())).await
    }

    async fn auth_openssh_certificate(
        &mut self,
        user: &str,
        certificate: &Certificate,
    ) -> Result<Auth, HandlerError> {
        Box::pin(self.authorize_certificate(user, certificate)).await
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _submethods: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, HandlerError> {
        match response {
            None => Box::pin(self.start_interactive(user)).await,
            Some(answers) => Box::pin(self.submit_answers(user, answers.take(MAX_ANSWERS).collect())).await,
        }
    }

    async fn auth_succeeded(&mut self, _session: &mut Session) -> Result<(), HandlerError> {
        self.checked_key = None;
        self.interactive = InteractiveState::default();
        let Some(identity) = self.identity.clone() else { return Err(HandlerError::InvalidState) };
        self.statistics.count_login(&identity.proof);
        self.stats.set_logged_in();
        self.progress.refund();
        self.progress.set_step(ChannelStep::Subsystem);
        self.events.add(SshEvent::LoggedIn(PeerIdentity::Ssh(identity)));
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), HandlerError> {
        if self.has_free_channel() {
            // Received data is passed to `data` below, because russh's queue could block the
            // connection.
            let (_, half) = channel.split();
            let (id, state) = (half.id(), ChannelState::Unused(half));
            self.channels.push(OpenChannel { id, state, is_closed_by_peer: false });
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
        //= rfc5592#5.3-6
        let channel = self.channels.iter_mut().find(|channel| channel.id == id);
        let channel = channel.filter(|_| self.subsystems.iter().any(|own| **own == *name));
        let opened = match channel {
            Some(channel) => channel.open_subsystem(name, session.handle()).await,
            None => None,
        };
        match opened {
            Some(channel) => {
                self.progress.set_step(ChannelStep::Data);
                self.events.add(SshEvent::Channel(channel));
                Ok(session.channel_success(id)?)
            }
            None => self.reject_request(id, session),
        }
    }

    async fn data(
        &mut self,
        id: ChannelId,
        octets: &[u8],
        session: &mut Session,
    ) -> Result<(), HandlerError> {
        match self.receive(id, octets).await {
            Ok(()) => self.send_output(id, session),
            Err(violation) => self.disconnect_for(violation, session),
        }
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
        if let Some(buffers) = self.buffers(id) {
            buffers.set_window(size);
        }
        self.send_output(id, session)
    }

    async fn channel_eof(&mut self, id: ChannelId, _session: &mut Session) -> Result<(), HandlerError> {
        if let Some(buffers) = self.buffers(id) {
            buffers.set_eof();
        }
        Ok(())
    }

    async fn channel_close(&mut self, id: ChannelId, _session: &mut Session) -> Result<(), HandlerError> {
        if let Some(channel) = self.channels.iter_mut().find(|channel| channel.id == id) {
            channel.is_closed_by_peer = true;
            if let Some(buffers) = channel.buffers() {
                buffers.close();
            }
        }
        self.remove_dropped_channels();
        Ok(())
    }

    fn adjust_window(&mut self, _id: ChannelId, _current: u32) -> u32 {
        // Returns the next window size, which russh uses for all channels. It is only two octets
        // while octets of the peer have to wait, so that the peer cannot fill our memory.
        let mut buffers = self.channels.iter().filter_map(OpenChannel::buffers);
        if buffers.any(|buffers| buffers.is_input_congested()) {
            CONGESTED_WINDOW
        } else {
            self.window.next_target()
        }
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
        // Nothing is allocated, and the octets of the channel stay unchanged. NETCONF clients that
        // run `ssh -tt` give up if the request fails.
        Ok(session.channel_success(id)?)
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

/// Lets the session of a channel answer data that was just received. russh then handles the data
/// and the answer in one pass instead of two.
async fn answer_turn() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        // The data has woken the session first, so its task runs before this one.
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Maximum number of answers that are read: more than the number of questions in a round.
const MAX_ANSWERS: usize = 33;
/// Window size in octets while octets of the peer have to wait.
const CONGESTED_WINDOW: u32 = 2;
/// Maximum delay of each part that fills the window while octets of the peer have to wait: in half
/// an hour, a paused session receives less than its buffer has room for.
const CONGESTED_DELAY: Duration = Duration::from_millis(50);
/// Maximum number of channels of a connection that the peer did not close first.
const MAX_ABANDONED: usize = 1000;

#[cfg(test)]
mod tests;
