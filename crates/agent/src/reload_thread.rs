//! The thread that reloads the configuration. It may wait for slow files or for the transaction
//! lock; signals and other requests do not wait for it.

use std::{
    fmt, fs, io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf, absolute},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
    time::SystemTime,
};

use crate::{
    control::{ReloadOutcome, Response},
    error::CommandError,
    prepared::prepare,
    reloader::Reloader,
};

/// Passes requests to the thread, which handles one after the other.
pub(crate) struct ReloadThread {
    requests: SyncSender<ReloadRequest>,
    history: LoadHistory,
}

struct ReloadRequest {
    /// The command or signal that requested the reload.
    owner: &'static str,
    /// The file that the requester has named, if any.
    named: Option<PathBuf>,
    done: Box<dyn FnOnce(Response) + Send>,
}

impl ReloadThread {
    /// Starts the thread. It reloads `file`, which is in effect now.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start(reloader: Reloader, file: PathBuf) -> io::Result<Self> {
        Self::start_with(reloader, file, is_same_file)
    }

    /// Like [`start`](Self::start), but with another comparison of paths.
    pub(crate) fn start_with(
        mut reloader: Reloader,
        file: PathBuf,
        is_same_file: impl Fn(&Path, &Path) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        let (requests, receiver) = mpsc::sync_channel(MAX_WAITING_REQUESTS);
        let history = LoadHistory::new();
        let thread = thread::Builder::new().name("reload".into());
        let records = history.clone();
        // The thread ends after the last request. It is not joined, because a reload that waits for
        // a file must not delay the end of the agent.
        thread.spawn(move || handle_requests(&mut reloader, &file, is_same_file, &receiver, &records))?;
        Ok(Self { requests, history })
    }

    /// Requests a reload, and returns at once. The reload is refused if `named` is another file
    /// than that of the agent. `done` is called with the outcome, on the thread.
    pub(crate) fn request(
        &self,
        owner: &'static str,
        named: Option<PathBuf>,
        done: impl FnOnce(Response) + Send + 'static,
    ) {
        let request = ReloadRequest { owner, named, done: Box::new(done) };
        if let Err(refused) = self.requests.try_send(request) {
            let (mpsc::TrySendError::Full(request) | mpsc::TrySendError::Disconnected(request)) = refused;
            (request.done)(Response::Refused { reason: "too many reloads wait already".to_owned() });
        }
    }

    /// Returns the record of past reloads.
    pub(crate) fn history(&self) -> &LoadHistory {
        &self.history
    }
}

fn handle_requests(
    reloader: &mut Reloader,
    file: &Path,
    is_same_file: impl Fn(&Path, &Path) -> bool,
    requests: &Receiver<ReloadRequest>,
    history: &LoadHistory,
) {
    for ReloadRequest { owner, named, done } in requests {
        // First, so that the status shows a reload that waits for the disk.
        history.update(|record| record.in_progress = Some(LoadEvent::now(owner)));
        if let Some(named) = named.filter(|named| !is_same_file(file, named)) {
            history.update(|record| record.in_progress = None);
            done(refuse_other_file(file, &named));
            continue;
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| reload(reloader, file, owner)));
        let outcome = match outcome {
            Ok(outcome) => outcome.map_err(ReloadError::Refused),
            Err(_) if reloader.take_interruption() => Err(ReloadError::Interrupted),
            Err(_) => Err(ReloadError::Refused(CommandError::new(PANICKED))),
        };
        history.update(|record| record.finish(owner, &outcome));
        done(respond(file, outcome));
    }
}

/// Reloads the file. A file that contains errors has no effect.
fn reload(reloader: &mut Reloader, file: &Path, owner: &str) -> Result<ReloadOutcome, CommandError> {
    prepare(file).and_then(|prepared| reloader.reload(prepared, owner).map_err(CommandError::new))
}

/// The reason why a reload has failed.
enum ReloadError {
    /// The previous configuration remains in effect.
    Refused(CommandError),
    /// A panic: parts of the new configuration are in effect.
    Interrupted,
}

impl fmt::Display for ReloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::Interrupted => f.write_str(INTERRUPTED),
        }
    }
}

fn refuse_other_file(file: &Path, named: &Path) -> Response {
    let reason = format!(
        "the agent runs with {}, not with {}\nhint: specify the agent's file with --config",
        file.display(),
        named.display()
    );
    Response::Refused { reason }
}

/// Returns whether two paths refer to one file. Waits for the disk, unless the paths are the same.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    absolute(one).is_ok_and(|one| one == other)
        || canonical(one).is_some_and(|one| Some(one) == canonical(other))
}

/// Logs the outcome and converts it to a response.
fn respond(file: &Path, outcome: Result<ReloadOutcome, ReloadError>) -> Response {
    match outcome {
        Ok(outcome) => {
            tracing::info!(file = %file.display(), "configuration reloaded");
            Response::Reloaded(outcome)
        }
        Err(ReloadError::Refused(error)) => {
            tracing::error!("configuration not reloaded; the previous one remains in effect:\n{error}");
            Response::Refused { reason: error.to_string() }
        }
        Err(error @ ReloadError::Interrupted) => {
            tracing::error!("configuration reloaded only in part:\n{error}");
            Response::Interrupted { reason: error.to_string() }
        }
    }
}

/// The record of reloads, shared with the status of the agent.
#[derive(Clone)]
pub(crate) struct LoadHistory(Arc<Mutex<LoadRecord>>);

/// The times at which the configuration was loaded.
#[derive(Clone, Debug)]
pub(crate) struct LoadRecord {
    /// The load of the configuration that is in effect, except for the parts that an interrupted
    /// reload has replaced.
    pub(crate) loaded: LoadEvent,
    /// The settings of that configuration that take effect only after a restart.
    pub(crate) restart_only: Vec<String>,
    /// The reload that has not finished.
    pub(crate) in_progress: Option<LoadEvent>,
    /// The reload that failed, and the reason, unless a later reload succeeded.
    pub(crate) failure: Option<(LoadEvent, String)>,
}

/// The time of a load, and its requester.
#[derive(Clone, Debug)]
pub(crate) struct LoadEvent {
    pub(crate) time: SystemTime,
    pub(crate) owner: &'static str,
}

impl LoadEvent {
    fn now(owner: &'static str) -> Self {
        Self { time: SystemTime::now(), owner }
    }
}

impl LoadHistory {
    fn new() -> Self {
        let loaded = LoadEvent::now("start of the agent");
        Self(Arc::new(Mutex::new(LoadRecord {
            loaded,
            restart_only: Vec::new(),
            in_progress: None,
            failure: None,
        })))
    }

    /// Returns the current record.
    pub(crate) fn read(&self) -> LoadRecord {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn update(&self, change: impl FnOnce(&mut LoadRecord)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl LoadRecord {
    fn finish(&mut self, owner: &'static str, outcome: &Result<ReloadOutcome, ReloadError>) {
        let event = LoadEvent::now(owner);
        self.in_progress = None;
        match outcome {
            Err(error) => self.failure = Some((event, error.to_string())),
            Ok(outcome) => {
                self.loaded = event;
                self.restart_only.clone_from(&outcome.restart_only);
                self.failure = None;
            }
        }
    }
}

/// The text of a panic without effect.
const PANICKED: &str = "the reload has failed because of an error in the agent";
/// The text of a panic while the configuration was replaced.
const INTERRUPTED: &str = "an error in the agent has interrupted the reload: parts of the new configuration are \
    in effect, others may not be\n\
    hint: reload again, or restart the agent";
/// The maximum number of reloads that wait for another one. Each of them reads the file anew, so
/// that more would not change the result.
const MAX_WAITING_REQUESTS: usize = 16;

#[cfg(test)]
mod tests;
