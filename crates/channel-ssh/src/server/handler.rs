//! russh's calls, one connection's: authentication is asked for, channels carry subsystems, and all else is refused.

mod login;

use std::{net::IpAddr, rc::Rc, sync::Arc};

use portreeve_channel::{PeerIdentity, SshIdentity, Step};
use russh::{
    Channel, ChannelId, ChannelOpenFailure, Disconnect, Pty,
    keys::Certificate,
    server::{Auth, ChannelOpenHandle, Handler, Msg, PublicKeyOffer, Response, Session, VerifiedPublicKey},
};

use super::{
    host::{ChannelNumber, Onward, Output},
    registry::{self, Breach, Entry},
    settings::{self, Current},
    statistics::SshStatistics,
    watch::Watch,
};
use crate::traffic::{self, Window, WindowPolicy};
use login::{JudgedKey, Questioning};

/// One connection's handler.
pub(super) struct ConnectionHandler {
    /// Its number in the thread's registry.
    number: usize,
    current: Arc<Current>,
    statistics: Arc<SshStatistics>,
    peer: IpAddr,
    window: Window,
    /// The key that was judged last, when it was offered.
    judged: Option<JudgedKey>,
    questioning: Questioning,
    /// Passwords and rounds of questions so far.
    tries: usize,
    identity: Option<Arc<SshIdentity>>,
    channels: Vec<OpenChannel>,
    watch: Arc<Watch>,
}

struct OpenChannel {
    id: ChannelId,
    /// A subsystem answers on it.
    served: bool,
}

/// Why a connection ends in disorder.
#[derive(Debug)]
pub(super) enum Failure {
    Protocol(russh::Error),
    /// A state that cannot be.
    Misuse,
    /// Too many tries to log in.
    Tries,
    Elsewhere,
}

impl From<russh::Error> for Failure {
    fn from(error: russh::Error) -> Self {
        Self::Protocol(error)
    }
}

impl ConnectionHandler {
    pub(super) fn new(
        number: usize,
        current: Arc<Current>,
        statistics: Arc<SshStatistics>,
        peer: IpAddr,
        window: WindowPolicy,
    ) -> Self {
        let window = Window::new(window, settings::WINDOW);
        Self {
            number,
            current,
            statistics,
            peer,
            window,
            judged: None,
            questioning: Questioning::default(),
            tries: 0,
            identity: None,
            channels: Vec::new(),
            watch: Arc::default(),
        }
    }

    /// The same, which tells the connection's watch when the peer is in.
    pub(super) fn watched_by(self, watch: Arc<Watch>) -> Self {
        Self { watch, ..self }
    }

    fn entry(&self) -> Result<Rc<Entry>, Failure> {
        registry::find(self.number).ok_or(Failure::Elsewhere)
    }

    fn is_served(&self, id: ChannelId) -> bool {
        self.channels.iter().any(|channel| channel.id == id && channel.served)
    }

    /// Has the host do something with a channel that is served.
    fn with_host(
        &self,
        id: ChannelId,
        session: &mut Session,
        call: impl FnOnce(&Entry, &mut Output<'_>) -> Onward,
    ) -> Result<(), Failure> {
        let entry = self.entry()?;
        let mut output = Output::new(session, id, self.window.policy());
        let onward = call(&entry, &mut output);
        output.finish()?;
        match onward {
            Onward::Open => {}
            Onward::CloseChannel => {
                session.exit_status_request(id, 0)?;
                session.eof(id)?;
                session.close(id)?;
            }
            Onward::Disconnect => session.disconnect(Disconnect::ByApplication, "", "")?,
        }
        Ok(())
    }

    /// Ends the connection of a peer that breaks the protocol, and says so.
    fn end_for(&self, breach: Breach, session: &mut Session) -> Result<(), Failure> {
        self.entry()?.breach.set(Some(breach));
        Ok(session.disconnect(Disconnect::ProtocolError, breach.words(), "")?)
    }

    /// Refuses something that does not exist here.
    fn refuse(&self, id: ChannelId, session: &mut Session) -> Result<(), Failure> {
        self.statistics.count_refused_request();
        Ok(session.channel_failure(id)?)
    }
}

impl Handler for ConnectionHandler {
    type Error = Failure;

    async fn authentication_banner(&mut self) -> Result<Option<String>, Failure> {
        // Keys are exchanged, and the peer asks to log in.
        self.entry()?.step.set(Step::ClientIdentity);
        Ok(None)
    }

    async fn auth_none(&mut self, _user: &str) -> Result<Auth, Failure> {
        Ok(self.reject())
    }

    async fn auth_password(&mut self, user: &str, password: &str) -> Result<Auth, Failure> {
        self.judge_password(user, password).await
    }

    async fn auth_publickey_offered(
        &mut self,
        user: &str,
        offer: PublicKeyOffer<'_>,
    ) -> Result<Auth, Failure> {
        self.judge_offer(user, offer.public_key.key_data()).await
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, Failure> {
        self.judge_key(user, key.public_key.key_data()).await
    }

    async fn auth_openssh_certificate(
        &mut self,
        user: &str,
        certificate: &Certificate,
    ) -> Result<Auth, Failure> {
        self.judge_certificate(user, certificate).await
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _submethods: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, Failure> {
        match response {
            None => self.ask_questions(user).await,
            Some(answers) => self.take_answers(user, answers.take(MOST_ANSWERS).collect()).await,
        }
    }

    async fn auth_succeeded(&mut self, session: &mut Session) -> Result<(), Failure> {
        self.judged = None;
        self.questioning = Questioning::default();
        let (Some(identity), entry) = (self.identity.clone(), self.entry()?) else {
            return Err(Failure::Misuse);
        };
        self.statistics.count_login(&identity.proof);
        self.watch.let_in();
        entry.step.set(Step::Subsystem);
        if !entry.host.authenticated(&PeerIdentity::Ssh(identity)) {
            session.disconnect(Disconnect::ByApplication, "no service for this user", "")?;
        }
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Failure> {
        if self.channels.len() < self.current.channels {
            self.channels.push(OpenChannel { id: channel.id(), served: false });
            reply.accept().await;
        } else {
            self.statistics.count_refused_request();
            reply.reject(ChannelOpenFailure::ResourceShortage).await;
        }
        Ok(())
    }

    async fn subsystem_request(
        &mut self,
        id: ChannelId,
        name: &str,
        session: &mut Session,
    ) -> Result<(), Failure> {
        let entry = self.entry()?;
        let channel = self.channels.iter_mut().find(|channel| channel.id == id && !channel.served);
        match channel {
            Some(channel) if entry.host.open(ChannelNumber(id), name) => {
                channel.served = true;
                entry.step.set(Step::Data);
                Ok(session.channel_success(id)?)
            }
            _ => self.refuse(id, session),
        }
    }

    async fn data(&mut self, id: ChannelId, octets: &[u8], session: &mut Session) -> Result<(), Failure> {
        if !self.is_served(id) {
            return self.end_for(Breach::DataWithoutSubsystem, session);
        }
        self.window.took(octets.len());
        self.with_host(id, session, |entry, output| entry.host.receive(output, octets))
    }

    async fn window_adjusted(
        &mut self,
        id: ChannelId,
        size: u32,
        session: &mut Session,
    ) -> Result<(), Failure> {
        if traffic::is_overfull(size) {
            return self.end_for(Breach::Window, session);
        }
        if !self.is_served(id) {
            return Ok(());
        }
        self.with_host(id, session, |entry, output| entry.host.writable(output))
    }

    async fn channel_eof(&mut self, id: ChannelId, session: &mut Session) -> Result<(), Failure> {
        if !self.is_served(id) {
            return Ok(());
        }
        self.with_host(id, session, |entry, output| entry.host.ended(output))
    }

    async fn channel_close(&mut self, id: ChannelId, _session: &mut Session) -> Result<(), Failure> {
        if self.is_served(id) {
            self.entry()?.host.closed(ChannelNumber(id));
        }
        self.channels.retain(|channel| channel.id != id);
        Ok(())
    }

    fn adjust_window(&mut self, id: ChannelId, _current: u32) -> u32 {
        // The next target. With a window of two octets the peer asks again after each, and cannot fill our memory meanwhile.
        let congested = self.entry().is_ok_and(|entry| entry.host.is_congested(ChannelNumber(id)));
        if congested { TRICKLE } else { self.window.next() }
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
    ) -> Result<(), Failure> {
        self.refuse(id, session)
    }

    async fn x11_request(
        &mut self,
        id: ChannelId,
        _single: bool,
        _protocol: &str,
        _cookie: &str,
        _screen: u32,
        session: &mut Session,
    ) -> Result<(), Failure> {
        self.refuse(id, session)
    }

    async fn env_request(
        &mut self,
        id: ChannelId,
        _: &str,
        _: &str,
        session: &mut Session,
    ) -> Result<(), Failure> {
        // Clients send these unasked, so they count as nothing.
        Ok(session.channel_failure(id)?)
    }

    async fn shell_request(&mut self, id: ChannelId, session: &mut Session) -> Result<(), Failure> {
        self.refuse(id, session)
    }

    async fn exec_request(&mut self, id: ChannelId, _: &[u8], session: &mut Session) -> Result<(), Failure> {
        self.refuse(id, session)
    }
}

/// Answers that are looked at: more than can be asked for at once.
const MOST_ANSWERS: usize = 33;
/// The window of a peer whose messages have to wait.
const TRICKLE: u32 = 2;

#[cfg(test)]
mod tests;
