//! The running agent: state, configuration, collectors and workers, put together.
//!
//! ```text
//! Config ─┐                       ┌─► Entity (one per worker) ─► AgentHandler ─► transport
//!         ├─► Lcd ─► lcd::Handle ─┤
//! Store ──┘                       └─► reload: new file, same state, one swap
//! ```

use std::{
    fmt, io,
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    thread,
};

use portreeve_channel::{DatagramAcceptor, StreamAcceptor};
use portreeve_channel_ssh::{WindowPolicy, server::SshServer};
use portreeve_config::{Config, SshWindow};
use portreeve_lcd::{Handle, Lcd, Tables, Text, assemble, carry_over};
use portreeve_mib_host::{sys_descr, sys_name};
use portreeve_smi::{EngineId, TransportDomain};
use portreeve_snmp_apps::{SetTurn, Settings};
use portreeve_snmp_engine::{reply_buffer_size, statistics::Statistics};
use portreeve_store::{OpenError, Store};
use portreeve_sys::release_free_memory;
use portreeve_transport::{
    BindError, Clock, Limits, Listener, NamesByRows, Protocol, RelayBindError, RunningTransport, Security,
    bind, has_family_of, run,
};

use crate::{
    credentials::{TlsServers, Unusable},
    descriptors,
    fixed::Fixed,
    local_engine::start_engine,
    observers::Observers,
    prepared::Prepared,
    relays,
    tally::Tally,
    workshop::{Subscribers, Workshop},
};

/// An agent at work. Dropping it ends it.
pub(crate) struct Service {
    // Dropped in this order: first nobody reads requests, then nobody collects, then what is written is flushed.
    transport: RunningTransport,
    _observers: Observers,
    lcd: Handle,
    /// Serves connections of SSH, where a listener needs that.
    ssh: Option<Arc<SshServer>>,
    /// Makes channels over TLS and DTLS, where a listener needs them.
    tls: Option<TlsServers>,
    /// What SETs have made and the file's rows hide.
    hidden: Tables,
    clock: Clock,
    engine_id: EngineId,
    fixed: Fixed,
    /// What the log has been told of peers that were refused, and of what was dropped.
    tally: Tally,
    /// How many sessions had been opened when memory was last given back.
    tidied: u64,
}

impl Service {
    /// Opens the state, binds every socket and starts the workers. When it returns, every socket listens.
    pub(crate) fn start(loaded: Prepared) -> Result<Self, StartError> {
        let Prepared { config, ssh, tls } = loaded;
        let config = &config;
        let clock = Clock::start();
        let workers = config.agent.workers.unwrap_or_else(one_for_each_core);
        let limits = limits(config);
        let listeners = listeners(config);
        descriptors::make_room(&listeners, workers, &limits);
        let mut bound = bind(&listeners, workers, &limits)?;
        for relay in &config.relays {
            bound.bind_relay(&relays::listener(relay)?)?;
        }
        let (mut store, _recovery) = Store::open(&config.agent.state_dir)?;
        let local = start_engine(&mut store, &config.agent, clock.now());
        let assembled = assemble(tables(config, local.engine_id), store.iter(b""));
        report(&assembled.clashes, &assembled.unreadable);
        let lcd = Handle::new(Lcd::compile(assembled.tables));
        let tls = match tls {
            Some(material) => Some(material.pin_by_rows(&lcd).serve()?),
            None => None,
        };
        let ssh = ssh.map(|settings| Arc::new(SshServer::new(settings)));
        let security = Security {
            ssh: ssh.clone(),
            tls: tls.clone().map(|servers| servers.stream as Arc<dyn StreamAcceptor>),
            dtls: tls.clone().and_then(|servers| Some(servers.datagrams? as Arc<dyn DatagramAcceptor>)),
            names: Arc::new(NamesByRows::new(lcd.clone())),
        };
        let writer = Arc::new(store.into_writer()?);
        let subscribers = Subscribers::default();
        let announce = subscribers.clone();
        let observers = Observers::start(clock, move |token| announce.announce(token));
        let shop = Workshop {
            local,
            lcd: lcd.clone(),
            turn: SetTurn::default(),
            settings: Settings {
                max_community_datagram: config.limits.community_datagram,
                ..Default::default()
            },
            statistics: Statistics::new(workers.get()),
            writer,
            subscribers,
            observed: Mutex::new((0..workers.get()).map(|_| observers.modules()).collect()),
        };
        let transport = run(bound, limits, security, clock, move |worker| shop.make_handler(worker))?;
        Ok(Self {
            transport,
            _observers: observers,
            lcd,
            ssh,
            tls,
            hidden: assembled.hidden,
            clock,
            engine_id: local.engine_id,
            fixed: Fixed::new(config, local.engine_id),
            tally: Tally::default(),
            tidied: 0,
        })
    }

    /// snmpEngineID.
    pub(crate) fn engine_id(&self) -> EngineId {
        self.engine_id
    }

    /// Puts a new file's rows in force, all at once; what SETs have made stays. What else the file changes is said to
    /// need a restart.
    ///
    /// # Errors
    /// When the files that TLS is spoken with do not fit together, and then nothing has changed.
    pub(crate) fn reload(&mut self, loaded: Prepared) -> Result<(), Unusable> {
        let Prepared { config, ssh, tls } = loaded;
        let config = &config;
        for what in self.fixed.differences(&Fixed::new(config, self.engine_id)) {
            tracing::warn!("needs a restart: {what} differs from what the agent was started with");
        }
        let rows = tables(config, self.engine_id);
        let mut tls = tls.zip(self.tls.as_ref());
        loop {
            let snapshot = self.lcd.snapshot();
            let mut assembled = carry_over(rows.clone(), snapshot.lcd.tables(), &self.hidden);
            assembled.tables.stamp(snapshot.lcd.tables(), self.clock.now());
            if let Some((material, servers)) = tls.take() {
                material.pin_by_rows(&self.lcd).replace(servers)?;
            }
            let lcd = snapshot.lcd.recompile(assembled.tables);
            if self.lcd.publish(lcd, snapshot.generation).is_ok() {
                self.hidden = assembled.hidden;
                if let Some((settings, server)) = ssh.zip(self.ssh.as_deref()) {
                    server.replace(settings);
                }
                report(&assembled.clashes, &assembled.unreadable);
                return Ok(());
            }
        }
    }

    /// Tells the log what has been dropped, refused and closed since it was last told.
    pub(crate) fn tell_tally(&mut self) {
        let sessions = self.transport.statistics().read();
        let logins = self.ssh.as_ref().map(|server| server.statistics().read());
        if let Some(counters) = self.tally.since_last(&sessions, logins.as_ref()) {
            tracing::info!(%counters, "dropped, refused and closed since the last such line");
        }
    }

    /// Gives back memory that many sessions needed which may be gone by now.
    pub(crate) fn tidy(&mut self) {
        let opened = self.transport.statistics().read().sessions_opened;
        if opened - self.tidied >= MANY_SESSIONS {
            self.tidied = opened;
            release_free_memory();
        }
    }

    /// Stops reading, sends what is ready, and returns when all workers have ended.
    pub(crate) fn shutdown(mut self) {
        self.tell_tally();
        self.transport.shutdown();
    }
}

/// The file's rows, and what this machine says of itself where the file is silent.
fn tables(config: &Config, engine_id: EngineId) -> Tables {
    let mut tables = config.tables(engine_id);
    let scalars = &mut tables.scalars;
    if config.system.descr.is_none() {
        scalars.sys_descr = sys_descr().into_bytes().into();
    }
    if config.system.name.is_none() {
        scalars.sys_name = Text { value: sys_name().into_bytes().into(), ..Text::default() };
    }
    tables
}

fn listeners(config: &Config) -> Vec<Listener> {
    let protocol = |transport| match transport {
        TransportDomain::Tcp => Protocol::Tcp,
        TransportDomain::Ssh => Protocol::Ssh,
        TransportDomain::Tls => Protocol::Tls,
        TransportDomain::Dtls => Protocol::Dtls,
        _ => Protocol::Udp,
    };
    let listeners = config.listeners.iter().filter(|listener| is_to_be_had(listener));
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

/// A machine without IPv6 has every address when it has those of IPv4.
fn is_to_be_had(listener: &portreeve_config::Listener) -> bool {
    let had = !listener.everywhere || has_family_of(listener.address);
    if !had {
        tracing::warn!(address = %listener.address, "this machine has no such addresses: nothing listens there");
    }
    had
}

fn limits(config: &Config) -> Limits {
    Limits {
        max_message_size: config.agent.max_message_size,
        reply_buffer: reply_buffer_size(config.agent.max_message_size),
        sessions: config.limits.connections,
        sessions_per_source: config.limits.connections_per_source,
        unproven_replies: config.limits.unproven_replies,
        grace: config.limits.grace,
        idle: config.limits.idle,
        stall: config.limits.stall,
        ..Limits::default()
    }
}

fn one_for_each_core() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn report(clashes: &[String], unreadable: &[String]) {
    for key in clashes {
        tracing::warn!(key, "the configuration file takes the place of a row made by SNMP");
    }
    for key in unreadable {
        tracing::error!(key, "a stored row cannot be read and is left out");
    }
}

/// Why an agent did not start.
#[derive(Debug)]
pub(crate) enum StartError {
    /// A socket.
    Bind(BindError),
    /// A socket for sshd's subsystem.
    Relay(RelayBindError),
    /// The state directory.
    State(OpenError),
    /// The files that TLS is spoken with.
    Tls(Unusable),
    /// A thread.
    Io(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bind(error) => error.fmt(f),
            Self::Relay(error) => error.fmt(f),
            Self::State(error) => error.fmt(f),
            Self::Tls(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the agent could not be started: {error}"),
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

impl From<Unusable> for StartError {
    fn from(error: Unusable) -> Self {
        Self::Tls(error)
    }
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Sessions after which memory is given back: fewer leave too little behind.
const MANY_SESSIONS: u64 = 500;
