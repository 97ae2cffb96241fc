//! The notifier's thread, and the access of other threads to it.

use std::{
    fmt, io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self as blocking, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use portreeve_channel::LogLimiter;
use portreeve_datastore::StateHandle;
use portreeve_smi::Timestamp;
use portreeve_snmp_engine::{LocalEngine, statistics::Recorder};
use portreeve_store::OpenError;
use tokio::{
    runtime::Builder,
    sync::mpsc,
    task::LocalSet,
    time::{self, MissedTickBehavior, interval_at, timeout},
};

use crate::{
    NotifierSettings, NotifierStatus, OutgoingNotification, SubmitError, Submitted,
    core::{Core, CoreParts, Done},
    disk_queue::{DiskQueue, Stored, Written},
    room::{Room, RoomShare},
};

/// The parts of the agent that the notifier uses.
pub struct NotifierParts {
    /// The identity and the clock of the engine.
    pub local: LocalEngine,
    /// Returns the time of the engine's clock.
    pub now: Box<dyn Fn() -> Timestamp + Send>,
    /// The counters of the notifier.
    pub recorder: Recorder,
    /// The tables.
    pub state: StateHandle,
    /// The settings that are not in the tables.
    pub settings: NotifierSettings,
    /// A digest of the configuration. It differs if the configuration was changed since the last
    /// start.
    pub configuration: Vec<u8>,
}

/// A running notifier. Dropping it stops it at once; informs that wait are sent after the next
/// start.
pub struct Notifier {
    handle: NotifierHandle,
    is_configuration_unchanged: bool,
    thread: Option<JoinHandle<()>>,
}

/// The access of other threads to a notifier. Clones refer to the same notifier.
#[derive(Clone)]
pub struct NotifierHandle {
    commands: mpsc::Sender<Command>,
    /// The memory of the notifications that wait for the thread.
    room: Room,
    /// The number of the agent's own notifications that were discarded, because too many waited.
    discarded: Arc<AtomicU64>,
    log_limiter: Arc<LogLimiter>,
}

enum Command {
    Notify(OutgoingNotification, RoomShare),
    Submit(OutgoingNotification, RoomShare, Done),
    Replace(Arc<NotifierSettings>),
    Status(SyncSender<NotifierStatus>),
    Stop,
}

impl Notifier {
    /// Opens the queues in `directory` and starts the thread, which sends the informs of the last
    /// run first.
    ///
    /// # Errors
    /// If the queues cannot be opened or the thread cannot be started.
    pub fn start(directory: &Path, parts: NotifierParts) -> Result<Self, StartError> {
        let (commands, receiver) = mpsc::channel(MAX_WAITING);
        let (result_sender, results) = mpsc::unbounded_channel();
        let (disk, stored) = DiskQueue::open(directory, result_sender).map_err(StartError::Open)?;
        let NotifierParts { local, now, recorder, state, settings, configuration } = parts;
        let is_configuration_unchanged = stored.configuration.as_ref() == Some(&configuration);
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(StartError::Thread)?;
        let thread = thread::Builder::new().name("notifier".into()).spawn(move || {
            let (wall, settings) = (Box::new(wall_time), Arc::new(settings));
            let parts = CoreParts { local, now, wall, recorder, state, settings };
            let tasks = LocalSet::new();
            tasks.block_on(&runtime, async {
                let core = Rc::new(Core::new(parts, disk));
                if !is_configuration_unchanged {
                    core.store_configuration(&configuration);
                }
                run(&core, stored, receiver, results).await;
            });
            drop(tasks);
            // A read of a file may never end, and must not keep the agent from stopping.
            runtime.shutdown_background();
        });
        let thread = Some(thread.map_err(StartError::Thread)?);
        let handle = NotifierHandle {
            commands,
            room: Room::new(MAX_WAITING_OCTETS),
            discarded: Arc::default(),
            log_limiter: Arc::new(LogLimiter::per_second(1)),
        };
        Ok(Self { handle, is_configuration_unchanged, thread })
    }

    /// Returns true if the configuration is that of the last start, so that the start is a
    /// warmStart (RFC 3418).
    pub fn is_configuration_unchanged(&self) -> bool {
        self.is_configuration_unchanged
    }

    /// Returns the access for other threads.
    pub fn handle(&self) -> NotifierHandle {
        self.handle.clone()
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        // A thread that cannot receive the command ends within the time of a stop.
        let _ = self.handle.commands.blocking_send(Command::Stop);
        // A panic of the thread has already been printed.
        let _ = thread.join();
    }
}

impl NotifierHandle {
    /// Sends a notification of the agent itself. It is not waited for. If the informs cannot be
    /// stored, they are sent nevertheless.
    pub fn notify(&self, notification: OutgoingNotification) {
        let share = self.room.take(notification.octets());
        let sent = share.map(|share| self.commands.try_send(Command::Notify(notification, share)));
        if !matches!(sent, Some(Ok(()))) {
            let discarded = self.discarded.fetch_add(1, Ordering::Relaxed) + 1;
            if self.log_limiter.allow(Instant::now()).is_some() {
                tracing::warn!(discarded, "notifications of the agent are discarded, because too many wait");
            }
        }
    }

    /// Sends a notification of another program. `done` is called when its informs are durable, and
    /// at once if it is refused. It is dropped if the notifier stops before.
    pub fn submit(
        &self,
        notification: OutgoingNotification,
        done: impl FnOnce(Result<Submitted, SubmitError>) + Send + 'static,
    ) {
        let Some(share) = self.room.take(notification.octets()) else { return done(Err(SubmitError::Busy)) };
        let command = Command::Submit(notification, share, Box::new(done));
        if let Err(refused) = self.commands.try_send(command)
            && let Command::Submit(_, _, done) = refused.into_inner()
        {
            done(Err(SubmitError::Busy));
        }
    }

    /// Replaces the settings, after the tables of the same configuration have been published.
    pub fn replace_settings(&self, settings: NotifierSettings) {
        // Blocking: settings must not be lost, and the thread never waits for the disk.
        let _ = self.commands.blocking_send(Command::Replace(Arc::new(settings)));
    }

    /// Returns the condition of all targets; `None` if the thread does not answer in time.
    pub fn status(&self, max_wait: Duration) -> Option<NotifierStatus> {
        let (sender, receiver) = blocking::sync_channel(1);
        self.commands.try_send(Command::Status(sender)).ok()?;
        let status = receiver.recv_timeout(max_wait).ok()?;
        Some(NotifierStatus { discarded: self.discarded.load(Ordering::Relaxed), ..status })
    }
}

async fn run(
    core: &Rc<Core>,
    stored: Stored,
    mut commands: mpsc::Receiver<Command>,
    mut results: mpsc::UnboundedReceiver<Written>,
) {
    core.restore(stored);
    let mut ticks = interval_at(time::Instant::now() + TICK_INTERVAL, TICK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => guard(|| core.tick()),
            Some(written) = results.recv() => guard(|| core.written(written)),
            command = commands.recv() => match command {
                Some(Command::Stop) | None => break,
                Some(command) => guard(|| handle(core, command)),
            },
        }
    }
    let _ = timeout(MAX_STOP_TIME, core.stop()).await;
}

/// Returns the seconds since 1970.
fn wall_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn handle(core: &Rc<Core>, command: Command) {
    match command {
        Command::Notify(notification, share) => {
            core.notify(&notification);
            drop(share);
        }
        Command::Submit(notification, share, done) => {
            core.submit(&notification, done);
            drop(share);
        }
        Command::Replace(settings) => core.replace_settings(settings),
        Command::Status(answer) => {
            // The thread that asked may no longer wait.
            let _ = answer.try_send(core.status());
        }
        Command::Stop => {}
    }
}

/// Runs a function. If it panics, the notification that it handles is lost, and the notifier goes
/// on.
fn guard(function: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(function)).is_err() {
        // The panic has already been printed.
        tracing::error!("the notifier has panicked: a notification is lost");
    }
}

/// An error that prevents the notifier from starting.
#[derive(Debug)]
pub enum StartError {
    /// The queues cannot be opened.
    Open(OpenError),
    /// The thread cannot be started.
    Thread(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => write!(f, "the queues of informs: {error}"),
            Self::Thread(error) => write!(f, "cannot start the thread for notifications: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

/// The maximum number of notifications that wait for the thread, and of their octets.
const MAX_WAITING: usize = 4096;
const MAX_WAITING_OCTETS: usize = 8 << 20;
/// The time after which a changed clock of the system is noticed.
const TICK_INTERVAL: Duration = Duration::from_secs(10);
/// The maximum time for closing all sessions.
const MAX_STOP_TIME: Duration = Duration::from_secs(2);
