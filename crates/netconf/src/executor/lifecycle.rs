//! Locks, and the end of sessions.

use portreeve_netconf_message::rpc::Datastore;
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};

use super::Executor;
use crate::action::{Action, EndReason};
use crate::locks::LockOwner;
use crate::read::ReplyData;
use crate::{Datastores, Execution};

impl Executor {
    /// Executes `lock` (RFC 6241 §7.5).
    pub(super) fn lock(
        &mut self,
        session: u32,
        datastore: Datastore,
    ) -> Result<Execution<ReplyData>, RpcError> {
        let owner = LockOwner::Session(session);
        self.locks.lock(datastore, owner, self.candidate.is_modified(), self.now)?;
        self.report_running_lock(datastore);
        Ok(Execution::Ok)
    }

    /// Executes `unlock` (RFC 6241 §7.6).
    pub(super) fn unlock(
        &mut self,
        session: u32,
        datastore: Datastore,
    ) -> Result<Execution<ReplyData>, RpcError> {
        self.locks.unlock(datastore, LockOwner::Session(session))?;
        //= rfc6241#8.3.5.2-p1
        if datastore == Datastore::Candidate {
            self.candidate.discard();
        }
        self.report_running_lock(datastore);
        Ok(Execution::Ok)
    }

    /// Executes `kill-session` (RFC 6241 §7.9).
    pub(super) fn kill_session(
        &mut self,
        session: u32,
        other: u32,
    ) -> Result<Execution<ReplyData>, RpcError> {
        if self.kill(other, EndReason::KilledBySession(session)) {
            return Ok(Execution::Ok);
        }
        Err(RpcError::new(ErrorType::Protocol, ErrorTag::InvalidValue)
            .with_message("there is no session with this identifier"))
    }

    /// Ends a session for another reason than its own request. Returns false if it does not exist.
    //= rfc6241#7.9-p2
    pub(crate) fn kill(&mut self, session: u32, reason: EndReason) -> bool {
        if !self.end_session(session, true) {
            return false;
        }
        self.ended.push(session);
        self.actions.push(Action::Close { session, reason });
        true
    }

    /// Releases everything that belongs to a session. `is_orderly` is true if a client or the
    /// operator has requested its end. Returns false if it has ended already.
    pub(crate) fn end_session(&mut self, session: u32, is_orderly: bool) -> bool {
        self.release_octets(session);
        if self.sessions.remove(&session).is_none() {
            return false;
        }
        if !is_orderly {
            self.totals.dropped_sessions = self.totals.dropped_sessions.wrapping_add(1);
        }
        let had_running = self.locks.owner(Datastore::Running) == Some(LockOwner::Session(session));
        //= rfc6241#8.3.5.2-p1
        if self.locks.release_all(LockOwner::Session(session)) {
            self.candidate.discard();
        }
        if had_running {
            self.report_running_lock(Datastore::Running);
        }
        true
    }

    /// Releases a lock for the operator. Returns false if it is not held.
    pub(crate) fn break_lock(&mut self, datastore: Datastore) -> bool {
        if self.locks.break_lock(datastore).is_none() {
            return false;
        }
        if datastore == Datastore::Candidate {
            self.candidate.discard();
        }
        self.report_running_lock(datastore);
        true
    }

    /// Reports the lock on the running configuration to the program, after a lock has changed.
    fn report_running_lock(&mut self, changed: Datastore) {
        if changed == Datastore::Running {
            let holder = self.locks.owner(Datastore::Running).map(LockOwner::session_id);
            self.actions.push(Action::RunningLock(holder));
        }
    }
}
