//! One connection, from the host's name until we are logged in; and those below it that it goes through.

use std::{
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use portreeve_channel::{ChannelError, Fact, Observer, SshIdentity, Step};
use russh::{AlgorithmKind, ChannelOpenFailure, Disconnect, client};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    sync::{Notify, mpsc},
    task::yield_now,
    time::{Instant, sleep_until, timeout},
};

use super::{
    asker::{Asker, Question},
    authenticate::log_in,
    banner::{Banner, overheard},
    guard::{Failure, Guard, HostKeyQuestion, NOT_ITS_KEY, News},
    identities::Identities,
    known_hosts::KnownHosts,
    leash::{Leash, leashed},
    protocol::protocol,
    settings::ClientSettings,
    target::SshTarget,
};
use crate::cork::Corked;

/// A session that is logged in. Dropped, it ends, and so do those below it.
pub(crate) struct Session {
    pub(crate) handle: client::Handle<Guard>,
    pub(crate) identity: Arc<SshIdentity>,
    /// What was said when the connection ended, by the server or by us.
    pub(crate) parting: Arc<OnceLock<String>>,
    _leash: Leash,
    below: Option<Box<Session>>,
}

impl Session {
    pub(crate) async fn open(
        target: &SshTarget,
        settings: &ClientSettings,
        asker: &dyn Asker,
        observer: &dyn Observer,
    ) -> Result<Self, ChannelError> {
        Self::open_at(target, settings, asker, observer, 0).await
    }

    /// Tells the server that we leave, and waits until it has been told.
    pub(crate) async fn close(mut self) {
        // A server that is gone already needs no farewell.
        if self.handle.disconnect(Disconnect::ByApplication, "", "").await.is_ok() {
            drop(timeout(FAREWELL, &mut self.handle).await);
        }
        if let Some(below) = self.below.take() {
            Box::pin(below.close()).await;
        }
    }

    async fn open_at(
        target: &SshTarget,
        settings: &ClientSettings,
        asker: &dyn Asker,
        observer: &dyn Observer,
        depth: usize,
    ) -> Result<Self, ChannelError> {
        let Some((last, before)) = target.jumps.split_last() else {
            // Polled second, the files are read while the network is waited for.
            let connecting = connect(target, settings, observer);
            let (stream, known) = tokio::join!(connecting, async { target.known() });
            let stream =
                Corked::new(stream?, settings.traffic.gathers()).ending_with(portreeve_dial::join_end);
            return Self::over(stream, known?, None, target, settings, asker, observer).await;
        };
        if depth == MAX_DEPTH {
            return Err(ChannelError::at(Step::Connect, "ProxyJump goes round in circles"));
        }
        let mut gate = SshTarget::of_hop(last, settings)?;
        if !before.is_empty() {
            gate.jumps = before.to_vec();
        }
        let below = Box::pin(Self::open_at(&gate, settings, asker, observer, depth + 1)).await;
        let below = below.map_err(|error| ChannelError {
            cause: format!("on the way, at {}: {}", gate.shown(), error.cause),
            ..error
        })?;
        observer.begins(Step::Connect);
        observer.finds(Fact::new("through", gate.shown()));
        let port = u32::from(target.port);
        let channel = below.handle.channel_open_direct_tcpip(&target.host, port, ORIGINATOR, 0).await;
        let channel = channel.map_err(|error| {
            let why = match error {
                russh::Error::ChannelOpenFailure(reason) => not_opened(reason).to_owned(),
                other => other.to_string(),
            };
            ChannelError::at(
                Step::Connect,
                format!("{} does not connect us to {}: {why}", gate.shown(), target.shown()),
            )
        })?;
        let stream = Corked::new(channel.into_stream(), settings.traffic.gathers());
        let known = target.known()?;
        Self::over(stream, known, Some(Box::new(below)), target, settings, asker, observer).await
    }

    async fn over<S>(
        stream: Corked<S>,
        known: KnownHosts,
        below: Option<Box<Session>>,
        target: &SshTarget,
        settings: &ClientSettings,
        asker: &dyn Asker,
        observer: &dyn Observer,
    ) -> Result<Self, ChannelError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        observer.begins(Step::Negotiate);
        let protocol = protocol(settings, target, &known);
        let idle = Arc::new(Notify::new());
        let (stream, banner) = overheard(stream, Arc::clone(&idle));
        let (stream, leash) = leashed(stream);
        let (news, mut heard) = mpsc::channel(News::ROOM);
        let mut found = Found { observer, banner, agreed: Vec::new(), shown: Vec::new() };
        let identity = Arc::new(OnceLock::new());
        let parting = Arc::new(OnceLock::new());
        let guard = Guard::new(target.clone(), known, news, Arc::clone(&identity), Arc::clone(&parting));
        let mut setting_up = pin!(client::connect_stream(protocol, stream, guard));
        let mut gathering = pin!(async {
            idle.notified().await;
            // What is written leaves after the first turn.
            yield_now().await;
            yield_now().await;
            Identities::gather(target).await
        });
        let mut identities = None;
        let mut deadline = deadline(target.timeout);
        let set_up = loop {
            tokio::select! {
                set_up = &mut setting_up => break set_up,
                gathered = &mut gathering, if identities.is_none() => identities = Some(gathered),
                Some(news) = heard.recv() => {
                    let Some(HostKeyQuestion { key, other, answer }) = found.note(news) else { continue };
                    let fingerprint = key.shown();
                    let host = target.key_name.with_port();
                    let question = Question::HostKey {
                        host: &host,
                        kind: key.kind(),
                        fingerprint: &fingerprint,
                        other: other.as_deref(),
                    };
                    let said = asker.ask(question).await;
                    let taken = said.is_some_and(|said| {
                        said.expose() == b"yes" || said.expose() == fingerprint.as_bytes()
                    });
                    // The guard waits for it, or is gone.
                    let _ = answer.send(taken);
                    deadline = self::deadline(target.timeout);
                }
                () = sleep_until(deadline) => {
                    return Err(ChannelError::at(Step::Negotiate, "the server has not answered in time"));
                }
            }
        };
        while let Ok(news) = heard.try_recv() {
            found.note(news);
        }
        drop(heard);
        drop(found);
        let mut handle = set_up.map_err(|failure| match failure {
            Failure::Refused(refused) => *refused,
            Failure::Russh(error) => negotiation_failed(error),
        })?;
        let identity = identity
            .get()
            .cloned()
            .ok_or_else(|| ChannelError::at(Step::ServerIdentity, "the server has shown no host key"))?;
        let identities = match identities {
            Some(identities) => identities,
            None => {
                idle.notify_one();
                gathering.await
            }
        };
        log_in(&mut handle, target, identities, asker, observer, &parting).await?;
        Ok(Self { handle, identity: Arc::new(identity), parting, _leash: leash, below })
    }
}

/// Why a host on the way opens no connection for us (RFC 4254 §5.1), in words.
fn not_opened(reason: ChannelOpenFailure) -> &'static str {
    match reason {
        ChannelOpenFailure::AdministrativelyProhibited => "it forbids that (AllowTcpForwarding, PermitOpen)",
        ChannelOpenFailure::ConnectFailed => "it gets no connection there",
        ChannelOpenFailure::UnknownChannelType => "it does not know how to",
        ChannelOpenFailure::ResourceShortage => "it has no room for that",
        _ => "it does not say why",
    }
}

/// What the key exchange has brought, told in the order in which one asks for it: russh judges the server before it says
/// what was agreed on. Told when it is dropped, so that whoever has no more time hears how far it came.
struct Found<'o> {
    observer: &'o dyn Observer,
    banner: Banner,
    agreed: Vec<Fact>,
    shown: Vec<Fact>,
}

impl Found<'_> {
    /// Keeps what was found; hands a question on.
    fn note(&mut self, news: News) -> Option<HostKeyQuestion> {
        match news {
            News::Unknown(question) => return Some(question),
            News::Shown(facts) => self.shown = facts,
            News::Agreed(facts) => self.agreed = facts,
        }
        None
    }
}

impl Drop for Found<'_> {
    fn drop(&mut self) {
        let Self { observer, banner, agreed, shown } = self;
        if let Some(banner) = banner.get() {
            observer.finds(Fact::new("server-version", banner));
        }
        agreed.drain(..).for_each(|fact| observer.finds(fact));
        if !shown.is_empty() {
            observer.begins(Step::ServerIdentity);
            shown.drain(..).for_each(|fact| observer.finds(fact));
        }
    }
}

/// A connection to the first of the host's addresses that answers.
async fn connect(
    target: &SshTarget,
    settings: &ClientSettings,
    observer: &dyn Observer,
) -> Result<TcpStream, ChannelError> {
    let host = target.host.as_str();
    observer.begins(Step::Resolve);
    let addresses: Vec<SocketAddr> = match host.parse::<IpAddr>() {
        Ok(address) => vec![SocketAddr::new(address, target.port)],
        Err(_) => lookup_host((host, target.port))
            .await
            .map_err(|error| ChannelError::at(Step::Resolve, format!("{host}: {error}")))?
            .collect(),
    };
    for address in &addresses {
        observer.finds(Fact::new("address", address.ip().to_string()));
    }
    if !addresses.is_empty() {
        observer.begins(Step::Connect);
    }
    match portreeve_dial::connect(&addresses, target.timeout, observer).await {
        Ok(stream) => {
            // Where this cannot be set, sessions are slower, and work.
            let _ = stream.set_nodelay(settings.traffic.nodelay);
            Ok(stream)
        }
        Err(Some((address, error))) => Err(unreachable(address, &error)),
        Err(None) => Err(ChannelError::at(Step::Resolve, format!("{host} has no address"))),
    }
}

fn unreachable(address: SocketAddr, error: &std::io::Error) -> ChannelError {
    let failed = ChannelError::at(Step::Connect, format!("{address}: {error}"));
    match error.kind() {
        std::io::ErrorKind::ConnectionRefused => failed
            .cured_by("nothing listens on that port: SNMP over SSH is on 5161, or, behind an sshd, on 22"),
        _ => failed,
    }
}

fn negotiation_failed(error: russh::Error) -> ChannelError {
    let at = |cause: String| ChannelError::at(Step::Negotiate, cause);
    match error {
        russh::Error::NoCommonAlgo { kind, ours, theirs } => {
            let what = match kind {
                AlgorithmKind::Kex => "key exchange",
                AlgorithmKind::Key => "kind of host key",
                AlgorithmKind::Cipher => "cipher",
                AlgorithmKind::Compression => "compression",
                AlgorithmKind::Mac => "message authentication code",
            };
            let theirs = theirs.join(", ").escape_debug().to_string();
            at(format!("no {what} that both ends know: the server has {theirs}; we have {}", ours.join(", ")))
        }
        russh::Error::WrongServerSig => ChannelError::at(Step::ServerIdentity, NOT_ITS_KEY),
        russh::Error::Version => at("the server does not speak SSH 2".into())
            .cured_by("see what listens at that port: SNMP over SSH is on 5161, or, behind an sshd, on 22"),
        russh::Error::HUP | russh::Error::Disconnect | russh::Error::RecvError => {
            at("the server closed the connection before it had shown who it is".into()).cured_by(CLOSED)
        }
        russh::Error::IO(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            at("the server closed the connection before it had shown who it is".into()).cured_by(CLOSED)
        }
        russh::Error::IO(error) => at(format!("the connection is lost: {error}")).cured_by(CLOSED),
        other => at(other.to_string()),
    }
}

/// What ends connections early.
const CLOSED: &str = "it may have too many connections, or refuse our address: its log says which";

fn deadline(patience: Option<Duration>) -> Instant {
    Instant::now() + patience.unwrap_or(FOR_EVER)
}

/// What RFC 4254 §7.2 has for who asks for the connection, when that is nobody's socket.
const ORIGINATOR: &str = "127.0.0.1";

/// Hosts on the way whose own way goes through others.
const MAX_DEPTH: usize = 8;

/// A farewell is one packet.
const FAREWELL: Duration = Duration::from_secs(1);

/// Ten years.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);
