//! A session over a secure transport, borrowed from a broker.

use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_broker_protocol::{
    self as protocol, BrokerConnection, Frame, PromptRequest, SessionOption, SessionRequest, SocketPath,
};
use portreeve_channel::{ChannelError, ChannelStep};
use portreeve_smi::EngineId;
use portreeve_snmp_manager::{Family, Link, LinkInput, PeerAddress, SessionOptions, Transport};

use super::prompt_responder::PromptResponder;
use crate::{
    environment::Variable,
    external,
    flags::{SecureOptions, Settings},
    snmp_conf,
};

/// What is needed to open one.
pub(super) struct SecurePlan {
    secure: SecureOptions,
    /// `-T`, or what `snmp.conf` has instead.
    transport_options: Vec<(&'static str, String)>,
    /// What servers are answered that ask.
    responder: PromptResponder,
    /// Whether `-T` was typed: then the transport must be one that it is for.
    pub(super) has_typed_options: bool,
}

impl SecurePlan {
    pub(super) fn new(settings: &mut Settings) -> Self {
        let is_typed = !settings.transport_options.is_empty();
        let mut named = std::mem::take(&mut settings.transport_directives);
        named.append(&mut settings.transport_options);
        let password = settings.ssh_password.take().or_else(|| Variable::SshPass.secret());
        let answers = PromptResponder::new(password, !settings.like_net_snmp);
        Self {
            secure: settings.secure.clone(),
            transport_options: named,
            responder: answers,
            has_typed_options: is_typed,
        }
    }

    /// Opens the session, or borrows one that is open. What is known of the agent from there is added to `options`.
    pub(super) fn open(
        &mut self,
        address: &PeerAddress,
        options: &mut SessionOptions,
    ) -> Result<(BorrowedLink, BorrowedSession), ChannelError> {
        let program = external::find_program(BROKER_PROGRAM).ok_or_else(|| {
            ChannelError::at(ChannelStep::Connect, format!("{BROKER_PROGRAM} is not installed"))
                .with_hint("`make install` puts it into libexec/portreeve")
        })?;
        let order = self.order(address, options.retry.total_timeout())?;
        let mut ask = |question: &PromptRequest| self.responder.answer(question);
        let (line, opened) =
            BrokerConnection::open(&order, &SocketPath::for_current_user(), &program, &mut ask)?;
        let known = EngineId::from_wire(&opened.note).ok();
        let socket = line
            .try_clone_stream()
            .map_err(|error| ChannelError::at(ChannelStep::Connect, error.to_string()))?;
        if options.security_engine_id.is_none() {
            options.security_engine_id = known;
        }
        let loses_messages = address.transport == Transport::Dtls;
        Ok((
            BorrowedLink { line, loses_messages },
            BorrowedSession { socket, known_engine_id: known, protocol: opened.protocol },
        ))
    }

    /// What a broker is asked for.
    pub(super) fn order(
        &self,
        address: &PeerAddress,
        patience: Duration,
    ) -> Result<SessionRequest, ChannelError> {
        let transport = match address.transport {
            Transport::Ssh => protocol::Transport::Ssh,
            Transport::Tls => protocol::Transport::Tls,
            Transport::Dtls => protocol::Transport::Dtls,
            _ => return Err(ChannelError::at(ChannelStep::Connect, "this transport is not supported here")),
        };
        Ok(SessionRequest {
            persist: self.secure.persist,
            timeout: patience,
            transport,
            user: address.user.clone().unwrap_or_default(),
            host: address.host.clone(),
            // ssh's own configuration may know better than a default does.
            port: if transport == protocol::Transport::Ssh && !address.has_explicit_port {
                0
            } else {
                address.port
            },
            family: address.family.map(|family| match family {
                Family::V4 => 4,
                Family::V6 => 6,
            }),
            options: match transport {
                protocol::Transport::Ssh => self.ssh_options(),
                _ => self.certificate_options(),
            },
        })
    }

    /// Who we are and whom we trust over SSH.
    fn ssh_options(&self) -> Vec<(SessionOption, String)> {
        let mut options = Vec::new();
        let mut add = |key, value: Option<String>| options.extend(value.map(|value| (key, value)));
        match self.secure.identities.as_slice() {
            [] => add(SessionOption::SshIdentity, absolute_file(Variable::SshKey)),
            named => named.iter().for_each(|path| add(SessionOption::SshIdentity, Some(path.clone()))),
        }
        add(SessionOption::KnownHosts, absolute_file(Variable::KnownHosts));
        add(SessionOption::SshAgent, absolute_file(Variable::SshAgent));
        add(SessionOption::Home, absolute_file(Variable::Home));
        options
    }

    /// Who we are and whom we trust by certificates, for the broker to find the files.
    fn certificate_options(&self) -> Vec<(SessionOption, String)> {
        let SecureOptions { certificate, key, authorities, pins, server_name, .. } = &self.secure;
        let mut options = Vec::new();
        let mut add = |key, value: Option<String>| options.extend(value.map(|value| (key, value)));
        add(SessionOption::Certificate, certificate.clone());
        add(SessionOption::PrivateKey, key.clone());
        if certificate.is_none() && self.transport_option(&OUR_IDENTITY).is_none() {
            add(SessionOption::Certificate, absolute_file(Variable::TlsCertificate));
            add(SessionOption::PrivateKey, absolute_file(Variable::TlsKey).filter(|_| key.is_none()));
        }
        add(SessionOption::LocalCertificate, self.transport_option(&OUR_IDENTITY));
        let (their_identity, authority) =
            (self.transport_option(&THEIR_IDENTITY), self.transport_option(&TRUST_CERT));
        let trusts = !authorities.is_empty() || !pins.is_empty();
        if !trusts && their_identity.is_none() && authority.is_none() {
            add(SessionOption::Authority, absolute_file(Variable::TlsAuthority));
        }
        authorities.iter().for_each(|path| add(SessionOption::Authority, Some(path.clone())));
        pins.iter().for_each(|pin| add(SessionOption::Pin, Some(pin.clone())));
        add(SessionOption::PeerCertificate, their_identity);
        add(SessionOption::TrustedCertificate, authority);
        add(
            SessionOption::ServerName,
            server_name.clone().or_else(|| self.transport_option(&["their_hostname"])),
        );
        add(SessionOption::Folder, certificate_dir().and_then(|folder| path_text(&folder)));
        for folder in snmp_conf::config_dirs() {
            add(SessionOption::SnmpFolder, std::path::absolute(&folder).ok().as_deref().and_then(path_text));
        }
        options
    }

    /// The last value of `-T` under any of these names.
    fn transport_option(&self, names: &[&str]) -> Option<String> {
        self.transport_options
            .iter()
            .rev()
            .find(|(name, _)| names.contains(name))
            .map(|(_, value)| value.clone())
    }
}

/// A session for this command's messages.
pub(super) struct BorrowedLink {
    line: BrokerConnection,
    loses_messages: bool,
}

impl Link for BorrowedLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.line.send(message)
    }

    fn receive(&mut self, patience: Duration) -> io::Result<LinkInput<'_>> {
        match self.line.receive(patience)? {
            Some(Frame::Message(message)) => Ok(LinkInput::Message(message)),
            Some(Frame::Failed(error)) => Err(io::Error::other(error)),
            Some(_) => Err(io::ErrorKind::InvalidData.into()),
            None => Ok(LinkInput::Nothing),
        }
    }

    fn loses_messages(&self) -> bool {
        self.loses_messages
    }

    fn is_secure_session(&self) -> bool {
        true
    }
}

/// The same session, for what is said when the command is done.
pub(super) struct BorrowedSession {
    socket: UnixStream,
    known_engine_id: Option<EngineId>,
    /// What is spoken in it.
    pub(super) protocol: String,
}

impl BorrowedSession {
    /// Tells the next command in this session what it need not find out again.
    pub(super) fn send_note(&mut self, engine_id: Option<EngineId>) {
        let news = engine_id.filter(|id| self.known_engine_id != Some(*id));
        let note = news.and_then(|id| Frame::Note(id.as_bytes()).encode().ok());
        if let Some(note) = note {
            // Nobody is worse off without.
            let _ = self.socket.write_all(&note);
        }
    }
}

/// The file that a variable names, as an absolute path.
fn absolute_file(variable: Variable) -> Option<String> {
    path_text(&std::path::absolute(variable.value()?).ok()?)
}

/// Where the user's own certificate is.
fn certificate_dir() -> Option<PathBuf> {
    let from_home = || Some(PathBuf::from(Variable::Home.value()?).join(".config"));
    let told = Variable::ConfigHome.value().map(PathBuf::from).filter(|folder| folder.is_absolute());
    Some(told.or_else(from_home)?.join("portreeve").join("tls"))
}

fn path_text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

const BROKER_PROGRAM: &str = "portreeve-broker";
const OUR_IDENTITY: [&str; 3] = ["localCert", "our_identity", "ourIdentity"];
const THEIR_IDENTITY: [&str; 3] = ["peerCert", "their_identity", "theirIdentity"];
const TRUST_CERT: [&str; 1] = ["trust_cert"];
