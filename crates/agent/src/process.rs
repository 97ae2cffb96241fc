//! The process of a running agent: readiness, signals, shutdown.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    time::Duration,
};

use portreeve_smi::EngineId;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use crate::{allocations, error::CommandError, prepared::prepare, service::Service};

/// Serves with the given configuration until SIGTERM or SIGINT; SIGHUP reloads it.
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
    let mut service = Service::start(prepare(path)?, first_start).map_err(CommandError::new)?;
    print_ready(service.engine_id());
    runtime.block_on(signals.run(&mut service, path));
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

    /// Handles signals until one stops the agent, and runs the periodic work in between.
    async fn run(mut self, service: &mut Service, path: &Path) {
        let (mut summary_timer, mut trim_timer) =
            (interval(LOG_SUMMARY_INTERVAL), interval(MEMORY_TRIM_INTERVAL));
        loop {
            tokio::select! {
                _ = summary_timer.tick() => service.log_summary(),
                _ = trim_timer.tick() => service.trim_memory(),
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hang_up.recv() => reload(service, path),
                _ = self.user.recv() => allocations::print(),
            }
        }
    }
}

/// Reloads the file. A file that contains errors has no effect.
fn reload(service: &mut Service, path: &Path) {
    match prepare(path).and_then(|prepared| service.reload(prepared).map_err(CommandError::new)) {
        Ok(()) => tracing::info!(file = %path.display(), "configuration reloaded"),
        Err(error) => {
            tracing::error!("configuration not reloaded; the previous one remains in effect:\n{error}")
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
