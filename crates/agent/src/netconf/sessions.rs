//! The sessions of the NETCONF thread: the server, and the pipe of each session.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    rc::Rc,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use portreeve_datastore::{
    Datastore, PushError, Refusal, RefusalKind, RunningLockHolder, State, StateHandle, TransactionResult,
    TreeEdit,
};
use portreeve_netconf::{Action, DateTime, EndReason, Peer, Phase, Server, TransactionId};
use portreeve_smi::SecurityModel;
use portreeve_transport::CloseReason;

use super::{
    INPUT_PIECE,
    edit_log::EditLogger,
    event_queue::{Event, EventQueue},
    pipe::{Condition, End, Pipe, Turn},
};
use crate::datastore_thread::{EditJob, Job, JobQueue};

/// The sessions and the server. Everything here is discarded after a panic.
pub(super) struct Sessions {
    server: Server,
    /// The sessions by the number that the transport has given them.
    sessions: HashMap<u64, Session>,
    /// The numbers of the transport by NETCONF identifier.
    numbers: BTreeMap<u32, u64>,
    /// The sessions that wait for their turn.
    ready: VecDeque<u64>,
    shared: Rc<SharedParts>,
    generation: u64,
}

/// The parts of the agent that the thread uses.
pub(super) struct SharedParts {
    pub(super) datastore: Datastore,
    pub(super) jobs: JobQueue,
    pub(super) events: Arc<EventQueue>,
    pub(super) log: EditLogger,
}

struct Session {
    /// The NETCONF identifier.
    id: u32,
    peer: Peer,
    pipe: Pipe,
    /// Octets from the pipe, and the number of those that the server has handled.
    input: Vec<u8>,
    handled: usize,
    phase: Phase,
}

impl Sessions {
    pub(super) fn new(server: Server, shared: Rc<SharedParts>) -> Self {
        let generation = shared.datastore.state().current().generation;
        Self {
            server,
            sessions: HashMap::new(),
            numbers: BTreeMap::new(),
            ready: VecDeque::new(),
            shared,
            generation,
        }
    }

    pub(super) fn server(&self) -> &Server {
        &self.server
    }

    pub(super) fn server_mut(&mut self) -> &mut Server {
        &mut self.server
    }

    /// Returns true if a session waits for its turn.
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns true if a request is being executed or answered.
    pub(super) fn has_unanswered(&self) -> bool {
        self.sessions.values().any(|session| session.pipe.has_unanswered())
    }

    /// Begins a session.
    pub(super) fn open(&mut self, number: u64, peer: Peer, pipe: Pipe) {
        self.follow_state();
        let id = match self.server.open(peer.clone(), now()) {
            Ok(id) => id,
            Err(error) => {
                tracing::warn!(peer = %peer.address, %error, "NETCONF session refused");
                return pipe.end(End::Now(CloseReason::Evicted));
            }
        };
        tracing::info!(session = id, user = %quoted(&peer), peer = %peer.address, "NETCONF session opened");
        self.numbers.insert(id, number);
        let session = Session { id, peer, pipe, input: Vec::new(), handled: 0, phase: Phase::Hello };
        session.pipe.schedule();
        self.sessions.insert(number, session);
        self.ready.push_back(number);
        self.carry_out_actions();
    }

    /// Records that a session has octets, or room for output.
    pub(super) fn set_ready(&mut self, number: u64) {
        self.ready.push_back(number);
    }

    /// Removes a session whose connection is closed.
    pub(super) fn close(&mut self, number: u64) {
        let Some(session) = self.sessions.remove(&number) else { return };
        tracing::info!(
            session = session.id,
            user = %quoted(&session.peer),
            peer = %session.peer.address,
            "NETCONF session closed"
        );
        self.numbers.remove(&session.id);
        self.server.closed(session.id);
        self.carry_out_actions();
    }

    /// Ends a session for the operator. Returns false if there is none with this identifier.
    pub(super) fn kill(&mut self, id: u32) -> bool {
        let is_killed = self.server.kill(id);
        self.carry_out_actions();
        is_killed
    }

    /// Passes the result of a transaction to its session.
    pub(super) fn complete(&mut self, transaction: TransactionId, result: TransactionResult) {
        self.follow_state();
        self.server.complete(transaction, result);
        self.carry_out_actions();
        if let Some(&number) = self.numbers.get(&transaction.session())
            && self.sessions.get(&number).is_some_and(|session| session.pipe.schedule())
        {
            self.ready.push_back(number);
        }
    }

    /// Gives the next session its turn: handles a piece of its input, and produces a piece of
    /// output.
    pub(super) fn serve_next(&mut self) {
        let Some(number) = self.ready.pop_front() else { return };
        let Some(session) = self.sessions.get(&number) else { return };
        session.pipe.begin_turn();
        self.follow_state();
        let outcome = self.serve(number);
        self.carry_out_actions();
        match outcome {
            Ok(true) => {
                if self.sessions.get(&number).is_some_and(|session| session.pipe.schedule()) {
                    self.ready.push_back(number);
                }
            }
            Ok(false) => {}
            Err(reason) => self.end(number, reason),
        }
    }

    /// Returns true if the session wants another turn.
    fn serve(&mut self, number: u64) -> Result<bool, CloseReason> {
        let Some(session) = self.sessions.get_mut(&number) else { return Ok(false) };
        let id = session.id;
        if self.server.phase(id).is_none() {
            // The session has ended, and its connection is about to be closed.
            return Ok(false);
        }
        session.receive(&mut self.server)?;
        let mut piece = Vec::new();
        let accepts_output = session.pipe.accepts_output();
        if accepts_output {
            piece = self.server.produce(id).map_err(|error| close_reason(session, &error))?;
        }
        // The client must not see the reply to a `lock` while SNMP can still change the
        // configuration, except that a change which takes very long is logged and not waited for.
        self.carry_out_actions();
        let Some(session) = self.sessions.get_mut(&number) else { return Ok(false) };
        let phase = self.server.phase(id).unwrap_or(Phase::Closing);
        let is_closing = self.server.is_closing(id) && accepts_output && piece.is_empty();
        let has_output = !piece.is_empty();
        // The hello was accepted, or a request was answered.
        let is_accepted = session.phase == Phase::Hello && phase != Phase::Hello;
        let has_progress = is_accepted || (has_output && matches!(phase, Phase::Idle | Phase::Closing));
        session.phase = phase;
        let condition = Condition { phase, holds_lock: holds_lock(&self.server, id) };
        let is_handling = session.has_input();
        session.pipe.update(Turn { piece, condition, has_progress, is_handling });
        if is_closing {
            session.pipe.end(End::AfterOutput);
            return Ok(false);
        }
        // Octets that came during this turn have not scheduled the session.
        let has_input = (session.has_input() || session.pipe.has_input()) && self.server.wants_input(id);
        let has_more = has_output || matches!(phase, Phase::Replying | Phase::Closing);
        Ok(has_input || (has_more && session.pipe.accepts_output()))
    }

    /// Carries out what the server has requested.
    fn carry_out_actions(&mut self) {
        loop {
            let actions = self.server.take_actions();
            if actions.is_empty() {
                return;
            }
            for action in actions {
                match action {
                    Action::Commit { transaction, user, edit } => self.commit(transaction, &user, edit),
                    Action::Close { session, reason } => self.kill_connection(session, reason),
                    Action::RunningLock(holder) => self.set_running_lock(holder),
                    Action::Log(edit) => self.shared.log.log(&edit),
                }
            }
        }
    }

    /// Passes an edit to the datastore's thread. If too many changes wait there, it is refused.
    fn commit(&mut self, transaction: TransactionId, user: &Arc<str>, edit: TreeEdit) {
        let number = self.numbers.get(&transaction.session());
        let address =
            number.and_then(|number| self.sessions.get(number)).map(|session| &session.peer.address);
        let owner = match address {
            Some(address) => format!("{user} at {address}").into(),
            None => Arc::clone(user),
        };
        let mut report =
            ResultReport { events: Arc::clone(&self.shared.events), transaction: Some(transaction) };
        let job = Job::Edit(EditJob { edit, owner, done: Box::new(move |result| report.send(result)) });
        let principal = (SecurityModel::TSM, user.as_bytes().into());
        let refusal = match self.shared.jobs.push(job, EditJob::OCTETS, principal) {
            Ok(()) => return,
            Err(PushError::Closed) => {
                Refusal::new(RefusalKind::ResourceUnavailable, "the agent is shutting down")
            }
            Err(full @ (PushError::Full(_) | PushError::ShareUsed(_))) => {
                Refusal::new(RefusalKind::ResourceUnavailable, full.to_string())
            }
        };
        // The refused job has reported an internal error, which has no effect after this.
        self.server.complete(transaction, Err(refusal));
    }

    fn kill_connection(&mut self, id: u32, reason: EndReason) {
        let Some(&number) = self.numbers.get(&id) else { return };
        let Some(session) = self.sessions.get(&number) else { return };
        match reason {
            EndReason::KilledBySession(by) => {
                tracing::info!(session = id, user = %quoted(&session.peer), by, "NETCONF session killed");
            }
            EndReason::KilledByOperator => {
                tracing::info!(session = id, user = %quoted(&session.peer), by = "operator", "NETCONF session killed");
            }
        }
        session.pipe.end(End::Now(CloseReason::Killed));
    }

    fn set_running_lock(&self, holder: Option<u32>) {
        let holder = holder.map(|id| {
            let session = self.numbers.get(&id).and_then(|number| self.sessions.get(number));
            let owner = session.map(|session| format!("{} at {}", session.peer.user, session.peer.address));
            RunningLockHolder { session: id, owner: owner.unwrap_or_default().into() }
        });
        let (is_held, lock) = (holder.is_some(), self.shared.datastore.running_lock());
        // Only a lock waits for changes, its release does not.
        let max_wait = if is_held { MAX_LOCK_WAIT } else { Duration::ZERO };
        if !lock.set(holder, max_wait) && is_held {
            tracing::warn!("a change was being stored when a session has locked the running configuration");
        }
    }

    fn end(&mut self, number: u64, reason: CloseReason) {
        if let Some(session) = self.sessions.get(&number) {
            session.pipe.end(End::Now(reason));
            // Its locks are released at once.
            self.server.closed(session.id);
            self.carry_out_actions();
        }
    }

    /// Ends all sessions at once.
    pub(super) fn end_all(&self, reason: CloseReason) {
        self.sessions.values().for_each(|session| session.pipe.end(End::Now(reason)));
    }

    /// Passes the current state to the server if it has changed.
    fn follow_state(&mut self) {
        let state: Arc<State> = state_of(self.shared.datastore.state());
        if state.generation != self.generation {
            self.generation = state.generation;
            self.server.set_state(state);
        }
    }
}

impl Session {
    /// Passes the next piece of input to the server.
    fn receive(&mut self, server: &mut Server) -> Result<(), CloseReason> {
        if !server.wants_input(self.id) {
            return Ok(());
        }
        if self.handled >= self.input.len() {
            self.input = self.pipe.take_input();
            self.handled = 0;
        }
        let rest = self.input.get(self.handled..).unwrap_or_default();
        let mut piece = rest.get(..INPUT_PIECE).unwrap_or(rest);
        if piece.is_empty() {
            return Ok(());
        }
        let length = piece.len();
        let received = server.receive(self.id, &mut piece, now());
        self.handled += length - piece.len();
        if self.handled >= self.input.len() {
            self.input = Vec::new();
            self.handled = 0;
        }
        received.map(|_| ()).map_err(|error| close_reason(self, &error))
    }

    fn has_input(&self) -> bool {
        self.handled < self.input.len()
    }
}

/// Reports the result of a transaction. If it is dropped before, for example because of a panic,
/// the session gets an internal error.
struct ResultReport {
    events: Arc<EventQueue>,
    transaction: Option<TransactionId>,
}

impl ResultReport {
    fn send(&mut self, result: TransactionResult) {
        if let Some(transaction) = self.transaction.take() {
            self.events.push(Event::Committed { transaction, result });
        }
    }
}

impl Drop for ResultReport {
    fn drop(&mut self) {
        self.send(Err(RefusalKind::Internal.into()));
    }
}

/// Logs the error that ends a session, and returns the reason for the transport.
fn close_reason(session: &Session, error: &portreeve_netconf::CloseReason) -> CloseReason {
    tracing::info!(
        session = session.id,
        user = %quoted(&session.peer),
        peer = %session.peer.address,
        %error,
        "NETCONF session closed because of an error"
    );
    match error {
        portreeve_netconf::CloseReason::Data => CloseReason::Error,
        portreeve_netconf::CloseReason::Ended => CloseReason::Killed,
        _ => CloseReason::MalformedMessage,
    }
}

fn holds_lock(server: &Server, id: u32) -> bool {
    server.holds_lock(id)
}

fn quoted(peer: &Peer) -> String {
    crate::set_log::QuotedName(peer.user.as_bytes()).to_string()
}

fn state_of(handle: &StateHandle) -> Arc<State> {
    handle.current()
}

/// Returns the time of the machine.
pub(super) fn now() -> DateTime {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    DateTime::from_unix_seconds(elapsed.as_secs())
}

/// The maximum time for which the thread waits until a change that is being stored has ended,
/// before it grants the lock on running.
pub(super) const MAX_LOCK_WAIT: Duration = Duration::from_secs(1);
