//! Finds out which of two key extensions the agent uses.
//!
//! A hash may be shorter than the key that AES-192 or AES-256 requires, and two drafts extend it
//! differently. The protocol does not indicate which extension an engine uses; with the wrong one
//! decryption fails. Some engines then send a Report, others drop the message. So both extensions
//! are tried until a response confirms one of them. After a Report, each extension is tried once.
//! After a timeout, the extensions alternate with each retransmission, because the cause may be
//! packet loss.

use std::{mem, sync::Arc};

use portreeve_smi::EngineId;
use portreeve_snmp_engine::security::usm::UserKeys;

use crate::{UsmUser, credentials::LocalizedUser};

pub(super) struct KeyExtension {
    /// The keys with the extension that is in use.
    keys: LocalizedUser,
    /// The keys with the other extension, once they are needed: extending a key can be as expensive
    /// as deriving it.
    others: Option<LocalizedUser>,
    /// True if the engine reported a decryption error for the keys with the other extension.
    others_rejected: bool,
    /// True if the engine has responded.
    is_confirmed: bool,
}

impl KeyExtension {
    pub(super) fn new(keys: LocalizedUser) -> Self {
        Self { keys, others: None, others_rejected: false, is_confirmed: false }
    }

    /// Records that the engine accepted the keys in use; returns them the first time.
    pub(super) fn confirm(&mut self) -> Option<&LocalizedUser> {
        (!mem::replace(&mut self.is_confirmed, true)).then_some(&self.keys)
    }

    /// Returns the keys with the other extension after a decryption error, unless the engine could
    /// not decrypt with them either.
    pub(super) fn on_decryption_error(&mut self, id: EngineId, user: &UsmUser) -> Option<Arc<UserKeys>> {
        if self.is_confirmed || self.others_rejected {
            return None;
        }
        let keys = self.swap(id, user)?;
        self.others_rejected = true;
        Some(keys)
    }

    /// Returns the keys with the other extension after a timeout, unless the engine reports
    /// decryption errors.
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
