//! Which of two key extensions does the agent use?
//!
//! A hash may be shorter than the key that AES-192 or AES-256 wants, and two drafts extend it differently. Nothing in
//! the protocol tells which one an engine follows; it only fails to decrypt. Some engines say so in a Report, others
//! drop what they cannot decrypt. So both are tried, until an answer settles it: after a Report each is tried once;
//! after silence, which may as well be loss, they take turns for as long as the request is sent again.

use std::{mem, sync::Arc};

use portreeve_smi::EngineId;
use portreeve_snmp_engine::security::usm::UserKeys;

use crate::{UsmUser, credentials::LocalizedUser};

pub(super) struct KeyExtension {
    /// The keys in use.
    keys: LocalizedUser,
    /// The other keys, once they were needed: to extend a key may cost as much as to make it.
    others: Option<LocalizedUser>,
    /// The engine has said that it cannot decrypt with the others.
    others_refused: bool,
    /// The engine has answered.
    settled: bool,
}

impl KeyExtension {
    pub(super) fn new(keys: LocalizedUser) -> Self {
        Self { keys, others: None, others_refused: false, settled: false }
    }

    /// The engine has answered to the keys in use: they are told the first time.
    pub(super) fn settle(&mut self) -> Option<&LocalizedUser> {
        (!mem::replace(&mut self.settled, true)).then_some(&self.keys)
    }

    /// The engine cannot decrypt: the other keys, unless it cannot decrypt with them either.
    pub(super) fn is_refused(&mut self, id: EngineId, user: &UsmUser) -> Option<Arc<UserKeys>> {
        if self.settled || self.others_refused {
            return None;
        }
        let keys = self.swap(id, user)?;
        self.others_refused = true;
        Some(keys)
    }

    /// Nothing has come back: the other keys, unless the engine tells when it cannot decrypt.
    pub(super) fn is_silent(&mut self, id: EngineId, user: &UsmUser) -> Option<Arc<UserKeys>> {
        if self.settled || self.others_refused { None } else { self.swap(id, user) }
    }

    fn swap(&mut self, id: EngineId, user: &UsmUser) -> Option<Arc<UserKeys>> {
        let others = match self.others.take() {
            Some(others) => others,
            None => user.extend_otherwise(id, &self.keys)?,
        };
        let prepared = others.prepare(&user.name).ok()?;
        self.others = Some(mem::replace(&mut self.keys, others));
        Some(prepared)
    }
}
