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
use portreeve_sys::find_own_file;

use super::prompt_responder::PromptResponder;
use crate::{
    environment::Variable,
    flags::{SecureOptions, Settings},
    snmp_conf,
};

/// The options for opening a secure session.
pub(super) struct SecurePlan {
    secure: SecureOptions,
    /// The options of `snmp.conf`, then those of `-T`. The last one of each name applies.
    transport_options: Vec<(&'static str, String)>,
    /// Answers the server's prompts.
    responder: PromptResponder,
    /// True if `-T` was given; the transport must then support options.
    pub(super) has_typed_options: bool,
}

impl SecurePlan {
    pub(super) fn new(settings: &mut Settings) -> Self {
        let has_typed_options = !settings.transport_options.is_empty();
        let mut transport_options = std::mem::take(&mut settings.transport_directives);
        transport_options.append(&mut settings.transport_options);
        let password = settings.ssh_password.take().or_else(|| Variable::SshPass.secret());
        let responder = PromptResponder::new(password, !settings.like_net_snmp);
        Self { secure: settings.secure.clone(), transport_options, responder, has_typed_options }
    }

    /// Borrows a session from the broker, which opens one if necessary. If the broker knows the
    /// agent's engine ID, it is added to `options`.
    pub(super) fn open(
        &mut self,
        address: &PeerAddress,
        options: &mut SessionOptions,
    ) -> Result<(BorrowedLink, BorrowedSession), ChannelError> {
        let program = find_own_file(BROKER_PROGRAM).ok_or_else(|| {
            ChannelError::at(ChannelStep::Connect, format!("{BROKER_PROGRAM} is not installed"))
                .with_hint("`make install` installs portreeve-broker in libexec/portreeve")
        })?;
        let request = self.session_request(address, options.retry.total_timeout())?;
        let mut ask = |question: &PromptRequest| self.responder.answer(question);
        let (connection, opened) =
            BrokerConnection::open(&request, &SocketPath::for_current_user(), &program, &mut ask)?;
        let known_engine_id = EngineId::from_wire(&opened.note).ok();
        let socket = connection
            .try_clone_stream()
            .map_err(|error| ChannelError::at(ChannelStep::Connect, error.to_string()))?;
        if options.security_engine_id.is_none() {
            options.security_engine_id = known_engine_id;
        }
        let loses_messages = address.transport == Transport::Dtls;
        Ok((
            BorrowedLink { connection, loses_messages },
            BorrowedSession { socket, known_engine_id, protocol: opened.protocol },
        ))
    }

    /// Returns the request to the broker.
    pub(super) fn session_request(
        &self,
        address: &PeerAddress,
        timeout: Duration,
    ) -> Result<SessionRequest, ChannelError> {
        let transport = match address.transport {
            Transport::Ssh => protocol::Transport::Ssh,
            Transport::Tls => protocol::Transport::Tls,
            Transport::Dtls => protocol::Transport::Dtls,
            _ => {
                return Err(ChannelError::at(
                    ChannelStep::Connect,
                    "only ssh, tls and dtls support sessions",
                ));
            }
        };
        Ok(SessionRequest {
            persist: self.secure.persist,
            timeout,
            transport,
            user: address.user.clone().unwrap_or_default(),
            host: address.host.clone(),
            // 0 lets ssh_config choose the port.
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

    /// Returns the options for identity and trust over SSH.
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

    /// Returns the options for identity and trust over TLS and DTLS. The broker reads the files.
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
        let has_trust = !authorities.is_empty() || !pins.is_empty();
        if !has_trust && their_identity.is_none() && authority.is_none() {
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
        add(SessionOption::UserDirectory, certificate_dir().and_then(|dir| path_text(&dir)));
        for dir in snmp_conf::config_dirs() {
            add(SessionOption::SnmpDirectory, std::path::absolute(&dir).ok().as_deref().and_then(path_text));
        }
        options
    }

    /// Returns the last value of a transport option that has any of these names.
    fn transport_option(&self, names: &[&str]) -> Option<String> {
        self.transport_options
            .iter()
            .rev()
            .find(|(name, _)| names.contains(name))
            .map(|(_, value)| value.clone())
    }
}

/// Sends and receives this command's messages in the borrowed session.
pub(super) struct BorrowedLink {
    connection: BrokerConnection,
    loses_messages: bool,
}

impl Link for BorrowedLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.connection.send(message)
    }

    fn receive(&mut self, timeout: Duration) -> io::Result<LinkInput<'_>> {
        match self.connection.receive(timeout)? {
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

/// A second handle of the session, used when the command has finished.
pub(super) struct BorrowedSession {
    socket: UnixStream,
    known_engine_id: Option<EngineId>,
    /// The protocol version, for `--stats`.
    pub(super) protocol: String,
}

impl BorrowedSession {
    /// Stores the engine ID in the broker, so that the next command in this session need not
    /// discover it.
    pub(super) fn send_note(&mut self, engine_id: Option<EngineId>) {
        let new_id = engine_id.filter(|id| self.known_engine_id != Some(*id));
        let note = new_id.and_then(|id| Frame::Note(id.as_bytes()).encode().ok());
        if let Some(note) = note {
            // A failure is ignored: the next command then discovers the engine ID again.
            let _ = self.socket.write_all(&note);
        }
    }
}

/// Returns the path that an environment variable contains, as an absolute path.
fn absolute_file(variable: Variable) -> Option<String> {
    path_text(&std::path::absolute(variable.value()?).ok()?)
}

/// Returns the directory of the user's certificate.
fn certificate_dir() -> Option<PathBuf> {
    let from_home = || Some(PathBuf::from(Variable::Home.value()?).join(".config"));
    let config_home = Variable::ConfigHome.value().map(PathBuf::from).filter(|dir| dir.is_absolute());
    Some(config_home.or_else(from_home)?.join("portreeve").join("tls"))
}

fn path_text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

const BROKER_PROGRAM: &str = "portreeve-broker";
const OUR_IDENTITY: [&str; 3] = ["localCert", "our_identity", "ourIdentity"];
const THEIR_IDENTITY: [&str; 3] = ["peerCert", "their_identity", "theirIdentity"];
const TRUST_CERT: [&str; 1] = ["trust_cert"];
