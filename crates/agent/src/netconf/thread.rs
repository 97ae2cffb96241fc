//! The NETCONF thread: waits for events, and gives each session its turn.
//!
//! A panic closes all sessions, because they share the server, which is replaced by a new one. The
//! changes that the datastore's thread executes are not affected. The identifiers of the new
//! sessions continue those of the old ones.

use std::{
    collections::{BTreeSet, VecDeque},
    convert::Infallible,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use portreeve_datastore::Datastore;
use portreeve_netconf::{DateTime, Server, Settings};
use portreeve_transport::CloseReason;

use super::{
    edit_log::EditLogger,
    event_queue::{Event, EventQueue},
    service::NetconfService,
    sessions::{Sessions, SharedParts, now},
    status::NetconfStatus,
};
use crate::datastore_thread::JobQueue;

/// The options of NETCONF.
#[derive(Clone, Debug)]
pub(crate) struct NetconfSettings {
    pub(crate) recovery: BTreeSet<Arc<str>>,
    pub(crate) lock_idle: Duration,
    pub(crate) max_sessions: usize,
}

/// The running thread, and the path of requests to it. Clones refer to the same thread.
#[derive(Clone)]
pub(crate) struct NetconfHandle(Arc<EventQueue>);

/// The running thread. Dropping it ends the thread without waiting.
pub(crate) struct NetconfThread {
    events: Arc<EventQueue>,
    service: Arc<NetconfService>,
    /// Disconnected when the thread has ended. Nothing is sent.
    ended: mpsc::Receiver<Infallible>,
    handle: Option<JoinHandle<()>>,
}

impl NetconfThread {
    /// Starts the thread. `jobs` is the queue of the datastore's thread.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start(datastore: Datastore, jobs: JobQueue, settings: NetconfSettings) -> io::Result<Self> {
        let events = Arc::new(EventQueue::default());
        let service = Arc::new(NetconfService {
            events: Arc::clone(&events),
            lock_idle: settings.lock_idle,
            max_sessions: settings.max_sessions,
            sessions: Arc::default(),
        });
        let shared = SharedParts { datastore, jobs, events: Arc::clone(&events), log: EditLogger::default() };
        let (running, ended) = mpsc::channel();
        let handle = thread::Builder::new().name("netconf".into()).spawn(move || {
            // Dropped last, also by a panic.
            let _running = running;
            ServerLoop::new(Rc::new(shared), settings).run();
        })?;
        Ok(Self { events, service, ended, handle: Some(handle) })
    }

    /// Returns the service for listeners.
    pub(crate) fn service(&self) -> Arc<NetconfService> {
        Arc::clone(&self.service)
    }

    /// Returns the path of requests to the thread.
    pub(crate) fn handle(&self) -> NetconfHandle {
        NetconfHandle(Arc::clone(&self.events))
    }

    /// Waits until the requests that are being executed are answered, and ends the thread. Waits at
    /// most `max_wait`.
    pub(crate) fn finish(mut self, max_wait: Duration) {
        self.events.push(Event::Stop);
        if self.ended.recv_timeout(max_wait) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!(seconds = max_wait.as_secs(), "NETCONF requests have not ended in time");
            return;
        }
        // A panic of the thread is in the log.
        let _ = self.handle.take().map(JoinHandle::join);
    }
}

impl Drop for NetconfThread {
    fn drop(&mut self) {
        self.events.push(Event::Stop);
    }
}

impl NetconfHandle {
    /// Replaces the recovery users.
    pub(crate) fn set_recovery_users(&self, users: BTreeSet<Arc<str>>) {
        self.0.push(Event::RecoveryUsers(users));
    }

    /// Returns the status; `None` if the thread does not answer in time.
    pub(crate) fn status(&self, max_wait: Duration) -> Option<NetconfStatus> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.0.push(Event::Status(Box::new(move |status| drop(sender.send(status)))));
        receiver.recv_timeout(max_wait).ok()
    }

    /// Ends a session. `done` is called on the thread, with false if the session does not exist.
    pub(crate) fn kill(&self, session: u32, done: impl FnOnce(bool) + Send + 'static) {
        self.0.push(Event::Kill(session, Box::new(done)));
    }
}

/// The loop of the thread.
struct ServerLoop {
    sessions: Sessions,
    shared: Rc<SharedParts>,
    settings: NetconfSettings,
    start_time: DateTime,
    panics: u64,
    is_stopping: bool,
}

impl ServerLoop {
    fn new(shared: Rc<SharedParts>, settings: NetconfSettings) -> Self {
        let start_time = now();
        let server = new_server(&shared, &settings, start_time, 1);
        let sessions = Sessions::new(server, Rc::clone(&shared));
        Self { sessions, shared, settings, start_time, panics: 0, is_stopping: false }
    }

    /// Serves sessions until the agent stops.
    fn run(&mut self) {
        while !(self.is_stopping && !self.sessions.has_ready() && !self.sessions.has_unanswered()) {
            let max_wait = match (self.sessions.has_ready(), self.is_stopping) {
                (true, _) => Duration::ZERO,
                (false, true) => STOP_POLL,
                (false, false) => MAX_WAIT,
            };
            let mut events = self.shared.events.take(max_wait);
            let served = catch_unwind(AssertUnwindSafe(|| {
                self.handle(&mut events);
                self.serve_ready();
            }));
            if served.is_err() {
                self.restart(events);
            }
        }
    }

    fn handle(&mut self, events: &mut VecDeque<Event>) {
        while let Some(event) = events.pop_front() {
            match event {
                Event::Opened { session, peer, pipe } => self.sessions.open(session, peer, pipe),
                Event::Ready(session) => self.sessions.set_ready(session),
                Event::Closed(session) => self.sessions.close(session),
                Event::Committed { transaction, result } => self.sessions.complete(transaction, result),
                Event::RecoveryUsers(users) => {
                    self.settings.recovery.clone_from(&users);
                    self.sessions.server_mut().set_recovery(users);
                }
                Event::Status(done) => {
                    done(NetconfStatus { server: self.sessions.server().status(), panics: self.panics });
                }
                Event::Kill(session, done) => done(self.sessions.kill(session)),
                Event::Stop => self.is_stopping = true,
            }
        }
    }

    /// Gives sessions their turns, for a short time: then events come first.
    fn serve_ready(&mut self) {
        let end = Instant::now() + MAX_TURNS_TIME;
        while self.sessions.has_ready() {
            self.sessions.serve_next();
            if Instant::now() >= end {
                return;
            }
        }
    }

    /// Ends all sessions after a panic, and replaces the server. The events that were not handled
    /// stay, but those of the old sessions have no effect.
    fn restart(&mut self, events: VecDeque<Event>) {
        tracing::error!("a panic occurred in the NETCONF server; all its sessions are closed");
        self.panics += 1;
        self.sessions.end_all(CloseReason::Panic);
        self.shared.datastore.running_lock().set(None, Duration::ZERO);
        let next_session = self.sessions.server().next_session();
        let server = new_server(&self.shared, &self.settings, self.start_time, next_session);
        self.sessions = Sessions::new(server, Rc::clone(&self.shared));
        let mut events = events;
        if catch_unwind(AssertUnwindSafe(|| self.handle(&mut events))).is_err() {
            tracing::error!("a second panic occurred in the NETCONF server");
        }
    }
}

fn new_server(shared: &SharedParts, settings: &NetconfSettings, start_time: DateTime, first: u32) -> Server {
    let settings = Settings {
        max_sessions: settings.max_sessions,
        recovery: settings.recovery.clone(),
        start_time,
        first_session: first,
    };
    let datastore = &shared.datastore;
    Server::new(Arc::clone(datastore.model()), datastore.state().current(), settings)
}

/// The time after which the thread looks for events without being notified.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// The interval at which the thread checks whether all requests are answered when the agent stops.
const STOP_POLL: Duration = Duration::from_millis(10);
/// The maximum time for which sessions have turns before the thread handles events.
const MAX_TURNS_TIME: Duration = Duration::from_millis(5);

#[cfg(test)]
mod tests;
