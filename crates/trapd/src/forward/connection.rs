//! An open connection or session with a destination.

use std::{
    io,
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport as SessionTransport};
use portreeve_channel::{ChannelError, NoObserver};
use portreeve_secret::Secret;
use portreeve_secure_session::{SecureSession, SessionLink};
use portreeve_smi::{ClockReading, EngineId, MessageProcessingModel};
use portreeve_snmp_manager::{
    Client, Credentials, Family, PeerAddress, SessionOptions, Transport, TrapSender,
};
use tokio::{runtime, time::timeout};

use super::{ForwardCredentials, ForwardDestination, ForwardError, form::MessageForm, message::Message};

/// An open connection or session, and the form of its messages.
pub(super) struct Connection {
    form: MessageForm,
    sender: Sender,
    last_use: Instant,
}

enum Sender {
    Traps(Box<TrapSender>),
    Informs(Box<Client>),
}

impl Connection {
    pub(super) fn open(
        destination: &ForwardDestination,
        form: MessageForm,
        engine_id: EngineId,
        now: Instant,
    ) -> io::Result<Self> {
        let ForwardDestination { address, options, .. } = destination;
        // The objects of a notification are not those of the destination.
        let options = &SessionOptions { context_engine_id: Some(engine_id), ..options.clone() };
        let sender = match credentials(&destination.credentials, &form) {
            Ok(credentials) if form.is_confirmed => {
                Sender::Informs(Box::new(Client::open(address, credentials, options)?))
            }
            Ok(credentials) => {
                Sender::Traps(Box::new(TrapSender::open(address, credentials, engine_id, options)?))
            }
            Err(session) => {
                let link = open_session(address, session, options)?;
                let options =
                    &SessionOptions { security_engine_id: Some(EngineId::LOCAL), ..options.clone() };
                let credentials = Credentials::Transport;
                match form.is_confirmed {
                    true => Sender::Informs(Box::new(Client::with_link(link, credentials, options))),
                    false => {
                        Sender::Traps(Box::new(TrapSender::with_link(link, credentials, engine_id, options)?))
                    }
                }
            }
        };
        Ok(Self { form, sender, last_use: now })
    }

    pub(super) fn carries(&self, form: &MessageForm) -> bool {
        self.form == *form
    }

    /// Returns whether the connection was not used for so long that the destination may have closed
    /// it, which a trap would not notice.
    pub(super) fn is_stale(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last_use) > MAX_IDLE_TIME
    }

    pub(super) fn send(
        &mut self,
        message: &Message<'_>,
        clock: ClockReading,
        now: Instant,
    ) -> Result<(), ForwardError> {
        self.last_use = now;
        match &mut self.sender {
            Sender::Traps(sender) => message.send_trap(sender, clock),
            Sender::Informs(client) => message.send_inform(client),
        }
    }
}

/// Returns the credentials of messages, or the options of the session that authenticates them.
fn credentials<'d>(
    configured: &'d ForwardCredentials,
    form: &MessageForm,
) -> Result<Credentials, &'d [(SessionOption, String)]> {
    let received = || form.community.as_ref().map_or_else(|| Secret::from(""), Secret::duplicate);
    Ok(match configured {
        ForwardCredentials::V1(community) => Credentials::V1(community.duplicate()),
        ForwardCredentials::V2c(community) => Credentials::V2c(community.duplicate()),
        ForwardCredentials::V3(user) => Credentials::V3(user.duplicate()),
        ForwardCredentials::AsReceived if form.version == MessageProcessingModel::V1 => {
            Credentials::V1(received())
        }
        ForwardCredentials::AsReceived => Credentials::V2c(received()),
        ForwardCredentials::Session(options) => return Err(options),
    })
}

/// Opens a session, and waits until the destination has accepted this side's certificate or key:
/// no trap would notice that it was refused.
fn open_session(
    address: &PeerAddress,
    session: &[(SessionOption, String)],
    options: &SessionOptions,
) -> io::Result<SessionLink> {
    let transport = match address.transport {
        Transport::Ssh => SessionTransport::Ssh,
        Transport::Tls => SessionTransport::Tls,
        Transport::Dtls => SessionTransport::Dtls,
        Transport::Udp | Transport::Tcp | Transport::Unix => {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "the transport has no sessions"));
        }
    };
    let max_time = options.retry.total_timeout().clamp(MIN_OPEN_TIME, MAX_OPEN_TIME);
    let request = SessionRequest {
        persist: Duration::ZERO,
        timeout: max_time,
        transport,
        user: address.user.clone().unwrap_or_default(),
        host: address.host.clone(),
        port: address.port,
        family: address.family.map(|family| match family {
            Family::V4 => 4,
            Family::V6 => 6,
        }),
        options: session.to_vec(),
    };
    // The task of an SSH connection sends what it has got, also while no call drives the runtime.
    let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_io().enable_time().build()?;
    let open = async {
        let mut session = SecureSession::open(&request, &NoObserver).await?;
        session.confirm(CONFIRMATION_TIME).await?;
        Ok::<_, ChannelError>(session)
    };
    // The timer belongs to the runtime.
    let opened = runtime.block_on(async { timeout(max_time, open).await });
    let session = opened
        .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, format!("no session within {max_time:?}")))?
        .map_err(|error| {
            let cause = error.cause.replace("the agent", "the destination");
            io::Error::other(format!("{}: {cause}", error.step))
        })?;
    Ok(SessionLink::new(runtime, session, transport == SessionTransport::Dtls))
}

/// The time after which a connection that is not used is opened again.
const MAX_IDLE_TIME: Duration = Duration::from_secs(300);
/// The time for opening a session is that of an inform with its retransmissions, but within these
/// limits.
const MIN_OPEN_TIME: Duration = Duration::from_secs(2);
const MAX_OPEN_TIME: Duration = Duration::from_secs(20);
/// The time for which the destination may reject the certificate before a message is sent.
const CONFIRMATION_TIME: Duration = Duration::from_secs(1);
