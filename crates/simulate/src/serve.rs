//! Reads the recordings, binds a listener for every agent, and serves until a signal.

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
    access::AccessTables,
    agent_set::{AgentContent, AgentSet, AgentTemplate},
    arguments::{AddressingMode, MAX_RESPONSE, SimulationPlan},
    error::CommandError,
    faults::FaultInjector,
    handler::Handler,
    recording::{LineError, Recording, RecordingFormat},
    secure::{hints, security},
    users,
    workers::assign_agents,
};

/// Simulates the agents of a plan until SIGTERM or SIGINT.
///
/// Prints `ready` to stdout when every agent listens. Skipped lines of recordings are printed to
/// stderr.
///
/// # Errors
/// A recording cannot be read or is empty, the file of users is invalid, or an address cannot be
/// bound.
pub fn serve(plan: &SimulationPlan) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let (mut terminate, mut interrupt) = {
        let _in_runtime = runtime.enter();
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    let template = Arc::new(build_template(plan)?);
    let agents = template.contents.len();
    let listeners = listeners(plan, agents)?;
    let security = security(plan)?;
    // If the limit cannot be raised, binding fails at the first listener that exceeds it, and the
    // error names that listener.
    let _ = portreeve_sys::raise_descriptor_limit();
    let limits = Limits {
        max_message_size: MAX_RESPONSE,
        reply_buffer_size: reply_buffer_size(MAX_RESPONSE),
        // One poller may open sessions to all agents from a single address. Therefore only the
        // limit of open files restricts their number.
        max_sessions: MAX_SESSIONS,
        max_sessions_per_source: MAX_SESSIONS,
        // A poller sends discovery requests to every agent, so the rate of these replies is not
        // limited.
        unauthenticated_replies: 0,
        community_rate: 0,
        ..Limits::default()
    };
    let clock = Clock::start();
    let mut running = Vec::new();
    let mut first = Vec::new();
    for (turn, worker_agents) in
        assign_agents(agents, plan.files.len(), threads(plan)).into_iter().enumerate()
    {
        let worker_listeners = listeners
            .chunks(agents.max(1))
            .flat_map(|all| worker_agents.agents.iter().filter_map(|agent| all.get(*agent)));
        let bound = bind(&worker_listeners.copied().collect::<Vec<_>>(), worker_agents.threads, &limits)?;
        if worker_agents.agents.first() == Some(&0) {
            first.extend(bound.local_addrs().iter().step_by(worker_agents.agents.len()).copied());
        }
        let (template, conditions) = (Arc::clone(&template), plan.conditions);
        let (seed, max_response) = (plan.seed.wrapping_add(turn as u64), plan.max_response);
        running.push(run(bound, limits.clone(), security.clone(), clock, move |worker| {
            let faults = FaultInjector::new(conditions, seed.wrapping_add(worker.index as u64));
            Handler::new(
                AgentSet::new(Arc::clone(&template), worker_agents.agents.clone()),
                faults,
                max_response,
            )
        })?);
    }
    // An error is ignored: the simulator also runs if stderr is closed.
    let _ = hints(plan, &first).iter().try_for_each(|line| writeln!(io::stderr(), "{line}"));
    let mut stdout = io::stdout().lock();
    // An error is ignored: the simulator also runs if stdout is closed.
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

fn threads(plan: &SimulationPlan) -> NonZeroUsize {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    plan.threads.unwrap_or_else(cores)
}

fn build_template(plan: &SimulationPlan) -> Result<AgentTemplate, CommandError> {
    let files = plan.files.iter().map(|path| read_recording(path)).collect::<Result<Vec<_>, _>>()?;
    let users = match &plan.users {
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|error| CommandError::for_file(path, &error))?;
            users::read(path, &text)?
        }
        None => Vec::new(),
    };
    let agents = plan.agents.unwrap_or(files.len());
    let played = files.iter().cycle().take(agents);
    let mut contexts = Vec::new();
    let contents = match (plan.addressing, files.first()) {
        (AddressingMode::Context, Some(first)) => {
            let named = name_contexts(&plan.files, played.map(Arc::clone))?;
            contexts.extend(named.keys().cloned());
            vec![AgentContent::Contexts(Arc::clone(first), named.into_iter().collect())]
        }
        _ => played.map(|recording| AgentContent::One(Arc::clone(recording))).collect(),
    };
    Ok(AgentTemplate {
        access: AccessTables::new(&plan.community, users, &contexts),
        contents,
        max_message_size: MAX_RESPONSE,
        reset_clock: plan.reset_clock,
        seed: plan.seed,
    })
}

/// Reads one recording and prints its invalid lines.
fn read_recording(path: &Path) -> Result<Arc<Recording>, CommandError> {
    let text = fs::read(path).map_err(|error| CommandError::for_file(path, &error))?;
    let (recording, errors) = Recording::read(RecordingFormat::of(path), &text);
    // An error is ignored: the simulator also runs if stderr is closed.
    let _ = print_errors(&mut io::stderr().lock(), path, &recording, &errors);
    if recording.is_empty() {
        return Err(CommandError(format!("{}: the recording is empty", path.display())));
    }
    Ok(Arc::new(recording))
}

fn print_errors(
    out: &mut impl Write,
    path: &Path,
    recording: &Recording,
    errors: &[LineError],
) -> io::Result<()> {
    let file = path.display();
    for error in errors.iter().take(MAX_PRINTED_ERRORS) {
        writeln!(out, "{file}:{error}; skipped")?;
    }
    match errors.len() {
        0 => Ok(()),
        skipped => writeln!(out, "{file}: {} instances, {skipped} skipped", recording.len()),
    }
}

/// Assigns a unique context name to each recording.
fn name_contexts(
    files: &[impl AsRef<Path>],
    played: impl Iterator<Item = Arc<Recording>>,
) -> Result<BTreeMap<Name, Arc<Recording>>, CommandError> {
    let mut named = BTreeMap::new();
    for (name, recording) in context_names(files).zip(played) {
        let display_name = || String::from_utf8_lossy(&name).into_owned();
        if !(1..=MAX_CONTEXT_NAME_LEN).contains(&name.len()) {
            let (name, length) = (display_name(), MAX_CONTEXT_NAME_LEN);
            return Err(CommandError(format!(
                "`{name}` is not a valid context name: expected 1 to {length} octets"
            )));
        }
        if named.contains_key(&name) {
            return Err(CommandError(format!("two recordings have the context name `{}`", display_name())));
        }
        named.insert(name, recording);
    }
    Ok(named)
}

/// Returns context names: the names of the files without extension. If a file is used for several
/// contexts, a number is appended to all names but the first.
fn context_names(files: &[impl AsRef<Path>]) -> impl Iterator<Item = Name> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = files.iter().map(|path| stem(path.as_ref())).collect();
    (0..).flat_map(move |round: u64| {
        let name = |stem: &String| if round == 0 { stem.clone() } else { format!("{stem}-{round}") };
        stems.iter().map(name).map(|name| name.into_bytes().into()).collect::<Vec<Name>>()
    })
}

/// Returns one listener per agent for each given listener.
fn listeners(plan: &SimulationPlan, agents: usize) -> Result<Vec<Listener>, CommandError> {
    let mut listeners = Vec::with_capacity(agents.saturating_mul(plan.listen.len()));
    for first in &plan.listen {
        for agent in 0..agents {
            let listener = nth_listener(first, plan.addressing, agent);
            listeners.push(listener.ok_or_else(|| {
                CommandError(format!("{first}: not enough addresses or ports for {agents} agents"))
            })?);
        }
    }
    Ok(listeners)
}

fn nth_listener(first: &Listener, addressing: AddressingMode, agent: usize) -> Option<Listener> {
    let mut address = first.address;
    match addressing {
        AddressingMode::Context => {}
        // Port 0 remains unchanged, so that the system chooses a free port for each agent.
        AddressingMode::Port if address.port() == 0 => {}
        AddressingMode::Port => address.set_port(address.port().checked_add(u16::try_from(agent).ok()?)?),
        AddressingMode::Address => address.set_ip(match address.ip() {
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

/// The maximum number of sessions per thread.
const MAX_SESSIONS: usize = 1 << 20;
/// The maximum length of vacmContextName (RFC 3415 §4).
const MAX_CONTEXT_NAME_LEN: usize = 32;
/// The maximum number of errors that are printed per file. All others are only counted.
const MAX_PRINTED_ERRORS: usize = 20;

#[cfg(test)]
mod tests;
