//! The sessions of the server, and what they share.
//!
//! ```text
//! octets ─▶ receive ─▶ Session ─▶ Executor ─▶ take_actions ─▶ the program: transactions, log
//! octets ◀─ produce ◀─ Session ◀─ complete ◀────────────────────┘
//! ```

mod status;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use portreeve_datastore::{Model, State, TransactionResult};
use portreeve_netconf_message::rpc::Datastore;
use portreeve_yang_tree::TreeSize;

pub use status::{LockStatus, SessionStatus, Status};

use crate::access::NodeRules;
use crate::action::{Action, EndReason, TransactionId};
use crate::candidate::Candidate;
use crate::capabilities::capabilities;
use crate::executor::Executor;
use crate::locks::{LockOwner, LockTable};
use crate::session::{CloseReason, Phase, Session};
use crate::sessions::{Peer, SessionInfo, TotalCounters};
use crate::state::library_tree;
use crate::time::DateTime;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Maximum number of sessions at one time.
    pub max_sessions: usize,
    /// The users that no rule of access control restricts.
    pub recovery: BTreeSet<Arc<str>>,
    /// The time at which the server started.
    pub start_time: DateTime,
    /// The identifier of the first session, at least 1. It is greater than 1 if the server replaces
    /// another one of the same process, because identifiers are not used twice.
    pub first_session: u32,
}

/// A NETCONF server: all sessions of a process.
///
/// It does no I/O. After each call, the program takes the actions that the call has caused.
pub struct Server {
    executor: Executor,
    sessions: BTreeMap<u32, Session<Executor>>,
    max_sessions: usize,
    next_id: u32,
}

/// A session cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There are as many sessions as permitted.
    TooManySessions,
    /// All identifiers have been used.
    NoIdentifier,
}

impl Server {
    /// Creates a server of the data that `model` describes, in their present state.
    #[must_use]
    pub fn new(model: Arc<Model>, state: Arc<State>, settings: Settings) -> Self {
        let schema = Arc::clone(model.schema());
        Self {
            executor: Executor {
                rules: NodeRules::new(&schema),
                recovery: settings.recovery,
                state,
                capabilities: capabilities(&schema).into(),
                library: library_tree(&schema),
                schema,
                model,
                candidate: Candidate::default(),
                quota: TreeSize::MAX,
                locks: LockTable::default(),
                sessions: BTreeMap::new(),
                octets_in_flight: 0,
                pending: BTreeMap::new(),
                transactions: 0,
                actions: Vec::new(),
                ended: Vec::new(),
                totals: TotalCounters::default(),
                start_time: settings.start_time,
                now: settings.start_time,
            },
            sessions: BTreeMap::new(),
            max_sessions: settings.max_sessions,
            next_id: settings.first_session.max(1),
        }
    }

    /// Sets the published state, on which requests are executed from now on. To be called before
    /// each batch of other calls, and before [`Self::complete`].
    pub fn set_state(&mut self, state: Arc<State>) {
        self.executor.state = state;
    }

    /// Replaces the users that no rule of access control restricts, after a reload.
    pub fn set_recovery(&mut self, recovery: BTreeSet<Arc<str>>) {
        self.executor.recovery = recovery;
    }

    /// Returns the identifier of the next session.
    #[must_use]
    pub fn next_session(&self) -> u32 {
        self.next_id
    }

    /// Begins a session. Its hello is the first output.
    ///
    /// # Errors
    /// If there are too many sessions.
    pub fn open(&mut self, peer: Peer, now: DateTime) -> Result<u32, OpenError> {
        if self.sessions.len() >= self.max_sessions {
            return Err(OpenError::TooManySessions);
        }
        let id = self.next_id;
        self.next_id = id.checked_add(1).ok_or(OpenError::NoIdentifier)?;
        self.sessions.insert(id, Session::new(id, self.executor.capabilities.iter()));
        let info = SessionInfo::new(peer, now);
        self.executor.sessions.insert(id, info);
        let totals = &mut self.executor.totals;
        totals.sessions = totals.sessions.wrapping_add(1);
        Ok(id)
    }

    /// Handles octets of a session and removes them from `input`, until a request is complete.
    ///
    /// # Errors
    /// The reason to close the session at once. The program calls [`Self::closed`] then.
    pub fn receive(&mut self, id: u32, input: &mut &[u8], now: DateTime) -> Result<Phase, CloseReason> {
        self.executor.now = now;
        let session = self.sessions.get_mut(&id).ok_or(CloseReason::Ended)?;
        let result = session.receive(input, &mut self.executor);
        let phase = session.phase();
        if matches!(result, Err(CloseReason::Hello(_))) {
            let totals = &mut self.executor.totals;
            totals.bad_hellos = totals.bad_hellos.wrapping_add(1);
        }
        self.remove_ended();
        result.map(|()| phase)
    }

    /// Returns what a session is doing; `None` if it has ended.
    #[must_use]
    pub fn phase(&self, id: u32) -> Option<Phase> {
        self.sessions.get(&id).map(Session::phase)
    }

    /// Returns true while octets of a session can be handled.
    #[must_use]
    pub fn wants_input(&self, id: u32) -> bool {
        self.sessions.get(&id).is_some_and(Session::wants_input)
    }

    /// Returns true if a session is to be closed after its output.
    #[must_use]
    pub fn is_closing(&self, id: u32) -> bool {
        self.sessions.get(&id).is_none_or(Session::is_closing)
    }

    /// Returns true if a session holds a lock.
    #[must_use]
    pub fn holds_lock(&self, id: u32) -> bool {
        self.executor.locks.is_held_by(LockOwner::Session(id))
    }

    /// Returns true if a request of a session has begun and its reply has not been produced
    /// completely.
    #[must_use]
    pub fn has_unanswered(&self, id: u32) -> bool {
        self.sessions.get(&id).is_some_and(Session::has_unanswered)
    }

    /// Returns the next octets for the peer of a session, about 64 KB at most. Empty if there are
    /// none now. While [`Self::phase`] is [`Phase::Replying`], the program calls it again later.
    ///
    /// # Errors
    /// The reason to close the session at once.
    pub fn produce(&mut self, id: u32) -> Result<Vec<u8>, CloseReason> {
        let session = self.sessions.get_mut(&id).ok_or(CloseReason::Ended)?;
        session.produce(&mut self.executor)
    }

    /// Ends a session whose connection is closed. Its locks are released.
    pub fn closed(&mut self, id: u32) {
        self.sessions.remove(&id);
        self.executor.end_session(id, false);
    }

    /// Returns the effects that the last calls have caused, in their order.
    #[must_use]
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.executor.actions)
    }

    /// Passes the result of [`Action::Commit`], after [`Self::set_state`] with the state that the
    /// transaction has published. The session may have ended before. Has no effect if the result
    /// has been passed already.
    pub fn complete(&mut self, transaction: TransactionId, result: TransactionResult) {
        let Some(execution) = self.executor.complete(transaction, result) else { return };
        if let Some(session) = self.sessions.get_mut(&transaction.session) {
            session.complete(execution, &mut self.executor);
        }
    }

    /// Ends a session for the operator. Returns false if it does not exist. An [`Action::Close`]
    /// follows.
    pub fn kill(&mut self, session: u32) -> bool {
        let is_killed = self.executor.kill(session, EndReason::KilledByOperator);
        self.remove_ended();
        is_killed
    }

    /// Releases a lock for the operator. Returns false if it is not held. The changes of the
    /// candidate are discarded with its lock.
    pub fn break_lock(&mut self, datastore: Datastore) -> bool {
        self.executor.break_lock(datastore)
    }

    /// Returns the sessions and locks, for reports.
    #[must_use]
    pub fn status(&self) -> Status {
        status::status(&self.executor, |id| self.phase(id))
    }

    fn remove_ended(&mut self) {
        for id in self.executor.ended.drain(..) {
            self.sessions.remove(&id);
        }
    }
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooManySessions => "too many NETCONF sessions",
            Self::NoIdentifier => "all session identifiers have been used",
        })
    }
}

impl std::error::Error for OpenError {}
