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
    others_rejected: bool,
    /// The engine has answered.
    is_confirmed: bool,
}

impl KeyExtension {
    pub(super) fn new(keys: LocalizedUser) -> Self {
        Self { keys, others: None, others_rejected: false, is_confirmed: false }
    }

    /// The engine has answered to the keys in use: they are told the first time.
    pub(super) fn confirm(&mut self) -> Option<&LocalizedUser> {
        (!mem::replace(&mut self.is_confirmed, true)).then_some(&self.keys)
    }

    /// The engine cannot decrypt: the other keys, unless it cannot decrypt with them either.
    pub(super) fn on_decryption_error(&mut self, id: EngineId, user: &UsmUser) -> Option<Arc<UserKeys>> {
        if self.is_confirmed || self.others_rejected {
            return None;
        }
        let keys = self.swap(id, user)?;
        self.others_rejected = true;
        Some(keys)
    }

    /// Nothing has come back: the other keys, unless the engine tells when it cannot decrypt.
    pub(super) fn on_timeout(&mut self, id: EngineId, user: &UsmUser) -> Option<Arc<UserKeys>> {
        if self.is_confirmed || self.others_rejected { None } else { self.swap(id, user) }
    }

    fn swap(&mut self, id: EngineId, user: &UsmUser) -> Option<Arc<UserKeys>> {
        let others = match self.others.take() {
            Some(others) => others,
            None => user.with_other_extension(id, &self.keys)?,
        };
        let prepared = others.prepare(&user.name).ok()?;
        self.others = Some(mem::replace(&mut self.keys, others));
        Some(prepared)
    }
}
