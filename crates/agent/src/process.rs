//! The process of a running agent: readiness, signals, requests of commands, shutdown.

use std::{
    fs,
    future::pending,
    io::{self, IsTerminal, Write},
    path::{Path, absolute},
    time::Duration,
};

use portreeve_smi::EngineId;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use crate::{
    allocations,
    control::{ControlServer, PendingRequest, Request, Response, socket_path},
    error::CommandError,
    prepared::prepare,
    service::Service,
};

/// Serves with the given configuration until SIGTERM or SIGINT; SIGHUP and `portreeved reload`
/// reload it.
///
/// Prints `ready` to stdout when every socket listens. Fails if the state does not contain the
/// configured engine ID, unless `first_start` is true.
pub(crate) fn serve(path: &Path, first_start: bool) -> Result<(), CommandError> {
    start_logging();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(CommandError::new)?;
    let signals = {
        let _in_runtime = runtime.enter();
        // The handlers are installed before the agent starts: a SIGHUP during the start must wait,
        // and without a handler it would terminate the process.
        Signals::listen().map_err(CommandError::new)?
    };
    let prepared = prepare(path)?;
    let state_dir = prepared.config.agent.state_dir.clone();
    let mut service = Service::start(prepared, first_start).map_err(CommandError::new)?;
    let control = {
        let _in_runtime = runtime.enter();
        listen_for_requests(&state_dir)
    };
    print_ready(service.engine_id());
    runtime.block_on(signals.run(&mut service, path, control));
    service.shutdown();
    Ok(())
}

/// The signals that the process handles.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
    user: Signal,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
            user: signal(SignalKind::user_defined1())?,
        })
    }

    /// Handles signals until one stops the agent, and requests and the periodic work in between.
    async fn run(mut self, service: &mut Service, path: &Path, mut control: Option<ControlServer>) {
        let (mut summary_timer, mut trim_timer) =
            (interval(LOG_SUMMARY_INTERVAL), interval(MEMORY_TRIM_INTERVAL));
        loop {
            tokio::select! {
                _ = summary_timer.tick() => service.log_summary(),
                _ = trim_timer.tick() => service.trim_memory(),
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hang_up.recv() => drop(reload(service, path, "SIGHUP")),
                request = next_request(&mut control) => answer(request, service, path),
                _ = self.user.recv() => allocations::print(),
            }
        }
    }
}

/// Listens for requests of commands. Without the control socket the agent runs nevertheless, and a
/// command can only send SIGHUP.
fn listen_for_requests(state_dir: &Path) -> Option<ControlServer> {
    let listening = ControlServer::listen(state_dir);
    listening
        .inspect_err(|error| {
            let socket = socket_path(state_dir);
            tracing::warn!(socket = %socket.display(), %error, "cannot listen on the control socket");
        })
        .ok()
}

/// Waits for a request; never returns if there is no control socket.
async fn next_request(control: &mut Option<ControlServer>) -> PendingRequest {
    match control {
        Some(control) => control.next_request().await,
        None => pending().await,
    }
}

/// Handles a request. The new configuration is in effect before the response is sent.
fn answer(pending: PendingRequest, service: &mut Service, path: &Path) {
    let response = match &pending.request {
        Request::Reload { file } if !is_same_file(path, file) => Response::Refused {
            reason: format!(
                "the agent runs with {}, not with {}\nhint: specify the agent's file with --config",
                path.display(),
                file.display()
            ),
        },
        Request::Reload { .. } => reload(service, path, "portreeved reload"),
    };
    pending.respond(response);
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    absolute(one).is_ok_and(|one| one == other)
        || canonical(one).is_some_and(|one| Some(one) == canonical(other))
}

/// Reloads the file. A file that contains errors has no effect.
fn reload(service: &mut Service, path: &Path, owner: &str) -> Response {
    match prepare(path).and_then(|prepared| service.reload(prepared, owner).map_err(CommandError::new)) {
        Ok(restart_only) => {
            tracing::info!(file = %path.display(), "configuration reloaded");
            Response::Reloaded { restart_only: restart_only.into_iter().map(str::to_owned).collect() }
        }
        Err(error) => {
            tracing::error!("configuration not reloaded; the previous one remains in effect:\n{error}");
            Response::Refused { reason: error.to_string() }
        }
    }
}

/// Prints `ready` to stdout, which may be closed if no process waits for it.
fn print_ready(engine_id: EngineId) {
    tracing::info!(%engine_id, "agent started");
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "ready").and_then(|()| stdout.flush());
}

fn start_logging() {
    // If the process already has a log subscriber, `try_init` fails, and that subscriber remains in
    // use.
    let colors = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(colors)
        // By default the subscriber reports its own errors on stderr, and panics if stderr is
        // closed.
        .log_internal_errors(false);
    let _ = subscriber.try_init();
}

/// Interval of the log line that counts drops, rejections and closed sessions.
const LOG_SUMMARY_INTERVAL: Duration = Duration::from_secs(60);
/// Interval at which memory of closed sessions is returned to the system.
const MEMORY_TRIM_INTERVAL: Duration = Duration::from_secs(10);
