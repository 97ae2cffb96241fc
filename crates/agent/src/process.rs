//! The process around a service: readiness, signals, orderly end.

use std::{
    fmt, io,
    io::{IsTerminal, Write},
    path::Path,
};

use portreeve_config::Loaded;
use portreeve_smi::EngineId;
use tokio::signal::unix::{SignalKind, signal};

use crate::{allocations, service::Service};

/// Serves as the file says until SIGTERM or SIGINT; SIGHUP reads the file again.
///
/// `ready` is printed on stdout once every socket listens.
pub(crate) fn serve(path: &Path) -> Result<(), Failure> {
    start_logging();
    let loaded = read(path)?;
    let service = Service::start(&loaded.config).map_err(Failure::new)?;
    drop(loaded);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(Failure::new)?;
    runtime.block_on(attend(&service, path)).map_err(Failure::new)?;
    service.shutdown();
    Ok(())
}

/// Waits for signals and does what they say.
async fn attend(service: &Service, path: &Path) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut user = signal(SignalKind::user_defined1())?;
    say_ready(service.engine_id())?;
    loop {
        tokio::select! {
            _ = terminate.recv() => return Ok(()),
            _ = interrupt.recv() => return Ok(()),
            _ = hang_up.recv() => reload(service, path),
            _ = user.recv() => allocations::print(),
        }
    }
}

/// A bad file changes nothing: the agent goes on with what it has.
fn reload(service: &Service, path: &Path) {
    match read(path) {
        Ok(loaded) => {
            service.reload(&loaded.config);
            tracing::info!(file = %path.display(), "the configuration has been read again");
        }
        Err(failure) => {
            tracing::error!("nothing has been changed, because the file cannot be used:\n{failure}")
        }
    }
}

/// Reads a file, and says on stderr what about it is worth a warning. Its state directory is reckoned from the file.
pub(crate) fn read(path: &Path) -> Result<Loaded, Failure> {
    let mut loaded = portreeve_config::load(path).map_err(Failure::new)?;
    for warning in &loaded.warnings {
        eprintln!("{warning}");
    }
    let beside = path.parent().unwrap_or(Path::new(""));
    loaded.config.agent.state_dir = beside.join(&loaded.config.agent.state_dir);
    Ok(loaded)
}

fn say_ready(engine_id: EngineId) -> io::Result<()> {
    tracing::info!(%engine_id, "serving");
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "ready")?;
    stdout.flush()
}

fn start_logging() {
    // A second subscriber in one process would be refused, which is as good.
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let _ =
        tracing_subscriber::fmt().with_writer(io::stderr).with_target(false).with_ansi(colours).try_init();
}

/// What a command says before it ends in failure.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
