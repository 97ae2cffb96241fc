//! A logged-in connection, from name resolution to login, and the jump hosts it passes through.

use std::{
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use portreeve_channel::{ChannelError, ChannelObserver, ChannelStep, Fact, SshIdentity, read_files};
use russh::{AlgorithmKind, ChannelOpenFailure, Disconnect, client};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    sync::{Notify, mpsc},
    task::yield_now,
    time::{Instant, sleep_until, timeout},
};

use super::{
    authenticate::log_in,
    banner::{ServerBanner, tap_banner},
    cancel_on_drop::{CancelOnDrop, cancellable},
    handler::{ClientHandler, HandlerError, HandshakeEvent, HostKeyQuestion, WRONG_SIGNATURE},
    identities::Identities,
    known_hosts::KnownHosts,
    late_nodelay::LateNodelay,
    prompter::{Prompter, UserQuestion},
    russh_config::client_config,
    settings::ClientSettings,
    ssh_config::JumpHost,
    target::SshTarget,
};
use crate::coalescing::CoalescingStream;

/// A logged-in session. Dropping it closes it and the sessions to its jump hosts.
pub(crate) struct ClientSession {
    pub(crate) handle: client::Handle<ClientHandler>,
    pub(crate) identity: Arc<SshIdentity>,
    /// The message sent by either side when the connection was closed.
    pub(crate) disconnect_message: Arc<OnceLock<String>>,
    _cancel: CancelOnDrop,
    jump: Option<Box<ClientSession>>,
}

impl ClientSession {
    pub(crate) async fn open(
        target: &SshTarget,
        settings: &ClientSettings,
        prompter: &dyn Prompter,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        Self::open_at(target, settings, prompter, observer, 0).await
    }

    /// Disconnects from the server, and waits until the message was sent.
    pub(crate) async fn close(mut self) {
        // If the connection is closed already, the message cannot be sent.
        if self.handle.disconnect(Disconnect::ByApplication, "", "").await.is_ok() {
            drop(timeout(CLOSE_TIMEOUT, &mut self.handle).await);
        }
        if let Some(jump) = self.jump.take() {
            Box::pin(jump.close()).await;
        }
    }

    async fn open_at(
        target: &SshTarget,
        settings: &ClientSettings,
        prompter: &dyn Prompter,
        observer: &dyn ChannelObserver,
        depth: usize,
    ) -> Result<Self, ChannelError> {
        let Some((last, before)) = target.jump_hosts.split_last() else {
            // The known_hosts files are read while the client waits for the network, because the
            // connection is polled first.
            let connecting = connect_tcp(target, settings, observer);
            let (stream, known) = tokio::join!(connecting, load_known_hosts(target, settings));
            let stream = stream?;
            let late_nodelay = LateNodelay::new(&stream, settings.nodelay_after_login);
            let stream = CoalescingStream::new(stream, settings.traffic.coalesces_writes())
                .with_final_write_hook(portreeve_dial::cork_until_close);
            let session = Self::open_over(stream, known?, None, target, settings, prompter, observer).await?;
            late_nodelay.apply();
            return Ok(session);
        };
        if depth == MAX_JUMP_DEPTH {
            return Err(ChannelError::at(
                ChannelStep::Connect,
                "ProxyJump is nested too deeply; it may form a loop",
            ));
        }
        let mut jump_target = look_up_jump_host(last, settings).await?;
        if !before.is_empty() {
            jump_target.jump_hosts = before.to_vec();
        }
        let jump = Box::pin(Self::open_at(&jump_target, settings, prompter, observer, depth + 1)).await;
        let jump = jump.map_err(|error| ChannelError {
            cause: format!("jump host {}: {}", jump_target.host_port(), error.cause),
            ..error
        })?;
        observer.on_step(ChannelStep::Connect);
        observer.on_fact(Fact::new("through", jump_target.host_port()));
        let port = u32::from(target.port);
        let channel = jump.handle.channel_open_direct_tcpip(&target.host, port, ORIGINATOR, 0).await;
        let channel = channel.map_err(|error| {
            let cause = match error {
                russh::Error::ChannelOpenFailure(reason) => describe_open_failure(reason).to_owned(),
                other => other.to_string(),
            };
            ChannelError::at(
                ChannelStep::Connect,
                format!(
                    "jump host {} did not connect to {}: {cause}",
                    jump_target.host_port(),
                    target.host_port()
                ),
            )
        })?;
        let stream = CoalescingStream::new(channel.into_stream(), settings.traffic.coalesces_writes());
        let known = load_known_hosts(target, settings).await?;
        Self::open_over(stream, known, Some(Box::new(jump)), target, settings, prompter, observer).await
    }

    async fn open_over<S>(
        stream: CoalescingStream<S>,
        known: KnownHosts,
        jump: Option<Box<ClientSession>>,
        target: &SshTarget,
        settings: &ClientSettings,
        prompter: &dyn Prompter,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        observer.on_step(ChannelStep::Negotiate);
        let config = client_config(settings, target, &known);
        let idle = Arc::new(Notify::new());
        let (stream, banner) = tap_banner(stream, Arc::clone(&idle));
        let (stream, cancel) = cancellable(stream);
        let (event_sender, mut events) = mpsc::channel(HandshakeEvent::QUEUE_CAPACITY);
        let mut facts = HandshakeFacts { observer, banner, negotiated: Vec::new(), host_key: Vec::new() };
        let identity = Arc::new(OnceLock::new());
        let disconnect_message = Arc::new(OnceLock::new());
        let handler = ClientHandler::new(
            target.clone(),
            known,
            event_sender,
            Arc::clone(&identity),
            Arc::clone(&disconnect_message),
        );
        let mut connecting = pin!(client::connect_stream(config, stream, handler));
        let mut loading_keys = pin!(async {
            idle.notified().await;
            // Let the client send its pending data first, which it does after one scheduler turn.
            yield_now().await;
            yield_now().await;
            Identities::gather(target, settings).await
        });
        let mut identities = None;
        let mut deadline = deadline(target.timeout);
        let connected = loop {
            tokio::select! {
                connected = &mut connecting => break connected,
                loaded = &mut loading_keys, if identities.is_none() => identities = Some(loaded),
                Some(event) = events.recv() => {
                    let Some(HostKeyQuestion { key, other_key_at, answer: decision }) = facts.handle_event(event) else { continue };
                    let fingerprint = key.fingerprint_text();
                    let host = target.key_name.with_port();
                    let question = UserQuestion::HostKey {
                        host: &host,
                        key_type: key.key_type(),
                        fingerprint: &fingerprint,
                        other_key_at: other_key_at.as_deref(),
                    };
                    let answer = prompter.ask(question).await;
                    let accepted = answer.is_some_and(|answer| {
                        answer.expose() == b"yes" || answer.expose() == fingerprint.as_bytes()
                    });
                    // Sending fails only if the handler no longer exists. No decision is needed
                    // then.
                    let _ = decision.send(accepted);
                    deadline = self::deadline(target.timeout);
                }
                () = sleep_until(deadline) => {
                    return Err(ChannelError::at(ChannelStep::Negotiate, "the server did not respond in time"));
                }
            }
        };
        while let Ok(event) = events.try_recv() {
            facts.handle_event(event);
        }
        drop(events);
        drop(facts);
        let mut handle = connected.map_err(|error| match error {
            HandlerError::Rejected(rejection) => *rejection,
            HandlerError::Russh(error) => negotiation_error(error),
        })?;
        let identity = identity.get().cloned().ok_or_else(|| {
            ChannelError::at(ChannelStep::ServerIdentity, "the server did not present a host key")
        })?;
        let identities = match identities {
            Some(identities) => identities,
            None => {
                idle.notify_one();
                loading_keys.await
            }
        };
        log_in(&mut handle, target, identities?, prompter, observer, &disconnect_message).await?;
        Ok(Self { handle, identity: Arc::new(identity), disconnect_message, _cancel: cancel, jump })
    }
}

async fn look_up_jump_host(host: &JumpHost, settings: &ClientSettings) -> Result<SshTarget, ChannelError> {
    let (host, of_read) = (host.clone(), settings.clone());
    let look_up = move || SshTarget::for_jump_host(&host, &of_read);
    read_files(&*settings.file_reads, ChannelStep::Resolve, look_up).await?
}

async fn load_known_hosts(target: &SshTarget, settings: &ClientSettings) -> Result<KnownHosts, ChannelError> {
    let target = target.clone();
    let load = move || target.load_known_hosts();
    read_files(&*settings.file_reads, ChannelStep::ServerIdentity, load).await?
}

/// Returns the reason why a jump host did not open a connection (RFC 4254 §5.1).
fn describe_open_failure(reason: ChannelOpenFailure) -> &'static str {
    match reason {
        ChannelOpenFailure::AdministrativelyProhibited => {
            "the jump host does not allow forwarding (AllowTcpForwarding, PermitOpen)"
        }
        ChannelOpenFailure::ConnectFailed => "the jump host cannot reach that address",
        ChannelOpenFailure::UnknownChannelType => "the jump host does not support forwarding",
        ChannelOpenFailure::ResourceShortage => "the jump host does not have enough resources",
        _ => "the jump host sent no reason",
    }
}

/// Facts learned in the key exchange. russh reports the host key before the negotiated algorithms;
/// the facts are stored here, so that an observer receives them in logical order. They are reported
/// on drop, even after a timeout.
struct HandshakeFacts<'o> {
    observer: &'o dyn ChannelObserver,
    banner: ServerBanner,
    negotiated: Vec<Fact>,
    host_key: Vec<Fact>,
}

impl HandshakeFacts<'_> {
    /// Stores the facts of an event, or returns its question.
    fn handle_event(&mut self, event: HandshakeEvent) -> Option<HostKeyQuestion> {
        match event {
            HandshakeEvent::HostKeyUnknown(question) => return Some(question),
            HandshakeEvent::HostKeyReceived(facts) => self.host_key = facts,
            HandshakeEvent::Negotiated(facts) => self.negotiated = facts,
        }
        None
    }
}

impl Drop for HandshakeFacts<'_> {
    fn drop(&mut self) {
        let Self { observer, banner, negotiated, host_key } = self;
        if let Some(banner) = banner.get() {
            observer.on_fact(Fact::new("server-version", banner));
        }
        negotiated.drain(..).for_each(|fact| observer.on_fact(fact));
        if !host_key.is_empty() {
            observer.on_step(ChannelStep::ServerIdentity);
            host_key.drain(..).for_each(|fact| observer.on_fact(fact));
        }
    }
}

/// Connects to the first of the host's addresses that accepts the connection.
async fn connect_tcp(
    target: &SshTarget,
    settings: &ClientSettings,
    observer: &dyn ChannelObserver,
) -> Result<TcpStream, ChannelError> {
    let host = target.host.as_str();
    observer.on_step(ChannelStep::Resolve);
    let addresses: Vec<SocketAddr> = match host.parse::<IpAddr>() {
        Ok(address) => vec![SocketAddr::new(address, target.port)],
        Err(_) => lookup_host((host, target.port))
            .await
            .map_err(|error| ChannelError::at(ChannelStep::Resolve, format!("{host}: {error}")))?
            .collect(),
    };
    for address in &addresses {
        observer.on_fact(Fact::new("address", address.ip().to_string()));
    }
    if !addresses.is_empty() {
        observer.on_step(ChannelStep::Connect);
    }
    match portreeve_dial::connect(&addresses, target.timeout, observer).await {
        Ok(stream) => {
            // Without this option, sessions are slower but work.
            let _ = stream.set_nodelay(settings.traffic.nodelay);
            Ok(stream)
        }
        Err(Some((address, error))) => Err(connect_error(address, &error)),
        Err(None) => Err(ChannelError::at(ChannelStep::Resolve, format!("{host} has no address"))),
    }
}

fn connect_error(address: SocketAddr, error: &std::io::Error) -> ChannelError {
    let failed = ChannelError::at(ChannelStep::Connect, format!("{address}: {error}"));
    match error.kind() {
        std::io::ErrorKind::ConnectionRefused => failed
            .with_hint("nothing listens on that port; SNMP over SSH uses port 5161, or 22 behind an sshd"),
        _ => failed,
    }
}

fn negotiation_error(error: russh::Error) -> ChannelError {
    let at = |cause: String| ChannelError::at(ChannelStep::Negotiate, cause);
    match error {
        russh::Error::NoCommonAlgo { kind, ours, theirs } => {
            let name = match kind {
                AlgorithmKind::Kex => "key exchange method",
                AlgorithmKind::Key => "host key type",
                AlgorithmKind::Cipher => "cipher",
                AlgorithmKind::Compression => "compression",
                AlgorithmKind::Mac => "message authentication code",
            };
            let theirs = theirs.join(", ").escape_debug().to_string();
            at(format!(
                "client and server have no {name} in common: the server supports {theirs}; this client supports {}",
                ours.join(", ")
            ))
        }
        russh::Error::WrongServerSig => ChannelError::at(ChannelStep::ServerIdentity, WRONG_SIGNATURE),
        russh::Error::Version => at("the server does not support SSH 2".into())
            .with_hint("check what listens on that port; SNMP over SSH uses port 5161, or 22 behind an sshd"),
        russh::Error::HUP | russh::Error::Disconnect | russh::Error::RecvError => {
            at("the server closed the connection before it presented a host key".into())
                .with_hint(CLOSED_EARLY_HINT)
        }
        russh::Error::IO(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            at("the server closed the connection before it presented a host key".into())
                .with_hint(CLOSED_EARLY_HINT)
        }
        russh::Error::IO(error) => {
            at(format!("the connection was lost: {error}")).with_hint(CLOSED_EARLY_HINT)
        }
        other => at(other.to_string()),
    }
}

/// Hint for connections that end early.
const CLOSED_EARLY_HINT: &str =
    "the server may have too many connections or reject this address; see its log";

fn deadline(limit: Option<Duration>) -> Instant {
    Instant::now() + limit.unwrap_or(UNLIMITED)
}

/// Originator address for a forwarded connection (RFC 4254 §7.2) that does not come from a socket.
const ORIGINATOR: &str = "127.0.0.1";

/// Maximum nesting depth of jump hosts that are themselves reached through jump hosts.
const MAX_JUMP_DEPTH: usize = 8;

/// Time limit for sending the disconnect message, a single packet.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The duration of ten years, which is used where no timeout is wanted.
const UNLIMITED: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);
