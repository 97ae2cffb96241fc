//! One thread: sockets and signals in, lines out.

use std::{
    collections::HashMap,
    fmt,
    io::{self, Read, Write},
    net::{SocketAddr, ToSocketAddrs},
    os::unix::net::UnixStream,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use portreeve_manager::{Family, PeerAddress};
use portreeve_smi::Timestamp;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
    low_level::pipe,
};

use crate::{
    Form, Peer, Plan, Poller, Target, configuration,
    output::Output,
    sockets::{Places, Sockets},
};

/// Polls what `file` says until SIGTERM or SIGINT or, with `once`, until every target has been polled. SIGHUP reads the
/// file again; where that fails, or a file is wrong, everything goes on as before. Problems are told on stderr.
///
/// # Errors
/// A file that is wrong from the start, sockets that cannot be had, and a reader of the lines who has gone.
pub fn run(file: &Path, once: bool, form: Form, lines: impl Write) -> Result<(), Failure> {
    let plan = read(file, once)?;
    let signals = Signals::listen()?;
    let mut driver = Driver::start(form, lines)?;
    driver.take_over(plan, once);
    loop {
        if signals.end.load(Ordering::Relaxed) {
            break;
        }
        if signals.reload.swap(false, Ordering::Relaxed) {
            match read(file, once) {
                Ok(plan) => driver.take_over(plan, once),
                Err(failure) => tell(format_args!("{failure}\n{}: not taken over", file.display())),
            }
        }
        driver.turn()?;
        if once && driver.poller.is_done() {
            break;
        }
        driver.wait(&signals)?;
    }
    Ok(driver.output.flush()?)
}

struct Driver<W: Write> {
    poller: Poller,
    sockets: Sockets,
    output: Output<W>,
    started: Instant,
    message: Vec<u8>,
}

impl<W: Write> Driver<W> {
    fn start(form: Form, lines: W) -> io::Result<Self> {
        let (output, sockets) = (Output::begin(form, lines)?, Sockets::open()?);
        Ok(Self { poller: Poller::default(), sockets, output, started: Instant::now(), message: Vec::new() })
    }

    /// Polls the targets of `plan` from now on. Those that have not changed keep their session and what they said
    /// last; a target that cannot be resolved is told and left out.
    fn take_over(&mut self, plan: Plan, at_once: bool) {
        let now = self.now();
        let before = self.poller.replace(Vec::new());
        let mut before: HashMap<Arc<str>, Peer> =
            before.into_iter().map(|peer| (Arc::clone(&peer.target().name), peer)).collect();
        let (mut places, mut peers, mut fresh) = (Places::default(), Vec::new(), Vec::new());
        for target in plan.targets {
            match before.remove(&target.name).filter(|peer| *peer.target() == target) {
                Some(peer) if places.keep(peer.place()) => peers.push(peer),
                _ => fresh.push(target),
            }
        }
        let count = u32::try_from(fresh.len()).unwrap_or(u32::MAX).max(1);
        for (index, target) in (0..).zip(fresh) {
            let name = Arc::clone(&target.name);
            // First polls are spread, so that later ones are.
            let wait = if at_once { Duration::ZERO } else { target.interval.min(SPREAD) / count * index };
            match peer(target, &mut places, now + wait) {
                Ok(peer) => peers.push(peer),
                Err(why) => tell(format_args!("target {name}: {why}; it is not polled")),
            }
        }
        self.poller.replace(peers);
    }

    /// Does all that can be done now.
    fn turn(&mut self) -> io::Result<()> {
        let now = self.now();
        let poller = &mut self.poller;
        self.sockets.receive(|from, message| poller.handle_input(now, from, message));
        poller.handle_timeout(now);
        while let Some(place) = poller.poll_output(now, &mut self.message) {
            self.sockets.send(place, &self.message);
        }
        while let Some((peer, report)) = poller.poll_report() {
            self.output.report(peer, &report)?;
            let place = peer.place();
            poller.recycle(place, report);
        }
        Ok(())
    }

    /// Lets readers see what there is, and waits for more.
    fn wait(&mut self, signals: &Signals) -> io::Result<()> {
        self.output.flush()?;
        let now = self.now();
        let patience = self.poller.next_timeout(now).map_or(LONG, |at| at.since(now).min(LONG));
        self.sockets.wait(&signals.woken, patience)?;
        signals.drain();
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.started.elapsed()
    }
}

/// What signals ask for, and a socket that wakes whoever waits.
struct Signals {
    end: Arc<AtomicBool>,
    reload: Arc<AtomicBool>,
    woken: UnixStream,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        let (woken, waker) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        let (end, reload) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        for (signal, asked) in [(SIGTERM, &end), (SIGINT, &end), (SIGHUP, &reload)] {
            flag::register(signal, Arc::clone(asked))?;
            pipe::register(signal, waker.try_clone()?)?;
        }
        Ok(Self { end, reload, woken })
    }

    fn drain(&self) {
        let mut octets = [0; 64];
        while (&self.woken).read(&mut octets).is_ok_and(|count| count > 0) {}
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

fn peer(target: Target, places: &mut Places, first: Timestamp) -> Result<Peer, String> {
    let address = resolve(&target.address).map_err(|error| error.to_string())?;
    let place = places.at(address).ok_or_else(|| format!("too many targets are at {address}"))?;
    let seed = getrandom::u64().map_err(|error| error.to_string())?;
    Peer::new(target, place, first, seed).map_err(|error| error.to_string())
}

fn resolve(peer: &PeerAddress) -> io::Result<SocketAddr> {
    let mut found: Vec<_> = (peer.host.as_str(), peer.port).to_socket_addrs()?.collect();
    found.retain(|address| match peer.family {
        Some(Family::V4) => address.is_ipv4(),
        Some(Family::V6) => address.is_ipv6(),
        None => true,
    });
    found.sort_by_key(SocketAddr::is_ipv6);
    found.first().copied().ok_or_else(|| io::Error::other("the name has no address of this family"))
}

/// Nobody may be reading, which is no reason to stop.
fn tell(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{what}");
}

/// Over so long first polls are spread at most.
const SPREAD: Duration = Duration::from_secs(10);
/// How long to wait where nothing is to be waited for.
const LONG: Duration = Duration::from_secs(3600);
/// An interval that does not end.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
