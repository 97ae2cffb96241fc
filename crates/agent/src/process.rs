//! The process of a running agent: readiness, signals, requests of commands, shutdown.

use std::{
    convert::Infallible,
    fs,
    future::pending,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf, absolute},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use portreeve_smi::EngineId;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use crate::{
    allocations,
    control::{Answer, ControlServer, Request, RequestHandler, Response, StatusFormat, socket_path},
    error::CommandError,
    handler_factory::writable_objects,
    prepared::prepare,
    reload_thread::ReloadThread,
    service::{Service, StartedService},
    status::{self, StatusSource, StatusThread},
};

/// Serves with the given configuration until SIGTERM or SIGINT; SIGHUP and `portreeved reload`
/// reload it.
///
/// Prints `ready` to stdout when every socket listens. Fails if the state does not contain the
/// configured engine ID, unless `first_start` is true, or if the agent must stop because its state
/// may differ from the one on the disk.
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
    let started = Service::start(prepared, first_start, writable_objects).map_err(CommandError::new)?;
    let StartedService { mut service, reloader, status } = started;
    let reloads = ReloadThread::start(reloader, path.to_owned()).map_err(CommandError::new)?;
    let requests = Arc::new(Requests::new(path.to_owned(), reloads, status).map_err(CommandError::new)?);
    let control = {
        let _in_runtime = runtime.enter();
        listen_for_requests(&state_dir, Arc::clone(&requests))
    };
    print_ready(service.engine_id());
    let end = runtime.block_on(signals.run(&mut service, &requests, control));
    service.shutdown();
    end
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
    /// Nothing here blocks: the agent can be stopped and its status can be read at any time.
    async fn run(
        mut self,
        service: &mut Service,
        requests: &Requests,
        control: Option<ControlServer>,
    ) -> Result<(), CommandError> {
        let (mut summary_timer, mut trim_timer) =
            (interval(LOG_SUMMARY_INTERVAL), interval(MEMORY_TRIM_INTERVAL));
        let mut control = pin!(serve_requests(control));
        loop {
            tokio::select! {
                _ = summary_timer.tick() => service.log_summary(),
                _ = trim_timer.tick() => service.trim_memory(),
                _ = self.terminate.recv() => return Ok(()),
                _ = self.interrupt.recv() => return Ok(()),
                () = service.interrupted() => return Err(CommandError::new(INTERRUPTED)),
                _ = self.hang_up.recv() => requests.reloads.request("SIGHUP", |_| ()),
                never = &mut control => match never {},
                _ = self.user.recv() => allocations::print(),
            }
        }
    }
}

/// Listens for requests of commands. Without the control socket the agent runs nevertheless, and a
/// command can only send SIGHUP.
fn listen_for_requests(state_dir: &Path, requests: Arc<Requests>) -> Option<ControlServer> {
    let listening = ControlServer::listen(state_dir, requests);
    listening
        .inspect_err(|error| {
            let socket = socket_path(state_dir);
            tracing::warn!(socket = %socket.display(), %error, "cannot listen on the control socket");
        })
        .ok()
}

/// Serves the control socket if there is one; never returns.
async fn serve_requests(control: Option<ControlServer>) -> Infallible {
    match control {
        Some(control) => control.serve().await,
        None => pending().await,
    }
}

/// Handles the requests of commands.
struct Requests {
    /// The configuration file of the agent.
    file: PathBuf,
    reloads: ReloadThread,
    status: StatusThread,
}

impl RequestHandler for Requests {
    /// Passes the request to the thread that answers it. A new configuration is in effect before
    /// the response is sent.
    fn handle(&self, request: Request, answer: Answer) {
        match request {
            Request::Reload { file } if !is_same_file(&self.file, &file) => {
                let reason = format!(
                    "the agent runs with {}, not with {}\nhint: specify the agent's file with --config",
                    self.file.display(),
                    file.display()
                );
                answer.send(Response::Refused { reason });
            }
            Request::Reload { .. } => {
                self.reloads.request("portreeved reload", |response| answer.send(response));
            }
            Request::Status { format } => self.status.request(move |status| {
                let text = match format {
                    StatusFormat::Text => status::print::report(&status),
                    StatusFormat::Json => format!("{}\n", status::data::report(&status)),
                };
                answer.send(Response::Status { text });
            }),
        }
    }
}

impl Requests {
    /// Starts the thread that reads the status.
    fn new(file: PathBuf, reloads: ReloadThread, status: StatusSource) -> io::Result<Self> {
        let status = StatusThread::start(status, file.clone(), reloads.history().clone())?;
        Ok(Self { file, reloads, status })
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    absolute(one).is_ok_and(|one| one == other)
        || canonical(one).is_some_and(|one| Some(one) == canonical(other))
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

/// The error of an agent that stops because of a panic while it stored SETs.
const INTERRUPTED: &str = "stopped after an internal error while SETs were stored: their changes may be in \
    the state directory without being in effect\n\
    hint: start the agent again; it reads the state directory";
/// Interval of the log line that counts drops, rejections and closed sessions.
const LOG_SUMMARY_INTERVAL: Duration = Duration::from_secs(60);
/// Interval at which memory of closed sessions is returned to the system.
const MEMORY_TRIM_INTERVAL: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
