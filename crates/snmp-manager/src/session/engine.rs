//! The agent's engine as far as this session knows it: engine ID, clock, and the user's localized
//! keys.

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
    discovery_user: Arc<UserKeys>,
    pub(super) extension: KeyExtension,
}

impl PeerEngine {
    /// Localizes the user's keys for the engine `id`. `clock` is the reading of the engine's clock
    /// at the start of the session, if known.
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
            discovery_user: Arc::new(UserKeys::discovery()),
            extension: KeyExtension::new(keys),
        })
    }

    /// Returns the expected reading of the engine's clock.
    pub(super) fn clock(&self, now: Timestamp) -> ClockReading {
        self.clock.reading(now)
    }

    /// Returns the expected reading of the engine's clock; `None` until an authentic message has
    /// reported it.
    pub(super) fn known_clock(&self, now: Timestamp) -> Option<ClockReading> {
        self.clock.is_synchronized().then(|| self.clock(now))
    }

    /// Handles a decryption error that the engine reported. Returns true if a retry with the other
    /// key extension is worthwhile.
    pub(super) fn on_decryption_error(&mut self, user: &UsmUser) -> bool {
        let keys = self.extension.on_decryption_error(self.id, user);
        self.use_keys(keys)
    }

    /// Handles the timeout of a request, which the engine may have failed to decrypt. Returns true
    /// if the next transmission uses the other key extension.
    pub(super) fn on_timeout(&mut self, user: &UsmUser) -> bool {
        // An engine checks the time window before it decrypts, so it decrypts no message until the
        // clock is known.
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

    /// Returns the keys that verify messages, and the clocks that verified messages may change.
    pub(super) fn parts(&mut self, authenticated: bool) -> (Users<'_>, Clocks<'_>) {
        let id = self.id;
        let users = Users { id, user: &self.user, discovery_user: &self.discovery_user };
        (users, Clocks { id, clock: &mut self.clock, authenticated })
    }
}

/// The one user whose messages are accepted. For messages of other engines, the lookup returns a
/// user without keys.
pub(super) struct Users<'e> {
    id: EngineId,
    pub(super) user: &'e Arc<UserKeys>,
    discovery_user: &'e Arc<UserKeys>,
}

impl UserLookup for Users<'_> {
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        let is_known_user = engine_id == self.id.as_bytes() && user_name == self.user.user_name;
        Some(if is_known_user { self.user } else { self.discovery_user })
    }
}

/// The one known clock. Only authentic messages change it. Unauthenticated messages may name
/// another engine, because a Report may show that the agent's engine ID has changed.
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
