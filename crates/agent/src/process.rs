//! The process around a service: readiness, signals, orderly end.

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

use crate::{allocations, failure::Failure, prepared::prepare, service::Service};

/// Serves as the file says until SIGTERM or SIGINT; SIGHUP reads the file again.
///
/// `ready` is printed on stdout once every socket listens.
pub(crate) fn serve(path: &Path) -> Result<(), Failure> {
    start_logging();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(Failure::new)?;
    let signals = {
        let _in_runtime = runtime.enter();
        // Before anything else: a SIGHUP during start-up waits, where it would end a process that has not asked for it.
        Signals::listen().map_err(Failure::new)?
    };
    let mut service = Service::start(prepare(path)?).map_err(Failure::new)?;
    say_ready(service.engine_id());
    runtime.block_on(signals.obey(&mut service, path));
    service.shutdown();
    Ok(())
}

/// What the process is told from outside.
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

    /// Does what signals say, until one says to end; between them does what is done by the clock.
    async fn obey(mut self, service: &mut Service, path: &Path) {
        let (mut tellings, mut tidyings) = (interval(TELLING), interval(TIDYING));
        loop {
            tokio::select! {
                _ = tellings.tick() => service.tell_tally(),
                _ = tidyings.tick() => service.tidy(),
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hang_up.recv() => reload(service, path),
                _ = self.user.recv() => allocations::print(),
            }
        }
    }
}

/// A bad file changes nothing: the agent goes on with what it has.
fn reload(service: &mut Service, path: &Path) {
    match prepare(path).and_then(|prepared| service.reload(prepared).map_err(Failure::new)) {
        Ok(()) => tracing::info!(file = %path.display(), "the configuration has been read again"),
        Err(failure) => {
            tracing::error!("nothing has been changed, because the file cannot be used:\n{failure}")
        }
    }
}

/// On stdout, which may be closed: whoever waits for this word keeps it open.
fn say_ready(engine_id: EngineId) {
    tracing::info!(%engine_id, "serving");
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "ready").and_then(|()| stdout.flush());
}

fn start_logging() {
    // A second subscriber in one process would be refused, which is as good.
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(colours)
        // It would complain on stderr, and panic if that is what was closed.
        .log_internal_errors(false);
    let _ = subscriber.try_init();
}

/// How often the log is told what has been dropped, refused and closed, where there was something.
const TELLING: Duration = Duration::from_secs(60);
/// How often memory is given back, where sessions have needed much.
const TIDYING: Duration = Duration::from_secs(10);
