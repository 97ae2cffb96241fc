//! The state of the server for reports.

use portreeve_netconf_message::rpc::Datastore;

use crate::executor::Executor;
use crate::locks::Lock;
use crate::session::Phase;
use crate::sessions::{Counters, Peer, TotalCounters};
use crate::time::DateTime;

/// The sessions and locks of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The sessions by identifier.
    pub sessions: Vec<SessionStatus>,
    /// The locks that are held.
    pub locks: Vec<LockStatus>,
    /// The candidate has changes that are not committed.
    pub is_candidate_modified: bool,
    /// The counters since the start.
    pub totals: TotalCounters,
}

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStatus {
    /// The identifier.
    pub id: u32,
    /// The client.
    pub peer: Peer,
    /// The time at which the session began.
    pub login_time: DateTime,
    /// The rights of the user: `none`, `read`, `write` or `recovery`.
    pub access: &'static str,
    /// The activity of the session; `None` if it has ended.
    pub phase: Option<Phase>,
    /// The messages.
    pub counters: Counters,
}

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockStatus {
    /// The datastore that is locked.
    pub datastore: Datastore,
    /// The holder, and the time since when.
    pub lock: Lock,
}

pub(super) fn status(executor: &Executor, phase: impl Fn(u32) -> Option<Phase>) -> Status {
    let locks = [Datastore::Running, Datastore::Candidate].into_iter();
    let session = |(id, info): (&u32, &crate::sessions::SessionInfo)| SessionStatus {
        id: *id,
        peer: info.peer.clone(),
        login_time: info.login_time,
        access: executor.level(*id).as_str(),
        phase: phase(*id),
        counters: info.counters,
    };
    Status {
        sessions: executor.sessions.iter().map(session).collect(),
        locks: locks
            .filter_map(|datastore| Some(LockStatus { datastore, lock: executor.locks.get(datastore)? }))
            .collect(),
        is_candidate_modified: executor.candidate.is_modified(),
        totals: executor.totals,
    }
}
