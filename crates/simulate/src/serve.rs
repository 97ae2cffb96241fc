//! Reads the recordings, binds a listener for every agent, and serves until told to end.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    num::NonZeroUsize,
    path::Path,
    sync::Arc,
};

use portreeve_lcd::Name;
use portreeve_snmp_engine::reply_buffer_size;
use portreeve_transport::{Clock, Limits, Listener, RunningTransport, bind, run};
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    arguments::{By, MAX_ANSWER, Plan},
    crew::deal,
    failure::Failure,
    faults::Faults,
    fleet::{Blueprint, Fleet, Shown},
    handler::Handler,
    recording::{Format, Problem, Recording},
    secure::{hints, security},
    site::Site,
    users,
};

/// Simulates what the plan says until SIGTERM or SIGINT.
///
/// `ready` is printed on stdout once every agent listens; what is left out of recordings is told on stderr.
///
/// # Errors
/// A file that cannot be read or has nothing to play, users that cannot be, or an address that cannot be had.
pub fn serve(plan: &Plan) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let (mut terminate, mut interrupt) = {
        let _in_runtime = runtime.enter();
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    let blueprint = Arc::new(blueprint(plan)?);
    let agents = blueprint.shown.len();
    let listeners = listeners(plan, agents)?;
    let security = security(plan)?;
    // Where the limit cannot be raised, binding tells which listener was one too many.
    let _ = portreeve_sys::raise_descriptor_limit();
    let limits = Limits {
        max_message_size: MAX_ANSWER,
        reply_buffer: reply_buffer_size(MAX_ANSWER),
        // A poller has one address and asks every agent; descriptors are the bound.
        sessions: MOST_SESSIONS,
        sessions_per_source: MOST_SESSIONS,
        // It asks every agent who it is, too.
        unproven_replies: 0,
        ..Limits::default()
    };
    let clock = Clock::start();
    let mut running = Vec::new();
    let mut first = Vec::new();
    for (turn, share) in deal(agents, plan.files.len(), threads(plan)).into_iter().enumerate() {
        let theirs = listeners
            .chunks(agents.max(1))
            .flat_map(|all| share.agents.iter().filter_map(|agent| all.get(*agent)));
        let bound = bind(&theirs.copied().collect::<Vec<_>>(), share.threads, &limits)?;
        if share.agents.first() == Some(&0) {
            first.extend(bound.local_addrs().iter().step_by(share.agents.len()).copied());
        }
        let (blueprint, conditions) = (Arc::clone(&blueprint), plan.conditions);
        let (seed, max_answer) = (plan.seed.wrapping_add(turn as u64), plan.max_answer);
        running.push(run(bound, limits.clone(), security.clone(), clock, move |worker| {
            let faults = Faults::new(conditions, seed.wrapping_add(worker.index as u64));
            Handler::new(Fleet::new(Arc::clone(&blueprint), share.agents.clone()), faults, max_answer)
        })?);
    }
    // Nobody may be reading, which is no reason to stop.
    let _ = hints(plan, &first).iter().try_for_each(|line| writeln!(io::stderr(), "{line}"));
    let mut stdout = io::stdout().lock();
    // Whoever waits for this word keeps the other end open.
    let _ = writeln!(stdout, "ready").and_then(|()| stdout.flush());
    drop(stdout);
    runtime.block_on(async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    });
    running.into_iter().for_each(RunningTransport::shutdown);
    Ok(())
}

fn threads(plan: &Plan) -> NonZeroUsize {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    plan.threads.unwrap_or_else(cores)
}

fn blueprint(plan: &Plan) -> Result<Blueprint, Failure> {
    let files = plan.files.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let users = match &plan.users {
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
            users::read(path, &text)?
        }
        None => Vec::new(),
    };
    let agents = plan.agents.unwrap_or(files.len());
    let playing = files.iter().cycle().take(agents);
    let mut contexts = Vec::new();
    let shown = match (plan.by, files.first()) {
        (By::Context, Some(first)) => {
            let named = name_contexts(&plan.files, playing.map(Arc::clone))?;
            contexts.extend(named.keys().cloned());
            vec![Shown::Contexts(Arc::clone(first), named.into_iter().collect())]
        }
        _ => playing.map(|recording| Shown::One(Arc::clone(recording))).collect(),
    };
    Ok(Blueprint {
        site: Site::new(&plan.community, users, &contexts),
        shown,
        max_message_size: MAX_ANSWER,
        forget_boots: plan.forget_boots,
        seed: plan.seed,
    })
}

/// Reads one recording, and tells what of it is left out.
fn read(path: &Path) -> Result<Arc<Recording>, Failure> {
    let text = fs::read(path).map_err(|error| Failure::file(path, &error))?;
    let (recording, problems) = Recording::read(Format::of(path), &text);
    // Nobody may be reading, which is no reason to stop.
    let _ = tell(&mut io::stderr().lock(), path, &recording, &problems);
    if recording.is_empty() {
        return Err(Failure(format!("{}: nothing has been recorded here", path.display())));
    }
    Ok(Arc::new(recording))
}

fn tell(out: &mut impl Write, path: &Path, recording: &Recording, problems: &[Problem]) -> io::Result<()> {
    let file = path.display();
    for problem in problems.iter().take(MOST_PROBLEMS) {
        writeln!(out, "{file}:{problem}; left out")?;
    }
    match problems.len() {
        0 => Ok(()),
        left_out => writeln!(out, "{file}: {} instances, {left_out} left out", recording.len()),
    }
}

/// Gives each recording the name of a context, which nobody else may have.
fn name_contexts(
    files: &[impl AsRef<Path>],
    playing: impl Iterator<Item = Arc<Recording>>,
) -> Result<BTreeMap<Name, Arc<Recording>>, Failure> {
    let mut named = BTreeMap::new();
    for (name, recording) in context_names(files).zip(playing) {
        let shown = || String::from_utf8_lossy(&name).into_owned();
        if !(1..=LONGEST_CONTEXT).contains(&name.len()) {
            let (name, length) = (shown(), LONGEST_CONTEXT);
            return Err(Failure(format!(
                "`{name}` is no name for a context, which has 1 to {length} octets"
            )));
        }
        if named.contains_key(&name) {
            return Err(Failure(format!("two recordings would be the context `{}`", shown())));
        }
        named.insert(name, recording);
    }
    Ok(named)
}

/// Contexts are called as the files without their endings; where files are played again, with a number behind it.
fn context_names(files: &[impl AsRef<Path>]) -> impl Iterator<Item = Name> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = files.iter().map(|path| stem(path.as_ref())).collect();
    (0..).flat_map(move |round: u64| {
        let name = |stem: &String| if round == 0 { stem.clone() } else { format!("{stem}-{round}") };
        stems.iter().map(name).map(|name| name.into_bytes().into()).collect::<Vec<Name>>()
    })
}

/// For each listener asked for, one for every agent.
fn listeners(plan: &Plan, agents: usize) -> Result<Vec<Listener>, Failure> {
    let mut listeners = Vec::with_capacity(agents.saturating_mul(plan.listen.len()));
    for first in &plan.listen {
        for agent in 0..agents {
            let listener = nth(first, plan.by, agent);
            listeners.push(
                listener.ok_or_else(|| Failure(format!("{first}: {agents} agents do not fit behind it")))?,
            );
        }
    }
    Ok(listeners)
}

fn nth(first: &Listener, by: By, agent: usize) -> Option<Listener> {
    let mut address = first.address;
    match by {
        By::Context => {}
        // Port 0 is any free port, for each.
        By::Port if address.port() == 0 => {}
        By::Port => address.set_port(address.port().checked_add(u16::try_from(agent).ok()?)?),
        By::Address => address.set_ip(match address.ip() {
            IpAddr::V4(ip) => {
                Ipv4Addr::from_bits(ip.to_bits().checked_add(u32::try_from(agent).ok()?)?).into()
            }
            IpAddr::V6(ip) => {
                Ipv6Addr::from_bits(ip.to_bits().checked_add(u128::try_from(agent).ok()?)?).into()
            }
        }),
    }
    Some(Listener { address, ..*first })
}

/// Sessions of one thread.
const MOST_SESSIONS: usize = 1 << 20;
/// Of vacmContextName (RFC 3415 §4).
const LONGEST_CONTEXT: usize = 32;
/// Lines told of per file; the rest is counted.
const MOST_PROBLEMS: usize = 20;

#[cfg(test)]
mod tests;
