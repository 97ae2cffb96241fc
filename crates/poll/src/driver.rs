//! The event loop: one thread for sockets, signals and output.

use std::{
    collections::HashMap,
    fmt,
    io::{self, Write},
    net::{IpAddr, SocketAddr, TcpListener},
    path::Path,
    sync::{Arc, mpsc::Receiver},
    time::{Duration, Instant},
};

use portreeve_smi::Timestamp;

use crate::{
    OutputFormat, Peer, PollPlan, Poller, Target, configuration,
    output::ResultWriter,
    prometheus::{self, ReloadRequest, SharedState},
    resolver::{Resolver, UnresolvedTarget},
    signals::Signals,
    sockets::{EndpointAllocator, SocketPool},
    stderr::print_stderr,
};

/// Polls the targets in `file` until SIGTERM or SIGINT, or with `once` until every target has been
/// polled. SIGHUP reloads the file; if that fails, polling continues unchanged. Problems are
/// printed to stderr. Without `once`, results are also served over HTTP if the file contains a
/// `[prometheus]` section.
///
/// # Errors
/// The file is invalid at the start, a socket cannot be opened, or the output cannot be written.
pub fn run(file: &Path, once: bool, format: OutputFormat, lines: impl Write) -> Result<(), CommandError> {
    let plan = read(file, once)?;
    let signals = Signals::listen()?;
    let listen = plan.prometheus.as_ref().map(|prometheus| prometheus.listen).filter(|_| !once);
    let (endpoint, mut driver) =
        (HttpEndpoint::open(listen, &plan, &signals)?, Driver::start(format, lines, &signals)?);
    driver.shared = endpoint.as_ref().map(|endpoint| Arc::clone(&endpoint.shared));
    driver.apply_plan(plan, once);
    loop {
        if signals.should_stop() {
            break;
        }
        let request = endpoint.as_ref().and_then(|endpoint| endpoint.reloads.try_recv().ok());
        if signals.take_reload() || request.is_some() {
            let result = driver.reload(file, once, listen);
            if let Some(request) = request {
                // Sending fails if the HTTP client has closed its connection, and then the result
                // is not needed.
                let _ = request.try_send(result);
            }
        }
        driver.step()?;
        if once && driver.is_done() {
            break;
        }
        driver.wait(&signals)?;
    }
    Ok(driver.output.flush()?)
}

/// The polling thread's side of the HTTP endpoint.
struct HttpEndpoint {
    shared: Arc<SharedState>,
    reloads: Receiver<ReloadRequest>,
}

impl HttpEndpoint {
    fn open(listen: Option<SocketAddr>, plan: &PollPlan, signals: &Signals) -> io::Result<Option<Self>> {
        let Some(listen) = listen else { return Ok(None) };
        let listener = TcpListener::bind(listen).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("cannot listen on {listen} (`listen` in [prometheus]): {error}"),
            )
        })?;
        let (shared, reloads) = SharedState::new(plan.clone(), signals.waker.try_clone()?);
        let shared = Arc::new(shared);
        prometheus::serve(listener, Arc::clone(&shared))?;
        Ok(Some(Self { shared, reloads }))
    }
}

struct Driver<W: Write> {
    poller: Poller,
    sockets: SocketPool,
    endpoints: EndpointAllocator,
    resolver: Resolver,
    output: ResultWriter<W>,
    shared: Option<Arc<SharedState>>,
    started: Instant,
    message: Vec<u8>,
}

impl<W: Write> Driver<W> {
    fn start(format: OutputFormat, lines: W, signals: &Signals) -> io::Result<Self> {
        Ok(Self {
            poller: Poller::default(),
            sockets: SocketPool::open()?,
            endpoints: EndpointAllocator::default(),
            resolver: Resolver::start(&signals.waker)?,
            output: ResultWriter::new(format, lines)?,
            shared: None,
            started: Instant::now(),
            message: Vec::new(),
        })
    }

    /// Reloads the file and applies it if it is valid.
    fn reload(&mut self, file: &Path, once: bool, listening: Option<SocketAddr>) -> Result<(), String> {
        let result = match read(file, once) {
            Ok(plan) => {
                if !once && plan.prometheus.as_ref().map(|prometheus| prometheus.listen) != listening {
                    print_stderr(format_args!(
                        "the new `listen` address in [prometheus] takes effect only after a restart"
                    ));
                }
                self.apply_plan(plan, once);
                Ok(())
            }
            Err(error) => Err(format!(
                "{error}\n{}: not applied; the previous configuration remains in effect",
                file.display()
            )),
        };
        if let Err(error) = &result {
            print_stderr(format_args!("{error}"));
        }
        if let Some(shared) = &self.shared {
            shared.record_reload(result.is_ok());
        }
        result
    }

    /// Polls the targets of `plan` from now on. Unchanged targets retain their session and their
    /// last values. New targets with a host name are added after it is resolved.
    fn apply_plan(&mut self, plan: PollPlan, at_once: bool) {
        let now = self.now();
        if let Some(shared) = &self.shared {
            shared.set_plan(plan.clone());
        }
        let before = self.poller.replace(Vec::new());
        let mut before: HashMap<Arc<str>, Peer> =
            before.into_iter().map(|peer| (Arc::clone(&peer.target().name), peer)).collect();
        let (mut peers, mut new_targets) = (Vec::new(), Vec::new());
        self.endpoints = EndpointAllocator::default();
        self.resolver.clear();
        for target in plan.targets {
            match before.remove(&target.name).filter(|peer| *peer.target() == target) {
                Some(peer) if self.endpoints.reserve(peer.endpoint()) => peers.push(peer),
                _ => new_targets.push(target),
            }
        }
        self.poller.replace(peers);
        let count = u32::try_from(new_targets.len()).unwrap_or(u32::MAX).max(1);
        for (index, target) in (0..).zip(new_targets) {
            // The first polls are spread over time. Later polls follow at fixed intervals, so they
            // are spread too.
            let wait =
                if at_once { Duration::ZERO } else { target.interval.min(MAX_START_SPREAD) / count * index };
            match target.address.host.parse::<IpAddr>() {
                Ok(ip) => self.start_target(target.clone(), (ip, target.address.port).into(), now + wait),
                Err(_) => {
                    self.resolver.look_up(UnresolvedTarget { target, first: now + wait, retry: !at_once })
                }
            }
        }
    }

    /// Starts to poll a target at `address`.
    fn start_target(&mut self, target: Target, address: SocketAddr, first: Timestamp) {
        let name = Arc::clone(&target.name);
        match new_peer(target, address, &mut self.endpoints, first) {
            Ok(peer) => self.poller.add(peer),
            Err(error) => print_stderr(format_args!("target {name} is not polled: {error}")),
        }
    }

    fn is_done(&self) -> bool {
        self.poller.is_done() && self.resolver.is_done()
    }

    /// Does all work that is due.
    fn step(&mut self) -> io::Result<()> {
        let now = self.now();
        while let Some((unresolved, address)) = self.resolver.poll_resolved(now) {
            self.start_target(unresolved.target, address, unresolved.first);
        }
        let poller = &mut self.poller;
        self.sockets.receive(|from, message| poller.handle_input(now, from, message));
        poller.handle_timeout(now);
        while let Some(endpoint) = poller.poll_output(now, &mut self.message) {
            self.sockets.send(endpoint, &self.message);
        }
        self.sockets.flush();
        while let Some((peer, result)) = poller.poll_result() {
            self.output.write_result(peer, &result)?;
            if let Some(shared) = &self.shared {
                shared.record_result(peer, &result);
            }
            poller.recycle(result);
        }
        Ok(())
    }

    /// Flushes the output and waits for the next event.
    fn wait(&mut self, signals: &Signals) -> io::Result<()> {
        self.output.flush()?;
        let now = self.now();
        let next = self.poller.next_timeout(now).into_iter().chain(self.resolver.next_timeout()).min();
        let timeout = next.map_or(MAX_WAIT, |at| at.since(now).min(MAX_WAIT));
        self.sockets.wait(&signals.wake_receiver, self.poller.gather_time(now), timeout)?;
        signals.drain();
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.started.elapsed()
    }
}

/// The reason why polling ended.
#[derive(Debug)]
pub enum CommandError {
    /// The configuration file is invalid.
    Rejected(portreeve_config::ConfigError),
    /// A socket or the output failed.
    Io(io::Error),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(problems) => problems.fmt(f),
            Self::Io(error) => write!(f, "polling failed: {error}"),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn read(file: &Path, once: bool) -> Result<PollPlan, CommandError> {
    let (mut plan, warnings) = configuration::load(file).map_err(CommandError::Rejected)?;
    warnings.iter().for_each(|warning| print_stderr(format_args!("{warning}")));
    if once {
        plan.targets.iter_mut().for_each(|target| target.interval = ONCE_INTERVAL);
    }
    Ok(plan)
}

fn new_peer(
    target: Target,
    address: SocketAddr,
    endpoints: &mut EndpointAllocator,
    first: Timestamp,
) -> Result<Peer, String> {
    let endpoint =
        endpoints.allocate(address).ok_or_else(|| format!("too many targets with the address {address}"))?;
    let seed = getrandom::u64().map_err(|error| error.to_string())?;
    Peer::new(target, endpoint, first, seed).map_err(|error| error.to_string())
}

/// The maximum time over which first polls are spread.
const MAX_START_SPREAD: Duration = Duration::from_secs(10);
/// The maximum time to wait for an event.
const MAX_WAIT: Duration = Duration::from_secs(3600);
/// The polling interval with `once`: so long that no second poll takes place.
const ONCE_INTERVAL: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
