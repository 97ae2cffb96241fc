//! The process of a running agent: readiness, signals, requests of commands, shutdown.

use std::{
    convert::Infallible,
    future::pending,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    pin::pin,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use portreeve_smi::EngineId;
use portreeve_snmp_apps::EntitySettings;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use crate::{
    allocations,
    control::{Answer, ControlServer, Request, RequestHandler, Response, StatusFormat, socket_path},
    datastore_thread::{FinishError, MAX_FINISH_TIME},
    error::CommandError,
    handler_factory::writable_objects,
    netconf::NetconfHandle,
    prepared::prepare,
    reload_thread::ReloadThread,
    service::{Service, StartedService},
    status::{self, StatusSource, StatusThread},
    submissions::Submissions,
};

/// Serves with the given configuration until SIGTERM or SIGINT; SIGHUP and `portreeved reload`
/// reload it.
///
/// Prints `ready` to stdout when every socket listens. Fails if the state does not contain the
/// configured engine ID, unless `first_start` is true, if the agent must stop because its state
/// may differ from the one on the disk, or if its threads do not end in time.
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
    let started =
        Service::start(prepared, first_start, writable_objects, EntitySettings::default().pending_timeout);
    let started = started.map_err(CommandError::new)?;
    let StartedService { mut service, reloader, status } = started;
    let reloads = ReloadThread::start(reloader, path.to_owned()).map_err(CommandError::new)?;
    let requests = Arc::new(Requests::new(path.to_owned(), reloads, status).map_err(CommandError::new)?);
    let control = {
        let _in_runtime = runtime.enter();
        listen_for_requests(&state_dir, Arc::clone(&requests))
    };
    print_ready(service.engine_id());
    let end = runtime.block_on(signals.run(&mut service, &requests, control.as_ref()));
    let socket = control.map(ControlServer::close);
    let shutdown = move || service.shutdown(MAX_FINISH_TIME).map_err(CommandError::new);
    let stopped = shut_down_within(SHUTDOWN_TIMEOUT, shutdown, move || drop(socket));
    end.and(stopped)
}

/// Calls `shutdown` and then `remove_files` on a thread of its own, and waits at most `max_wait`
/// for both: a disk that does not respond can block each of them, because `shutdown` joins threads
/// that use files.
///
/// # Errors
/// Returns the error of `shutdown`, or an error if it has not returned in time. A failure of
/// `remove_files` does not change the result.
fn shut_down_within(
    max_wait: Duration,
    shutdown: impl FnOnce() -> Result<(), CommandError> + Send + 'static,
    remove_files: impl FnOnce() + Send + 'static,
) -> Result<(), CommandError> {
    let start = Instant::now();
    let (sender, results) = mpsc::channel();
    let shut_down = move || {
        // Fails only if the other thread has stopped waiting.
        let _ = sender.send(shutdown());
        remove_files();
        // The receiver waits until the sender is dropped.
        drop(sender);
    };
    thread::Builder::new().name("shutdown".into()).spawn(shut_down).map_err(CommandError::new)?;
    let result = results.recv_timeout(max_wait);
    // Without a result, nothing else is sent.
    let ended = results.recv_timeout(max_wait.saturating_sub(start.elapsed()));
    if !matches!(ended, Err(RecvTimeoutError::Disconnected)) {
        tracing::error!(seconds = max_wait.as_secs(), "shutdown timed out");
    }
    result.unwrap_or_else(|reason| {
        let text = match reason {
            RecvTimeoutError::Timeout => UNFINISHED_SHUTDOWN,
            RecvTimeoutError::Disconnected => PANICKED_SHUTDOWN,
        };
        Err(CommandError::new(text))
    })
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
        control: Option<&ControlServer>,
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
                () = service.interrupted() => return Err(CommandError::new(FinishError::Interrupted)),
                _ = self.hang_up.recv() => requests.reloads.request("SIGHUP", None, |_| ()),
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
async fn serve_requests(control: Option<&ControlServer>) -> Infallible {
    match control {
        Some(control) => control.serve().await,
        None => pending().await,
    }
}

/// Handles the requests of commands.
struct Requests {
    reloads: ReloadThread,
    status: StatusThread,
    /// The NETCONF server, if there is one.
    netconf: Option<NetconfHandle>,
    submissions: Submissions,
}

impl RequestHandler for Requests {
    /// Passes the request to the thread that answers it. A new configuration is in effect before
    /// the response is sent.
    fn handle(&self, request: Request, answer: Answer) {
        match request {
            Request::Reload { file } => {
                self.reloads.request("portreeved reload", Some(file), |response| answer.send(response));
            }
            Request::KillSession { session } => match &self.netconf {
                Some(netconf) => netconf.kill(session, move |is_killed| {
                    answer.send(if is_killed {
                        Response::Killed
                    } else {
                        Response::Refused { reason: format!("NETCONF session {session} does not exist") }
                    });
                }),
                None => answer.send(Response::Refused { reason: "the agent does not offer NETCONF".into() }),
            },
            Request::Status { format } => self.status.request(move |status| {
                let text = match format {
                    StatusFormat::Text => status::print::report(&status),
                    StatusFormat::Json => format!("{}\n", status::data::report(&status)),
                };
                answer.send(Response::Status { text });
            }),
            Request::Notify(notification) => self.submissions.submit(&notification, answer),
        }
    }
}

impl Requests {
    /// Starts the thread that reads the status.
    fn new(file: PathBuf, reloads: ReloadThread, status: StatusSource) -> io::Result<Self> {
        let netconf = status.netconf.clone();
        let submissions = Submissions::new(status.notifier.clone(), status.clock, status.local.started);
        let status = StatusThread::start(status, file, reloads.history().clone())?;
        Ok(Self { reloads, status, netconf, submissions })
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

/// The error of an agent whose threads do not end in time.
const UNFINISHED_SHUTDOWN: &str = "stopped before all threads had ended\n\
    hint: check that the disk of the state directory and network file systems respond";
/// The error of an agent whose shutdown panics.
const PANICKED_SHUTDOWN: &str = "stopped after an internal error during the shutdown";
/// The maximum time of a shutdown: longer than that for SETs, sessions and workers together, which
/// do not need it unless a disk does not respond.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(40);
/// Interval of the log line that counts drops, rejections and closed sessions.
const LOG_SUMMARY_INTERVAL: Duration = Duration::from_secs(60);
/// Interval at which memory of closed sessions is returned to the system.
const MEMORY_TRIM_INTERVAL: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
