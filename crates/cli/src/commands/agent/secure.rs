//! A session over a secure transport, borrowed from a broker.

use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_broker_protocol::{self as protocol, Frame, Key, Line, Order, Question, Rendezvous};
use portreeve_channel::{ChannelError, Step};
use portreeve_smi::EngineId;
use portreeve_snmp_manager::{Family, Link, PeerAddress, Received, SessionOptions, Transport};

use super::answers::Answers;
use crate::{
    environment::Variable,
    external,
    flags::{Secure, Settings},
    snmp_conf,
};

/// What is needed to open one.
pub(super) struct Plan {
    secure: Secure,
    /// `-T`, or what `snmp.conf` has instead.
    named: Vec<(&'static str, String)>,
    /// What servers are answered that ask.
    answers: Answers,
    /// Whether `-T` was typed: then the transport must be one that it is for.
    pub(super) is_typed: bool,
}

impl Plan {
    pub(super) fn new(settings: &mut Settings) -> Self {
        let is_typed = !settings.transport_options.is_empty();
        let mut named = std::mem::take(&mut settings.transport_words);
        named.append(&mut settings.transport_options);
        let password = settings.ssh_password.take().or_else(|| Variable::SshPass.secret());
        let answers = Answers::new(password, !settings.like_net_snmp);
        Self { secure: settings.secure.clone(), named, answers, is_typed }
    }

    /// Opens the session, or borrows one that is open. What is known of the agent from there is added to `options`.
    pub(super) fn open(
        &mut self,
        address: &PeerAddress,
        options: &mut SessionOptions,
    ) -> Result<(BorrowedLink, Borrowed), ChannelError> {
        let program = external::find(PROGRAM).ok_or_else(|| {
            ChannelError::at(Step::Connect, format!("{PROGRAM} is not installed"))
                .cured_by("`make install` puts it into libexec/portreeve")
        })?;
        let order = self.order(address, options.retry.patience())?;
        let mut ask = |question: &Question| self.answers.answer(question);
        let (line, opened) = Line::open(&order, &Rendezvous::of_this_user(), &program, &mut ask)?;
        let known = EngineId::from_wire(&opened.note).ok();
        let socket = line.duplicate().map_err(|error| ChannelError::at(Step::Connect, error.to_string()))?;
        if options.security_engine_id.is_none() {
            options.security_engine_id = known;
        }
        let loses_messages = address.transport == Transport::Dtls;
        Ok((BorrowedLink { line, loses_messages }, Borrowed { socket, known, protocol: opened.protocol }))
    }

    /// What a broker is asked for.
    pub(super) fn order(&self, address: &PeerAddress, patience: Duration) -> Result<Order, ChannelError> {
        let transport = match address.transport {
            Transport::Ssh => protocol::Transport::Ssh,
            Transport::Tls => protocol::Transport::Tls,
            Transport::Dtls => protocol::Transport::Dtls,
            _ => return Err(ChannelError::at(Step::Connect, "this transport is not supported here")),
        };
        Ok(Order {
            persist: self.secure.persist,
            patience,
            transport,
            user: address.user.clone().unwrap_or_default(),
            host: address.host.clone(),
            // ssh's own configuration may know better than a default does.
            port: if transport == protocol::Transport::Ssh && !address.port_is_told {
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
    fn ssh_options(&self) -> Vec<(Key, String)> {
        let mut options = Vec::new();
        let mut add = |key, value: Option<String>| options.extend(value.map(|value| (key, value)));
        match self.secure.identities.as_slice() {
            [] => add(Key::SshIdentity, file(Variable::SshKey)),
            named => named.iter().for_each(|path| add(Key::SshIdentity, Some(path.clone()))),
        }
        add(Key::KnownHosts, file(Variable::KnownHosts));
        add(Key::SshAgent, file(Variable::SshAgent));
        add(Key::Home, file(Variable::Home));
        options
    }

    /// Who we are and whom we trust by certificates, for the broker to find the files.
    fn certificate_options(&self) -> Vec<(Key, String)> {
        let Secure { certificate, key, authorities, pins, server_name, .. } = &self.secure;
        let mut options = Vec::new();
        let mut add = |key, value: Option<String>| options.extend(value.map(|value| (key, value)));
        add(Key::Certificate, certificate.clone());
        add(Key::PrivateKey, key.clone());
        if certificate.is_none() && self.named(&OUR_IDENTITY).is_none() {
            add(Key::Certificate, file(Variable::TlsCertificate));
            add(Key::PrivateKey, file(Variable::TlsKey).filter(|_| key.is_none()));
        }
        add(Key::OurIdentity, self.named(&OUR_IDENTITY));
        let (their_identity, authority) = (self.named(&THEIR_IDENTITY), self.named(&TRUST));
        let trusts = !authorities.is_empty() || !pins.is_empty();
        if !trusts && their_identity.is_none() && authority.is_none() {
            add(Key::Authority, file(Variable::TlsAuthority));
        }
        authorities.iter().for_each(|path| add(Key::Authority, Some(path.clone())));
        pins.iter().for_each(|pin| add(Key::Pin, Some(pin.clone())));
        add(Key::TheirIdentity, their_identity);
        add(Key::TrustedCertificate, authority);
        add(Key::ServerName, server_name.clone().or_else(|| self.named(&["their_hostname"])));
        add(Key::Folder, folder().and_then(|folder| text(&folder)));
        for folder in snmp_conf::folders() {
            add(Key::SnmpFolder, std::path::absolute(&folder).ok().as_deref().and_then(text));
        }
        options
    }

    /// The last value of `-T` under any of these names.
    fn named(&self, names: &[&str]) -> Option<String> {
        self.named.iter().rev().find(|(name, _)| names.contains(name)).map(|(_, value)| value.clone())
    }
}

/// A session for this command's messages.
pub(super) struct BorrowedLink {
    line: Line,
    loses_messages: bool,
}

impl Link for BorrowedLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.line.send(message)
    }

    fn receive(&mut self, patience: Duration) -> io::Result<Received<'_>> {
        match self.line.receive(patience)? {
            Some(Frame::Message(message)) => Ok(Received::Message(message)),
            Some(Frame::Failed(error)) => Err(io::Error::other(error)),
            Some(_) => Err(io::ErrorKind::InvalidData.into()),
            None => Ok(Received::Nothing),
        }
    }

    fn loses_messages(&self) -> bool {
        self.loses_messages
    }

    fn is_session(&self) -> bool {
        true
    }
}

/// The same session, for what is said when the command is done.
pub(super) struct Borrowed {
    socket: UnixStream,
    known: Option<EngineId>,
    /// What is spoken in it.
    pub(super) protocol: String,
}

impl Borrowed {
    /// Tells the next command in this session what it need not find out again.
    pub(super) fn give_back(&mut self, engine_id: Option<EngineId>) {
        let news = engine_id.filter(|id| self.known != Some(*id));
        let note = news.and_then(|id| Frame::Note(id.as_bytes()).encode().ok());
        if let Some(note) = note {
            // Nobody is worse off without.
            let _ = self.socket.write_all(&note);
        }
    }
}

/// The file that a variable names, as an absolute path.
fn file(variable: Variable) -> Option<String> {
    text(&std::path::absolute(variable.value()?).ok()?)
}

/// Where the user's own certificate is.
fn folder() -> Option<PathBuf> {
    let from_home = || Some(PathBuf::from(Variable::Home.value()?).join(".config"));
    let told = Variable::ConfigHome.value().map(PathBuf::from).filter(|folder| folder.is_absolute());
    Some(told.or_else(from_home)?.join("portreeve").join("tls"))
}

fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

const PROGRAM: &str = "portreeve-broker";
const OUR_IDENTITY: [&str; 3] = ["localCert", "our_identity", "ourIdentity"];
const THEIR_IDENTITY: [&str; 3] = ["peerCert", "their_identity", "theirIdentity"];
const TRUST: [&str; 1] = ["trust_cert"];
