//! One thread: sockets and signals in, lines out.

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
    Form, Peer, Plan, Poller, Target, configuration,
    output::Output,
    prometheus::{self, Reload, Shared},
    resolver::{Nameless, Names},
    signals::Signals,
    sockets::{Places, Sockets},
    tell::tell,
};

/// Polls what `file` says until SIGTERM or SIGINT or, with `once`, until every target has been polled. SIGHUP reads the
/// file again; where that fails, or a file is wrong, everything goes on as before. Problems are told on stderr. Without
/// `once`, results are shown over HTTP too if the file wants that.
///
/// # Errors
/// A file that is wrong from the start, sockets that cannot be had, and a reader of the lines who has gone.
pub fn run(file: &Path, once: bool, form: Form, lines: impl Write) -> Result<(), Failure> {
    let plan = read(file, once)?;
    let signals = Signals::listen()?;
    let listen = plan.prometheus.as_ref().map(|shown| shown.listen).filter(|_| !once);
    let (endpoint, mut driver) =
        (Endpoint::open(listen, &plan, &signals)?, Driver::start(form, lines, &signals)?);
    driver.shared = endpoint.as_ref().map(|endpoint| Arc::clone(&endpoint.shared));
    driver.take_over(plan, once);
    loop {
        if signals.want_an_end() {
            break;
        }
        let wish = endpoint.as_ref().and_then(|endpoint| endpoint.reloads.try_recv().ok());
        if signals.take_reload() || wish.is_some() {
            let result = driver.reload(file, once, listen);
            if let Some(wish) = wish {
                // Whoever wished it may have gone.
                let _ = wish.try_send(result);
            }
        }
        driver.turn()?;
        if once && driver.is_done() {
            break;
        }
        driver.wait(&signals)?;
    }
    Ok(driver.output.flush()?)
}

/// The HTTP endpoint, seen from the thread that polls.
struct Endpoint {
    shared: Arc<Shared>,
    reloads: Receiver<Reload>,
}

impl Endpoint {
    fn open(listen: Option<SocketAddr>, plan: &Plan, signals: &Signals) -> io::Result<Option<Self>> {
        let Some(listen) = listen else { return Ok(None) };
        let listener = TcpListener::bind(listen).map_err(|error| {
            io::Error::new(error.kind(), format!("[prometheus] listen {listen}: {error}"))
        })?;
        let (shared, reloads) = Shared::new(plan.clone(), signals.waker.try_clone()?);
        let shared = Arc::new(shared);
        prometheus::serve(listener, Arc::clone(&shared))?;
        Ok(Some(Self { shared, reloads }))
    }
}

struct Driver<W: Write> {
    poller: Poller,
    sockets: Sockets,
    places: Places,
    names: Names,
    output: Output<W>,
    shared: Option<Arc<Shared>>,
    started: Instant,
    message: Vec<u8>,
}

impl<W: Write> Driver<W> {
    fn start(form: Form, lines: W, signals: &Signals) -> io::Result<Self> {
        Ok(Self {
            poller: Poller::default(),
            sockets: Sockets::open()?,
            places: Places::default(),
            names: Names::start(&signals.waker)?,
            output: Output::begin(form, lines)?,
            shared: None,
            started: Instant::now(),
            message: Vec::new(),
        })
    }

    /// Reads the file again and takes it over if it is right.
    fn reload(&mut self, file: &Path, once: bool, listening: Option<SocketAddr>) -> Result<(), String> {
        let result = match read(file, once) {
            Ok(plan) => {
                if !once && plan.prometheus.as_ref().map(|shown| shown.listen) != listening {
                    tell(format_args!("[prometheus] listen is not changed before the next start"));
                }
                self.take_over(plan, once);
                Ok(())
            }
            Err(failure) => Err(format!("{failure}\n{}: not taken over", file.display())),
        };
        if let Err(why) = &result {
            tell(format_args!("{why}"));
        }
        if let Some(shared) = &self.shared {
            shared.note_reload(result.is_ok());
        }
        result
    }

    /// Polls the targets of `plan` from now on. Those that have not changed keep their session and what they said
    /// last; others wait for their addresses where those have to be looked up.
    fn take_over(&mut self, plan: Plan, at_once: bool) {
        let now = self.now();
        if let Some(shared) = &self.shared {
            shared.take_over(plan.clone());
        }
        let before = self.poller.replace(Vec::new());
        let mut before: HashMap<Arc<str>, Peer> =
            before.into_iter().map(|peer| (Arc::clone(&peer.target().name), peer)).collect();
        let (mut peers, mut fresh) = (Vec::new(), Vec::new());
        self.places = Places::default();
        self.names.forget();
        for target in plan.targets {
            match before.remove(&target.name).filter(|peer| *peer.target() == target) {
                Some(peer) if self.places.keep(peer.place()) => peers.push(peer),
                _ => fresh.push(target),
            }
        }
        self.poller.replace(peers);
        let count = u32::try_from(fresh.len()).unwrap_or(u32::MAX).max(1);
        for (index, target) in (0..).zip(fresh) {
            // First polls are spread, so that later ones are.
            let wait = if at_once { Duration::ZERO } else { target.interval.min(SPREAD) / count * index };
            match target.address.host.parse::<IpAddr>() {
                Ok(ip) => self.begin(target.clone(), (ip, target.address.port).into(), now + wait),
                Err(_) => self.names.look_up(Nameless { target, first: now + wait, again: !at_once }),
            }
        }
    }

    /// Polls one more target, which is at `address`.
    fn begin(&mut self, target: Target, address: SocketAddr, first: Timestamp) {
        let name = Arc::clone(&target.name);
        match peer(target, address, &mut self.places, first) {
            Ok(peer) => self.poller.add(peer),
            Err(why) => tell(format_args!("target {name}: {why}; it is not polled")),
        }
    }

    fn is_done(&self) -> bool {
        self.poller.is_done() && self.names.is_done()
    }

    /// Does all that can be done now.
    fn turn(&mut self) -> io::Result<()> {
        let now = self.now();
        while let Some((nameless, address)) = self.names.poll_found(now) {
            self.begin(nameless.target, address, nameless.first);
        }
        let poller = &mut self.poller;
        self.sockets.receive(|from, message| poller.handle_input(now, from, message));
        poller.handle_timeout(now);
        while let Some(place) = poller.poll_output(now, &mut self.message) {
            self.sockets.send(place, &self.message);
        }
        self.sockets.flush();
        while let Some((peer, report)) = poller.poll_report() {
            self.output.report(peer, &report)?;
            if let Some(shared) = &self.shared {
                shared.report(peer, &report);
            }
            poller.recycle(report);
        }
        Ok(())
    }

    /// Lets readers see what there is, and waits for more.
    fn wait(&mut self, signals: &Signals) -> io::Result<()> {
        self.output.flush()?;
        let now = self.now();
        let next = self.poller.next_timeout(now).into_iter().chain(self.names.next_timeout()).min();
        let patience = next.map_or(LONG, |at| at.since(now).min(LONG));
        self.sockets.wait(&signals.woken, self.poller.gathering(now), patience)?;
        signals.drain();
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.started.elapsed()
    }
}

/// Why nothing is polled any more.
#[derive(Debug)]
pub enum Failure {
    /// The file is wrong.
    Rejected(portreeve_config::Rejected),
    /// Sockets, or the reader of the lines.
    Io(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(problems) => problems.fmt(f),
            Self::Io(error) => write!(f, "polling ends: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn read(file: &Path, once: bool) -> Result<Plan, Failure> {
    let (mut plan, warnings) = configuration::load(file).map_err(Failure::Rejected)?;
    warnings.iter().for_each(|warning| tell(format_args!("{warning}")));
    if once {
        plan.targets.iter_mut().for_each(|target| target.interval = NEVER);
    }
    Ok(plan)
}

fn peer(target: Target, address: SocketAddr, places: &mut Places, first: Timestamp) -> Result<Peer, String> {
    let place = places.at(address).ok_or_else(|| format!("too many targets are at {address}"))?;
    let seed = getrandom::u64().map_err(|error| error.to_string())?;
    Peer::new(target, place, first, seed).map_err(|error| error.to_string())
}

/// Over so long first polls are spread at most.
const SPREAD: Duration = Duration::from_secs(10);
/// How long to wait where nothing is to be waited for.
const LONG: Duration = Duration::from_secs(3600);
/// An interval that does not end.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
