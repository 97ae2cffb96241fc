//! Starts the transport, the engine and the writer, and serves until a signal ends the program.

use std::{
    io::{self, IsTerminal, Write as _},
    num::NonZeroUsize,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use portreeve_datastore::Datastore;
use portreeve_lcd::Lcd;
use portreeve_smi::{ClockReading, EngineId, TransportDomain};
use portreeve_snmp_apps::NotificationReceiver;
use portreeve_snmp_engine::{Engine, LocalEngine, reply_buffer_size, statistics::Statistics};
use portreeve_store::Store;
use portreeve_transport::{Clock, Limits, Listener, Protocol, bind, run as run_transport};
use tokio::signal::unix::{SignalKind, signal};

use super::{
    actions::Actions,
    addresses::AddressFormatter,
    arguments::Plan,
    journal_thread::JournalThread,
    keys::Keys,
    message_handler::{HandlerParts, ReceivingHandler},
    output_file::OutputFile,
    outputs::Outputs,
    queue::{Queue, QueueReceiver, Results, queue},
    queue_usage::QueueUsage,
    sender_clocks::SenderClockStore,
    sender_config,
    settings::Settings,
    state_directory::{forget_senders, open_store},
    writer::{Buffers, Writer},
    writer_thread::WriterThread,
};

/// Receives notifications until SIGTERM or SIGINT; SIGHUP opens the files again.
///
/// # Errors
/// The reason why the program cannot start.
pub fn run(plan: &Plan) -> Result<(), String> {
    let mut settings = Settings::load(plan)?;
    if plan.check {
        return check(&settings);
    }
    if plan.show_sender_config {
        portreeve_usage::print(std::io::stdout(), sender_config::lines(&settings))
            .map_err(|error| format!("cannot write to standard output: {error}"))?;
        return Ok(());
    }
    if plan.forget_senders {
        return forget_senders(&settings.shared.agent.state_dir);
    }
    start_logging();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let (mut terminate, mut interrupt, mut hang_up) = {
        let _in_runtime = runtime.enter();
        // Before the start: a signal during the start must wait.
        let listen = |kind| signal(kind).map_err(|error| error.to_string());
        (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?, listen(SignalKind::hangup())?)
    };
    let service = Service::start(&mut settings)?;
    let _ = writeln!(io::stderr(), "ready");
    runtime.block_on(async {
        loop {
            tokio::select! {
                _ = terminate.recv() => break,
                _ = interrupt.recv() => break,
                _ = hang_up.recv() => service.reopen.store(true, Ordering::Relaxed),
            }
        }
    });
    service.stop()
}

/// Finishes a check of the configuration. Invalid directives of `snmptrapd.conf`, which have been
/// reported, do not prevent a start, but the check fails.
fn check(settings: &Settings) -> Result<(), String> {
    Keys::load(settings)?;
    let file = settings.file.display();
    match settings.invalid_directives {
        0 => println!("{file}: no errors"),
        1 => return Err(format!("{file}: 1 invalid directive has no effect: correct or remove it")),
        count => {
            return Err(format!("{file}: {count} invalid directives have no effect: correct or remove them"));
        }
    }
    Ok(())
}

/// The running receiver.
struct Service {
    transport: portreeve_transport::RunningTransport,
    writer: WriterThread,
    /// The memory of the notifications that wait to be written.
    usage: Arc<QueueUsage>,
    reopen: Arc<AtomicBool>,
}

impl Service {
    fn start(settings: &mut Settings) -> Result<Self, String> {
        let keys = Keys::load(settings)?;
        let clock = Clock::start();
        let mut store = open_store(&settings.shared.agent.state_dir)?;
        let local = start_engine(&mut store, settings, clock)?;
        let clocks = SenderClockStore::read(&store);
        let names = Datastore::without_yang(Lcd::compile(settings.take_tables(local.engine_id)));
        let lcd = Arc::clone(&names.state().current().lcd);
        let listeners: Vec<_> = settings.shared.listeners.iter().map(listener).collect();
        let limits = limits(settings);
        // One worker, so that one engine has the clocks of all senders.
        let bound = bind(&listeners, NonZeroUsize::MIN, &limits).map_err(|error| error.to_string())?;
        let addresses: Vec<_> = bound.local_addrs().iter().map(|listener| listener.address).collect();
        for listener in bound.local_addrs() {
            tracing::info!(transport = %TransportDomain::from(listener.protocol), address = %listener.address, "listening");
        }
        let security = keys.into_security(names.state())?;
        let (queue, queue_receiver) = queue(settings.queue_octets);
        let usage = queue.usage();
        let (results, reopen) = (Results::default(), Arc::new(AtomicBool::new(false)));
        let actions = Actions::start(settings, local, clock)?;
        let formatter = AddressFormatter::new(addresses.clone());
        let writer = start_writer(settings, store, actions, formatter, queue_receiver, &results, &reopen)?;
        let factory = HandlerFactory {
            local,
            lcd,
            rules: settings.rules.clone(),
            listeners: addresses,
            reply_size: reply_buffer_size(local.max_message_size),
            clocks,
            results,
            once: Mutex::new(Some((queue, settings.take_senders()))),
        };
        let transport = run_transport(bound, limits, security, clock, move |worker| factory.make(worker));
        Ok(Self { transport: transport.map_err(|error| error.to_string())?, writer, usage, reopen })
    }

    /// Stops reading, writes and acknowledges what waits, and ends.
    ///
    /// # Errors
    /// The output does not accept what waits.
    fn stop(self) -> Result<(), String> {
        let Self { transport, writer, usage, .. } = self;
        let mut is_written = false;
        // The sessions stay open until then, so that the informs that wait are acknowledged.
        transport.shutdown_after(|| is_written = usage.wait_until_empty(MAX_STALL));
        if !is_written {
            let seconds = MAX_STALL.as_secs();
            return Err(format!(
                "notifications are lost, and informs among them not acknowledged: the output has accepted nothing for {seconds} seconds"
            ));
        }
        // The handler, which has the queue, was dropped with the transport; so the writer ends.
        writer.finish(MAX_END)
    }
}

/// Creates the handler of the only worker.
struct HandlerFactory {
    local: LocalEngine,
    lcd: Arc<Lcd>,
    rules: Vec<portreeve_snmp_apps::NotificationRule>,
    listeners: Vec<std::net::SocketAddr>,
    reply_size: usize,
    clocks: Vec<(EngineId, ClockReading)>,
    results: Results,
    once: Mutex<Option<(Queue, portreeve_snmp_engine::senders::SenderSettings)>>,
}

impl HandlerFactory {
    fn make(&self, worker: portreeve_transport::WorkerContext) -> ReceivingHandler {
        self.results.set_waker(worker.waker.clone());
        let once = self.once.lock().ok().and_then(|mut once| once.take());
        let (queue, senders) = once.expect("there is one worker");
        let salt = getrandom::u64().expect("the kernel has random octets");
        let mut engine = Engine::new(self.local, &self.lcd, Statistics::new(1).recorder(0), salt);
        engine.accept_senders(senders);
        for (engine_id, reading) in &self.clocks {
            engine.restore_sender_clock(*engine_id, *reading, worker.clock.now());
        }
        ReceivingHandler::new(HandlerParts {
            engine,
            lcd: Arc::clone(&self.lcd),
            receiver: NotificationReceiver::new(self.rules.clone()),
            queue,
            results: self.results.clone(),
            listeners: self.listeners.clone(),
            reply_size: self.reply_size,
        })
    }
}

fn start_writer(
    settings: &mut Settings,
    store: Store,
    actions: Actions,
    addresses: AddressFormatter,
    queue: QueueReceiver,
    results: &Results,
    reopen: &Arc<AtomicBool>,
) -> Result<WriterThread, String> {
    let open = |path: Option<&std::path::Path>| {
        let shown = path.unwrap_or(std::path::Path::new("standard output")).display();
        OutputFile::open(path).map_err(|error| format!("{shown}: {error}"))
    };
    let json = settings.json.as_deref().map(|path| open(Some(path))).transpose()?;
    let writer = Writer {
        queue,
        results: results.clone(),
        outputs: Outputs::new(open(settings.log.as_deref())?, json),
        journal: settings.journal.as_deref().map(JournalThread::start).transpose()?,
        formats: settings.formats.clone(),
        values: settings.values,
        ignores_authentication_failures: settings.ignores_authentication_failures,
        addresses,
        buffers: Buffers::default(),
        actions,
        clocks: SenderClockStore::new(store.into_writer().map_err(|error| error.to_string())?),
        reopen: Arc::clone(reopen),
    };
    WriterThread::start(move |progress| writer.run(&progress))
}

/// Returns the identity of the engine. Its boots must be durable, because senders of informs rely
/// on them (RFC 3414 §2.2).
fn start_engine(store: &mut Store, settings: &Settings, clock: Clock) -> Result<LocalEngine, String> {
    let agent = &settings.shared.agent;
    let mut random = [0x80, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0];
    getrandom::fill(&mut random[5..]).map_err(|error| error.to_string())?;
    let fresh = EngineId::new(&random).map_err(|error| error.to_string())?;
    let start = store.start_engine(|last| agent.engine_id.or(last).unwrap_or(fresh));
    let start = start.map_err(|error| format!("cannot store snmpEngineBoots: {error}"))?;
    Ok(LocalEngine {
        engine_id: start.engine_id,
        boots: Some(start.boots),
        started: clock.now(),
        max_message_size: agent.max_message_size,
    })
}

fn listener(listener: &portreeve_config::Listener) -> Listener {
    let protocol = match listener.transport {
        TransportDomain::Tcp => Protocol::Tcp,
        TransportDomain::Ssh => Protocol::Ssh,
        TransportDomain::Tls => Protocol::Tls,
        TransportDomain::Dtls => Protocol::Dtls,
        _ => Protocol::Udp,
    };
    Listener {
        nodelay: listener.nodelay,
        algorithms: listener.algorithms,
        ..Listener::new(protocol, listener.address)
    }
}

fn limits(settings: &Settings) -> Limits {
    let (agent, limits) = (&settings.shared.agent, &settings.shared.limits);
    Limits {
        max_message_size: agent.max_message_size,
        reply_buffer_size: reply_buffer_size(agent.max_message_size),
        max_sessions: limits.connections,
        max_sessions_per_source: limits.connections_per_source,
        unauthenticated_replies: limits.unauthenticated_replies,
        community_rate: limits.community_rate,
        first_message_timeout: limits.grace,
        idle_timeout: limits.idle,
        max_session_duration: limits.max_session,
        stall_timeout: limits.stall,
        udp_receive_buffer: UDP_BUFFER,
        ..Limits::default()
    }
}

fn start_logging() {
    let colors = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(colors)
        .log_internal_errors(false);
    let _ = subscriber.try_init();
}

/// The receive buffer of UDP sockets: notifications come in storms.
const UDP_BUFFER: usize = 16 << 20;
/// The time without progress after which the program ends although notifications wait: longer than
/// the sync of a slow disk, or the reader of a pipe, takes for a group.
const MAX_STALL: Duration = Duration::from_secs(20);
/// The time that each step of the end may take when everything is written. That of handlers and
/// forwarding takes less.
const MAX_END: Duration = Duration::from_secs(10);
