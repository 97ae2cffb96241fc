//! The agent's engine as this session knows it: identifier, clock, and the user's keys there.

use std::sync::Arc;

use portreeve_crypto::KeyLengthError;
use portreeve_smi::{ClockReading, EngineId, Timestamp};
use portreeve_snmp_engine::security::usm::{PeerClock, PeerClocks, UserKeys, UserLookup};

use super::extension::KeyExtension;
use crate::UsmUser;

pub(super) struct PeerEngine {
    pub(super) id: EngineId,
    clock: PeerClock,
    user: Arc<UserKeys>,
    nobody: Arc<UserKeys>,
    pub(super) extension: KeyExtension,
}

impl PeerEngine {
    /// Binds the user's keys to the engine `id`. `clock` is what it read when the session began, if that is known.
    pub(super) fn new(
        id: EngineId,
        user: &UsmUser,
        clock: Option<ClockReading>,
    ) -> Result<Self, KeyLengthError> {
        let keys = user.localize(id);
        Ok(Self {
            id,
            clock: clock
                .map_or_else(PeerClock::default, |clock| PeerClock::from_reading(clock, Timestamp::ZERO)),
            user: keys.prepare(&user.name)?,
            nobody: Arc::new(UserKeys::discovery()),
            extension: KeyExtension::new(keys),
        })
    }

    /// What its clock ought to read, as far as is known.
    pub(super) fn clock(&self, now: Timestamp) -> ClockReading {
        self.clock.reading(now)
    }

    /// The same, once the engine has told.
    pub(super) fn known_clock(&self, now: Timestamp) -> Option<ClockReading> {
        self.clock.is_synchronized().then(|| self.clock(now))
    }

    /// The engine could not decrypt: whether it is worth trying again with a key extended the other way.
    pub(super) fn on_decryption_error(&mut self, user: &UsmUser) -> bool {
        let keys = self.extension.on_decryption_error(self.id, user);
        self.use_keys(keys)
    }

    /// The engine said nothing to what it may not have been able to decrypt: whether the next try is with a key
    /// extended the other way.
    pub(super) fn on_timeout(&mut self, user: &UsmUser) -> bool {
        // Until the clock is known, nothing that was sent has come as far as decryption.
        if !self.clock.is_synchronized() {
            return false;
        }
        let keys = self.extension.on_timeout(self.id, user);
        self.use_keys(keys)
    }

    fn use_keys(&mut self, keys: Option<Arc<UserKeys>>) -> bool {
        match keys {
            Some(keys) => {
                self.user = keys;
                true
            }
            None => false,
        }
    }

    /// Splits into whose keys messages are judged by and which clocks they may change.
    pub(super) fn parts(&mut self, authenticated: bool) -> (Users<'_>, Clocks<'_>) {
        let id = self.id;
        let users = Users { id, user: &self.user, nobody: &self.nobody };
        (users, Clocks { id, clock: &mut self.clock, authenticated })
    }
}

/// The one user whose messages are read; whoever speaks for another engine is nobody and has no key.
pub(super) struct Users<'e> {
    id: EngineId,
    pub(super) user: &'e Arc<UserKeys>,
    nobody: &'e Arc<UserKeys>,
}

impl UserLookup for Users<'_> {
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        let ours = engine_id == self.id.as_bytes() && user_name == self.user.user_name;
        Some(if ours { self.user } else { self.nobody })
    }
}

/// The one clock that is kept. It is changed by authentic messages only; what is not authenticated may name another
/// engine, because a Report may tell that the agent has become another one.
pub(super) struct Clocks<'e> {
    id: EngineId,
    clock: &'e mut PeerClock,
    authenticated: bool,
}

impl PeerClocks for Clocks<'_> {
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock> {
        if engine_id == self.id.as_bytes() {
            return Some(*self.clock);
        }
        (!self.authenticated).then(PeerClock::default)
    }

    fn set(&mut self, engine_id: &[u8], clock: PeerClock) {
        if engine_id == self.id.as_bytes() {
            *self.clock = clock;
        }
    }
}
