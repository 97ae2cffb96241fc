//! The locks of the datastores (RFC 6241 §7.5 and §7.6).

use portreeve_netconf_message::rpc::Datastore;
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};

use crate::time::DateTime;

#[cfg(test)]
mod tests;

/// The holder of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockOwner {
    /// A session, by its identifier.
    Session(u32),
    /// Something else than a session, such as a reload.
    Other,
}

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The holder.
    pub owner: LockOwner,
    /// The time at which it was granted.
    pub since: DateTime,
}

/// The locks that are held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockTable {
    running: Option<Lock>,
    candidate: Option<Lock>,
}

impl LockTable {
    /// Returns the lock on a datastore.
    #[must_use]
    pub fn get(&self, datastore: Datastore) -> Option<Lock> {
        match datastore {
            Datastore::Running => self.running,
            Datastore::Candidate => self.candidate,
        }
    }

    /// Returns the holder of a lock.
    #[must_use]
    pub fn owner(&self, datastore: Datastore) -> Option<LockOwner> {
        self.get(datastore).map(|lock| lock.owner)
    }

    /// Returns true if an owner holds a lock.
    #[must_use]
    pub fn is_held_by(&self, owner: LockOwner) -> bool {
        [self.running, self.candidate].iter().flatten().any(|lock| lock.owner == owner)
    }

    /// Locks a datastore. A candidate that has been modified cannot be locked.
    ///
    /// # Errors
    /// `lock-denied` with the session that holds the lock, also if that is the same session; 0 if
    /// something else prevents the lock.
    pub fn lock(
        &mut self,
        datastore: Datastore,
        owner: LockOwner,
        is_modified: bool,
        now: DateTime,
    ) -> Result<(), RpcError> {
        //= rfc6241#7.5-p1
        if let Some(holder) = self.owner(datastore) {
            return Err(RpcError::lock_denied(holder.session_id()).with_message("the datastore is locked"));
        }
        //= rfc6241#7.5-p2
        if datastore == Datastore::Candidate && is_modified {
            return Err(RpcError::lock_denied(0)
                .with_message("the candidate datastore has changes that are not committed"));
        }
        *self.place(datastore) = Some(Lock { owner, since: now });
        Ok(())
    }

    /// Unlocks a datastore. The changes to a candidate are discarded after that (RFC 6241
    /// §8.3.5.2).
    ///
    /// # Errors
    /// `operation-failed` if `owner` does not hold the lock.
    pub fn unlock(&mut self, datastore: Datastore, owner: LockOwner) -> Result<(), RpcError> {
        let message = match self.owner(datastore) {
            //= rfc6241#7.6-p1
            Some(holder) if holder == owner => {
                *self.place(datastore) = None;
                return Ok(());
            }
            Some(_) => "the lock is held by another session",
            None => "the datastore is not locked",
        };
        Err(RpcError::new(ErrorType::Protocol, ErrorTag::OperationFailed).with_message(message))
    }

    /// Checks that no other owner has locked a datastore that is to be changed.
    ///
    /// # Errors
    /// `in-use`.
    pub fn check_change(&self, datastore: Datastore, owner: LockOwner) -> Result<(), RpcError> {
        match self.owner(datastore) {
            Some(holder) if holder != owner => {
                let message = match holder {
                    LockOwner::Session(id) => format!("the datastore is locked by session {id}"),
                    LockOwner::Other => "the datastore is locked".to_owned(),
                };
                Err(RpcError::new(ErrorType::Protocol, ErrorTag::InUse).with_message(message))
            }
            _ => Ok(()),
        }
    }

    /// Releases a lock, of any holder. Returns the holder.
    pub fn break_lock(&mut self, datastore: Datastore) -> Option<LockOwner> {
        self.place(datastore).take().map(|lock| lock.owner)
    }

    /// Releases all locks of an owner. Returns true if the candidate was among them: its changes
    /// are discarded then.
    //= rfc6241#7.5-p3
    pub fn release_all(&mut self, owner: LockOwner) -> bool {
        let had_candidate = self.owner(Datastore::Candidate) == Some(owner);
        for datastore in [Datastore::Running, Datastore::Candidate] {
            if self.owner(datastore) == Some(owner) {
                *self.place(datastore) = None;
            }
        }
        had_candidate
    }

    fn place(&mut self, datastore: Datastore) -> &mut Option<Lock> {
        match datastore {
            Datastore::Running => &mut self.running,
            Datastore::Candidate => &mut self.candidate,
        }
    }
}

impl LockOwner {
    /// Returns the identifier in `error-info`, which is 0 for owners other than sessions.
    #[must_use]
    pub fn session_id(self) -> u32 {
        match self {
            Self::Session(id) => id,
            Self::Other => 0,
        }
    }
}
