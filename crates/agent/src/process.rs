//! The process around a service: readiness, signals, orderly end.

use std::{
    fmt, io,
    io::{IsTerminal, Write},
    path::Path,
    time::Duration,
};

use portreeve_channel_ssh::server::Settings;
use portreeve_config::Config;
use portreeve_smi::{EngineId, TransportDomain};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use crate::{allocations, credentials::TlsMaterial, service::Service, ssh_keys};

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
    let mut service = Service::start(read(path)?).map_err(Failure::new)?;
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
    match read(path).and_then(|prepared| service.reload(prepared).map_err(Failure::new)) {
        Ok(()) => tracing::info!(file = %path.display(), "the configuration has been read again"),
        Err(failure) => {
            tracing::error!("nothing has been changed, because the file cannot be used:\n{failure}")
        }
    }
}

/// A configuration, and what the files that it names hold.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    pub(crate) ssh: Option<Settings>,
    pub(crate) tls: Option<TlsMaterial>,
}

/// Reads a file and those it names, and says on stderr what about it is worth a warning. Its state directory is
/// reckoned from the file.
pub(crate) fn read(path: &Path) -> Result<Prepared, Failure> {
    let mut loaded = portreeve_config::load(path).map_err(Failure::new)?;
    for warning in &loaded.warnings {
        // Nobody may be reading any more, which is no reason to stop.
        let _ = writeln!(io::stderr(), "{warning}");
    }
    let beside = path.parent().unwrap_or(Path::new(""));
    loaded.config.agent.state_dir = beside.join(&loaded.config.agent.state_dir);
    for relay in &mut loaded.config.relays {
        relay.path = std::path::absolute(beside.join(&relay.path)).map_err(Failure::new)?;
    }
    let ssh = loaded.config.ssh.as_ref().map(|ssh| ssh_keys::settings(ssh, path));
    let ssh = ssh.transpose().map_err(Failure::new)?;
    let has_dtls = loaded.config.listeners.iter().any(|listener| listener.transport == TransportDomain::Dtls);
    let tls = loaded.config.tls.as_ref().map(|tls| TlsMaterial::load(tls, has_dtls, path));
    let tls = tls.transpose().map_err(Failure::new)?;
    Ok(Prepared { config: loaded.config, ssh, tls })
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

/// How often the log is told what has been dropped, refused and closed, where there was something.
const TELLING: Duration = Duration::from_secs(60);
/// How often memory is given back, where sessions have needed much.
const TIDYING: Duration = Duration::from_secs(10);
