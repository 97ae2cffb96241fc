//! A user whose keys are known for some engines only, each localized to its engine.

use std::collections::BTreeMap;

use portreeve_smi::{EngineId, SecurityLevel};

use super::UsmUser;

/// A user whose keys are known for some engines only, as in usmUserTable. The keys of a session
/// are those for the engine that it discovers (RFC 3414 §3.1 step 1).
pub struct LocalizedUsers {
    name: Vec<u8>,
    level: SecurityLevel,
    users: BTreeMap<EngineId, UsmUser>,
}

impl LocalizedUsers {
    /// Creates a user whose messages have this level, without any keys.
    pub fn new(name: &[u8], level: SecurityLevel) -> Self {
        Self { name: name.to_vec(), level, users: BTreeMap::new() }
    }

    /// Adds the user with its keys for the engine `id`. The first one of an engine is used. A user
    /// without the keys for the level is not added.
    pub fn insert(&mut self, id: EngineId, user: UsmUser) {
        let user = user.limited_to(self.level);
        if user.level() == self.level {
            self.users.entry(id).or_insert(user);
        }
    }

    /// Returns the security level of the user's messages.
    pub fn level(&self) -> SecurityLevel {
        self.level
    }

    pub(crate) fn name(&self) -> &[u8] {
        &self.name
    }

    pub(crate) fn for_engine(&self, id: EngineId) -> Option<UsmUser> {
        self.users.get(&id).map(UsmUser::duplicate)
    }
}
