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
use portreeve_datastore::{Datastore, Model, Refusal};
use portreeve_lcd::{Lcd, assemble};
use portreeve_mib::{Instrumentation, ServedObjects};
use portreeve_mib_yang::Problems;
use portreeve_notifier::NotifierParts;
use portreeve_server_credentials::CredentialFilesError;
use portreeve_smi::{EngineId, TransportDomain};
use portreeve_snmp_apps::EntitySettings;
use portreeve_snmp_engine::{reply_buffer_size, statistics::Statistics};
use portreeve_state_store::{StateLog, load as load_tree};
use portreeve_store::{OpenError, Store};
use portreeve_sys::release_free_memory;
use portreeve_transport::{
    BindError, Clock, LcdSecurityNames, Limits, Listener, Protocol, RelayBindError, RunningTransport,
    Service as TransportService, ServiceTable, TransportSecurity, bind, run, supports_address_family,
};

use crate::{
    configured_rows,
    datastore_thread::{DatastoreThread, FinishError},
    descriptors,
    handler_factory::{HandlerFactory, standard_modules},
    host_collectors::HostCollectors,
    local_engine::{LostStateError, start_engine},
    log_summary::LogSummary,
    netconf::{NetconfSettings, NetconfThread},
    notifications::{self, Notifications},
    prepared::PreparedConfig,
    relays,
    reloader::Reloader,
    restart_only::RestartOnlySettings,
    set_log::SetLogSwitch,
    status::{self, StateFiles, StatusSource},
    worker_queue::WorkerQueues,
    yang_modules,
};

/// A running agent. Dropping it stops the agent.
pub(crate) struct Service {
    // Dropped in this order: first the workers stop reading requests, then the SETs in the queue
    // are executed and stored, then the collectors stop.
    transport: RunningTransport,
    /// The NETCONF server, if the configuration and the installation provide it.
    netconf: Option<NetconfThread>,
    datastore_thread: DatastoreThread,
    /// The notifier, unless its queues cannot be used.
    notifications: Option<Notifications>,
    _collectors: HostCollectors,
    /// The SSH server, if a listener needs it.
    ssh: Option<Arc<SshServer>>,
    engine_id: EngineId,
    /// Counts the drops, rejections and closed sessions that have been logged.
    log_summary: LogSummary,
    /// Number of opened sessions when memory was last returned to the system.
    sessions_at_last_trim: Option<u64>,
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
        writable_objects: impl FnOnce(EngineId) -> Vec<Box<dyn Instrumentation>>,
        pending_timeout: Duration,
    ) -> Result<StartedService, StartError> {
        let PreparedConfig { config, ssh, tls, settings, digest, directory, .. } = loaded;
        let config = &config;
        let clock = Clock::start();
        let workers = config.agent.workers.unwrap_or_else(available_cores);
        let limits = limits(config);
        // First, because compiled modules are kept in the state directory.
        let (mut store, _recovery) = Store::open(&config.agent.state_dir)?;
        let modules = yang_modules::load(config);
        if let Err(error) = &modules {
            tracing::error!("NETCONF is not available:\n{error}");
        }
        let model = modules.ok().flatten();
        let has_model = model.is_some();
        let has_netconf = config.netconf.is_some() && model.is_some();
        let model = model.unwrap_or_else(|| Arc::new(Model::empty()));
        let configured = usable_listeners(config, has_netconf);
        let listeners: Vec<_> = configured.iter().map(|listener| transport_listener(listener)).collect();
        descriptors::raise_limit(&listeners, workers, &limits);
        let mut bound = bind(&listeners, workers, &limits)?;
        for relay in &config.relays {
            bound.bind_relay(&relays::listener(relay)?)?;
        }
        bound.separate_udp();
        let worker_count = bound.worker_count();
        let listener_names = status::listener_names(bound.local_addrs(), &config.relays);
        let local = start_engine(&mut store, &config.agent, first_start, clock.now())?;
        let assembled = assemble(configured_rows::tables(config, local.engine_id), store.iter(b""));
        configured_rows::log_problems(&assembled);
        // Without modules, the records of the data tree stay as they are.
        let loaded = has_model.then(|| load_tree(&mut store, &model));
        let (tree, stored, set_aside) = match loaded {
            Some(loaded) => (loaded.tree, Some(loaded.stored), loaded.set_aside),
            None => Default::default(),
        };
        let tree = model.to_tree(&assembled.tables, &tree).map_err(StartError::Tree)?;
        let datastore = Datastore::new(Lcd::compile(assembled.tables), tree, model);
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
        let worker_queues = WorkerQueues::default();
        let announce = worker_queues.clone();
        let collectors = HostCollectors::start(clock, move |token| announce.notify_value_ready(token));
        // The notifier has counters of its own.
        let statistics = Statistics::new(worker_count + 1);
        let others = standard_modules(local, &statistics, collectors.modules());
        let yang = yang_modules::objects(datastore.model(), others).map_err(StartError::Yang)?;
        let mut writable = writable_objects(local.engine_id);
        if let Some(yang) = &yang {
            writable.push(Box::new(yang.clone()));
        }
        let served = ServedObjects::new(writable).expect("the objects of YANG modules do not overlap others");
        let log = StateLog::new(writer, stored);
        let datastore_thread =
            DatastoreThread::start(datastore.clone(), log, served, worker_queues.clone(), clock)?;
        let netconf = match config.netconf.as_ref().filter(|_| has_netconf) {
            Some(options) => Some(NetconfThread::start(
                datastore.clone(),
                datastore_thread.queue(),
                NetconfSettings {
                    recovery: yang_modules::recovery_users(config),
                    lock_idle: options.lock_idle,
                    max_sessions: options.sessions,
                },
            )?),
            None => None,
        };
        for (index, listener) in configured.iter().enumerate() {
            bound.set_services(index, services(listener, netconf.as_ref()));
        }
        let netconf_handle = netconf.as_ref().map(NetconfThread::handle);
        let parts = NotifierParts {
            local,
            now: Box::new(move || clock.now()),
            recorder: statistics.recorder(worker_count),
            state: datastore.state().clone(),
            settings: notifications::settings(config, &directory),
            configuration: digest,
        };
        let notifications = start_notifications(config, clock, parts);
        let notifier = notifications.as_ref().map(Notifications::handle);
        let set_log = SetLogSwitch::default();
        set_log.enable(config.log.sets);
        let factory = HandlerFactory {
            local,
            state: datastore.state().clone(),
            sets: datastore_thread.queue(),
            settings: EntitySettings {
                max_community_datagram: config.limits.community_datagram,
                pending_timeout,
            },
            statistics,
            events: notifications.as_ref().map(Notifications::events),
            worker_queues,
            set_log: set_log.clone(),
            host_modules: Mutex::new((0..worker_count).map(|_| collectors.modules()).collect()),
            yang,
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
            netconf: netconf_handle.clone(),
            notifier: notifier.clone(),
            set_aside,
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
            netconf: netconf_handle,
            notifier,
            is_replacing: false,
        };
        let service = Self {
            transport,
            netconf,
            datastore_thread,
            notifications,
            _collectors: collectors,
            ssh,
            engine_id: local.engine_id,
            log_summary: LogSummary::default(),
            sessions_at_last_trim: None,
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

    /// Returns free memory to the system at the first call, because reading a long configuration
    /// needs much memory for a moment, and after many sessions have been opened.
    pub(crate) fn trim_memory(&mut self) {
        let opened = self.transport.statistics().read().sessions_opened;
        let is_due = |last| opened - last >= SESSIONS_BETWEEN_TRIMS;
        if self.sessions_at_last_trim.is_none_or(is_due) {
            self.sessions_at_last_trim = Some(opened);
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
        let Self { transport, netconf, datastore_thread, notifications, .. } = self;
        let mut finished = Ok(());
        transport.shutdown_after(|| {
            // First, because its requests may contain changes.
            if let Some(netconf) = netconf {
                netconf.finish(MAX_NETCONF_TIME);
            }
            finished = datastore_thread.finish(max_set_time);
        });
        drop(notifications);
        finished
    }
}

/// Starts the notifier. Without it the agent runs nevertheless.
fn start_notifications(config: &Config, clock: Clock, parts: NotifierParts) -> Option<Notifications> {
    let directory = config.agent.state_dir.join(NOTIFICATIONS);
    let max_failures = config.notifications.authentication_failure_rate;
    let started = Notifications::start(&directory, clock, parts, max_failures);
    started
        .inspect_err(|error| {
            tracing::error!(directory = %directory.display(), reason = %error, "no notifications are sent");
        })
        .ok()
}

/// Returns the listeners of the configuration that can be bound. A listener for NETCONF only is
/// omitted if NETCONF is not available.
fn usable_listeners(config: &Config, has_netconf: bool) -> Vec<&portreeve_config::Listener> {
    let has_service = |listener: &&portreeve_config::Listener| listener.services.snmp || has_netconf;
    config.listeners.iter().filter(has_service).filter(|listener| has_address_family(listener)).collect()
}

/// Returns the services of a listener.
fn services(listener: &portreeve_config::Listener, netconf: Option<&NetconfThread>) -> ServiceTable {
    let snmp = listener.services.snmp.then_some(("snmp", TransportService::Snmp));
    let netconf = netconf.filter(|_| listener.services.netconf);
    let netconf = netconf.map(|netconf| ("netconf", TransportService::Other(netconf.service())));
    ServiceTable::new(snmp.into_iter().chain(netconf))
}

fn transport_listener(listener: &portreeve_config::Listener) -> Listener {
    let protocol = |transport| match transport {
        TransportDomain::Tcp => Protocol::Tcp,
        TransportDomain::Ssh => Protocol::Ssh,
        TransportDomain::Tls => Protocol::Tls,
        TransportDomain::Dtls => Protocol::Dtls,
        _ => Protocol::Udp,
    };
    Listener {
        nodelay: listener.nodelay,
        window: match listener.window {
            SshWindow::WhenNeeded => WindowPolicy::WhenNeeded,
            SshWindow::EveryMessage => WindowPolicy::EveryMessage,
        },
        algorithms: listener.algorithms,
        ..Listener::new(protocol(listener.transport), listener.address)
    }
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
    /// The objects of YANG modules cannot be served.
    Yang(Problems),
    /// The data tree cannot contain the values of the tables.
    Tree(Refusal),
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
            Self::Yang(problems) => problems.fmt(f),
            Self::Tree(refusal) => write!(f, "cannot read the state: {}", refusal.text),
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

/// The directory of the queues of informs, in the state directory.
const NOTIFICATIONS: &str = "notifications";
/// The maximum time for the NETCONF requests that are being executed when the agent stops, and for
/// their replies.
const MAX_NETCONF_TIME: Duration = Duration::from_secs(3);
/// The number of new sessions after which free memory is returned to the system. Fewer sessions
/// free too little memory.
const SESSIONS_BETWEEN_TRIMS: u64 = 500;
