//! The running agent: state, configuration, collectors and workers.
//!
//! ```text
//! Config ─┐                       ┌─► Entity (one per worker) ─► AgentHandler ─► transport
//!         ├─► Datastore ───────────┼─► SETs: datastore thread ─► store
//! Store ──┘                       └─► reload: new file, same state, replaced atomically
//! ```

use std::{
    fmt, io,
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use portreeve_channel::{DatagramAcceptor, StreamAcceptor};
use portreeve_channel_ssh::{WindowPolicy, server::SshServer};
use portreeve_config::{Config, SshWindow};
use portreeve_datastore::Datastore;
use portreeve_lcd::{Lcd, assemble};
use portreeve_mib::ServedObjects;
use portreeve_smi::{EngineId, TransportDomain};
use portreeve_snmp_apps::EntitySettings;
use portreeve_snmp_engine::{reply_buffer_size, statistics::Statistics};
use portreeve_store::{OpenError, Store};
use portreeve_sys::release_free_memory;
use portreeve_transport::{
    BindError, Clock, LcdSecurityNames, Limits, Listener, Protocol, RelayBindError, RunningTransport,
    TransportSecurity, bind, run, supports_address_family,
};

use crate::{
    configured_rows,
    credentials::CredentialFilesError,
    datastore_thread::{DatastoreThread, FinishError},
    descriptors,
    handler_factory::{HandlerFactory, WorkerQueues},
    host_collectors::HostCollectors,
    local_engine::{LostStateError, start_engine},
    log_summary::LogSummary,
    prepared::PreparedConfig,
    relays,
    reloader::Reloader,
    restart_only::RestartOnlySettings,
    set_log::SetLogSwitch,
    status::{self, StateFiles, StatusSource},
};

/// A running agent. Dropping it stops the agent.
pub(crate) struct Service {
    // Dropped in this order: first the workers stop reading requests, then the SETs in the queue
    // are executed and stored, then the collectors stop.
    transport: RunningTransport,
    datastore_thread: DatastoreThread,
    _collectors: HostCollectors,
    /// The SSH server, if a listener needs it.
    ssh: Option<Arc<SshServer>>,
    engine_id: EngineId,
    /// Counts the drops, rejections and closed sessions that have been logged.
    log_summary: LogSummary,
    /// Number of opened sessions when memory was last returned to the system.
    sessions_at_last_trim: u64,
}

/// A running agent, and the parts of it that other threads use.
pub(crate) struct StartedService {
    pub(crate) service: Service,
    pub(crate) reloader: Reloader,
    pub(crate) status: StatusSource,
}

impl Service {
    /// Opens the state, binds every socket and starts the workers. When it returns, every socket
    /// listens. `writable_objects` creates the objects that SETs can change. `pending_timeout` is
    /// that of [`EntitySettings`].
    ///
    /// # Errors
    /// If a file, a socket or the state cannot be used, or if the state does not contain the
    /// configured engine ID and `first_start` is false. Then nothing is served.
    pub(crate) fn start(
        loaded: PreparedConfig,
        first_start: bool,
        writable_objects: impl FnOnce(EngineId) -> ServedObjects,
        pending_timeout: Duration,
    ) -> Result<StartedService, StartError> {
        let PreparedConfig { config, ssh, tls, settings, .. } = loaded;
        let config = &config;
        let clock = Clock::start();
        let workers = config.agent.workers.unwrap_or_else(available_cores);
        let limits = limits(config);
        let listeners = listeners(config);
        descriptors::raise_limit(&listeners, workers, &limits);
        let mut bound = bind(&listeners, workers, &limits)?;
        for relay in &config.relays {
            bound.bind_relay(&relays::listener(relay)?)?;
        }
        let listener_names = status::listener_names(bound.local_addrs(), &config.relays);
        let (mut store, _recovery) = Store::open(&config.agent.state_dir)?;
        let local = start_engine(&mut store, &config.agent, first_start, clock.now())?;
        let assembled = assemble(configured_rows::tables(config, local.engine_id), store.iter(b""));
        configured_rows::log_problems(&assembled);
        let datastore = Datastore::new(Lcd::compile(assembled.tables));
        let tls = match tls {
            Some(material) => Some(material.pin_from_state(datastore.state()).into_servers()?),
            None => None,
        };
        let ssh = ssh.map(|settings| Arc::new(SshServer::new(settings)));
        let security = TransportSecurity {
            ssh: ssh.clone(),
            tls: tls.clone().map(|servers| servers.stream as Arc<dyn StreamAcceptor>),
            dtls: tls.clone().and_then(|servers| Some(servers.datagrams? as Arc<dyn DatagramAcceptor>)),
            names: Arc::new(LcdSecurityNames::new(datastore.state().clone())),
        };
        let writer = store.into_writer()?;
        let write_failures = writer.failures();
        let served = writable_objects(local.engine_id);
        let datastore_thread = DatastoreThread::start(datastore.clone(), writer, served, clock)?;
        let worker_queues = WorkerQueues::default();
        let announce = worker_queues.clone();
        let set_log = SetLogSwitch::default();
        set_log.enable(config.log.sets);
        let collectors = HostCollectors::start(clock, move |token| announce.notify_value_ready(token));
        let factory = HandlerFactory {
            local,
            state: datastore.state().clone(),
            sets: datastore_thread.queue(),
            settings: EntitySettings {
                max_community_datagram: config.limits.community_datagram,
                pending_timeout,
            },
            statistics: Statistics::new(workers.get()),
            worker_queues,
            set_log: set_log.clone(),
            host_modules: Mutex::new((0..workers.get()).map(|_| collectors.modules()).collect()),
        };
        let transport = run(bound, limits, security, clock, move |worker| factory.make_handler(worker))?;
        let status = StatusSource {
            clock,
            local,
            datastore: datastore.clone(),
            sets: datastore_thread.queue(),
            listeners: listener_names,
            sessions: transport.sessions(),
            statistics: Arc::clone(transport.statistics()),
            ssh: ssh.clone(),
            state_files: StateFiles::start(&config.agent.state_dir)?,
            write_failures,
        };
        let sessions = transport.sessions();
        let reloader = Reloader {
            datastore,
            hidden: assembled.hidden,
            ssh: ssh.clone(),
            tls,
            recheck_sessions: Box::new(move || sessions.recheck()),
            clock,
            engine_id: local.engine_id,
            restart_only: RestartOnlySettings::new(config, local.engine_id),
            settings,
            set_log,
            is_replacing: false,
        };
        let service = Self {
            transport,
            datastore_thread,
            _collectors: collectors,
            ssh,
            engine_id: local.engine_id,
            log_summary: LogSummary::default(),
            sessions_at_last_trim: 0,
        };
        Ok(StartedService { service, reloader, status })
    }

    /// Returns the snmpEngineID.
    pub(crate) fn engine_id(&self) -> EngineId {
        self.engine_id
    }

    /// Logs the drops, rejections and closed sessions since the last call.
    pub(crate) fn log_summary(&mut self) {
        let sessions = self.transport.statistics().read();
        let logins = self.ssh.as_ref().map(|server| server.statistics().read());
        if let Some(counters) = self.log_summary.changes(&sessions, logins.as_ref()) {
            tracing::info!(%counters, "drops, rejections and closed sessions since the previous summary");
        }
    }

    /// Returns free memory to the system after many sessions have been opened.
    pub(crate) fn trim_memory(&mut self) {
        let opened = self.transport.statistics().read().sessions_opened;
        if opened - self.sessions_at_last_trim >= SESSIONS_BETWEEN_TRIMS {
            self.sessions_at_last_trim = opened;
            release_free_memory();
        }
    }

    /// Waits until the state in memory may differ from the one on the disk, so that the agent must
    /// stop; see [`DatastoreThread::interrupted`].
    pub(crate) async fn interrupted(&self) {
        self.datastore_thread.interrupted().await;
    }

    /// Stops reading, executes and answers the SETs that wait, sends completed responses, and
    /// returns when all threads have stopped. The SETs have at most `max_set_time`.
    ///
    /// # Errors
    /// If SETs have not ended in time (the thread that executes them then continues), or if a panic
    /// has interrupted them.
    pub(crate) fn shutdown(mut self, max_set_time: Duration) -> Result<(), FinishError> {
        self.log_summary();
        let Self { transport, datastore_thread, .. } = self;
        let mut finished = Ok(());
        transport.shutdown_after(|| finished = datastore_thread.finish(max_set_time));
        finished
    }
}

fn listeners(config: &Config) -> Vec<Listener> {
    let protocol = |transport| match transport {
        TransportDomain::Tcp => Protocol::Tcp,
        TransportDomain::Ssh => Protocol::Ssh,
        TransportDomain::Tls => Protocol::Tls,
        TransportDomain::Dtls => Protocol::Dtls,
        _ => Protocol::Udp,
    };
    let listeners = config.listeners.iter().filter(|listener| has_address_family(listener));
    let listener = |listener: &portreeve_config::Listener| Listener {
        nodelay: listener.nodelay,
        window: match listener.window {
            SshWindow::WhenNeeded => WindowPolicy::WhenNeeded,
            SshWindow::EveryMessage => WindowPolicy::EveryMessage,
        },
        algorithms: listener.algorithms,
        ..Listener::new(protocol(listener.transport), listener.address)
    };
    listeners.map(listener).collect()
}

/// Returns false for the wildcard address of a family that the machine does not support, such as
/// IPv6.
fn has_address_family(listener: &portreeve_config::Listener) -> bool {
    let available = !listener.is_wildcard || supports_address_family(listener.address);
    if !available {
        tracing::warn!(address = %listener.address, "not listening on this address: the machine does not support its address family");
    }
    available
}

fn limits(config: &Config) -> Limits {
    Limits {
        max_message_size: config.agent.max_message_size,
        reply_buffer_size: reply_buffer_size(config.agent.max_message_size),
        max_sessions: config.limits.connections,
        max_sessions_per_source: config.limits.connections_per_source,
        unauthenticated_replies: config.limits.unauthenticated_replies,
        community_rate: config.limits.community_rate,
        first_message_timeout: config.limits.grace,
        idle_timeout: config.limits.idle,
        max_session_duration: config.limits.max_session,
        stall_timeout: config.limits.stall,
        ..Limits::default()
    }
}

fn available_cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// An error that prevents the agent from starting.
#[derive(Debug)]
pub(crate) enum StartError {
    /// A socket cannot be bound.
    Bind(BindError),
    /// A Unix socket for the sshd subsystem cannot be bound.
    Relay(RelayBindError),
    /// The state directory cannot be opened.
    State(OpenError),
    /// The state of the configured engine ID is missing.
    LostState(LostStateError),
    /// The TLS credentials cannot be used.
    Tls(CredentialFilesError),
    /// A thread cannot be started.
    Io(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bind(error) => error.fmt(f),
            Self::Relay(error) => error.fmt(f),
            Self::State(error) => error.fmt(f),
            Self::LostState(error) => error.fmt(f),
            Self::Tls(error) => error.fmt(f),
            Self::Io(error) => write!(f, "cannot start the agent: {error}"),
        }
    }
}

impl From<BindError> for StartError {
    fn from(error: BindError) -> Self {
        Self::Bind(error)
    }
}

impl From<RelayBindError> for StartError {
    fn from(error: RelayBindError) -> Self {
        Self::Relay(error)
    }
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        Self::State(error)
    }
}

impl From<LostStateError> for StartError {
    fn from(error: LostStateError) -> Self {
        Self::LostState(error)
    }
}

impl From<CredentialFilesError> for StartError {
    fn from(error: CredentialFilesError) -> Self {
        Self::Tls(error)
    }
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The number of new sessions after which free memory is returned to the system. Fewer sessions
/// free too little memory.
const SESSIONS_BETWEEN_TRIMS: u64 = 500;
