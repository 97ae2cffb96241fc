//! The engines that send traps: their clocks, and the keys of users that exist on each of them.
//!
//! An unauthenticated trap costs at most one localization (a hash of three short strings), one key
//! schedule and one digest. It changes nothing here. The pass phrase is hashed when the rule is
//! created. Privacy keys are derived only after the digest has verified, because Reeder's extension
//! hashes a mebibyte.

mod clocks;
mod source_prefix;

use std::{
    collections::{HashMap, VecDeque},
    net::IpAddr,
    sync::Arc,
};

use portreeve_crypto::{AuthKey, AuthProtocol, MasterKey, PrivKey, PrivProtocol};
use portreeve_smi::{ClockReading, EngineId, SecurityLevel, Timestamp, TransportAddress};

pub(crate) use clocks::SenderClocks;
pub use source_prefix::SourcePrefix;

use crate::security::usm::{
    PeerClocks, SecurityParameters, UserKeys, UsmRejectReason, check_as_non_authoritative, is_digest_of,
};

/// The users and limits of an engine that receives traps.
pub struct SenderSettings {
    /// Users that exist on every sending engine, in order of precedence. Users of single engines
    /// are rows of the usmUserTable with the engine ID of the sender.
    pub rules: Vec<SenderRule>,
    /// The maximum number of sending engines whose clocks are stored. Clocks are not evicted,
    /// because a trap that was sent before the eviction could then be replayed. Messages of further
    /// engines are rejected with the reason unknownEngineID.
    pub max_engines: usize,
    /// The maximum number of localized users that are cached. The least recently used ones are
    /// evicted; their keys are derived again when their next traps arrive.
    pub max_localized_users: usize,
}

impl Default for SenderSettings {
    fn default() -> Self {
        Self { rules: Vec::new(), max_engines: 65_536, max_localized_users: 4096 }
    }
}

/// A user that exists on every sending engine.
pub struct SenderRule {
    user_name: Vec<u8>,
    sources: Vec<SourcePrefix>,
    auth: Option<SenderCredential<AuthProtocol>>,
    privacy: Option<SenderCredential<PrivProtocol>>,
    /// The user without keys, for messages whose level needs none.
    keyless: Arc<UserKeys>,
}

/// A protocol, and the key that is not yet localized to an engine.
pub struct SenderCredential<P> {
    /// The protocol.
    pub protocol: P,
    /// The key. For privacy, it is derived with the user's authentication protocol.
    pub key: MasterKey,
}

impl SenderRule {
    /// Creates a rule for the user `user_name` and messages from `sources`; an empty list contains
    /// every source. `privacy` has no effect without `auth`.
    pub fn new(
        user_name: &[u8],
        auth: Option<SenderCredential<AuthProtocol>>,
        privacy: Option<SenderCredential<PrivProtocol>>,
        sources: Vec<SourcePrefix>,
    ) -> Self {
        let keyless = Arc::new(UserKeys::new(user_name, None, None));
        Self { user_name: user_name.to_vec(), sources, auth, privacy, keyless }
    }

    fn auth_key(&self, engine_id: &EngineId) -> Option<AuthKey> {
        let auth = self.auth.as_ref()?;
        AuthKey::new(auth.protocol, auth.key.localize(engine_id.as_bytes()).expose()).ok()
    }

    fn priv_key(&self, engine_id: &EngineId) -> Option<PrivKey> {
        let privacy = self.privacy.as_ref()?;
        let key = privacy.key.localize_for(privacy.protocol, engine_id.as_bytes());
        PrivKey::new(privacy.protocol, key.expose()).ok()
    }
}

/// An event about the senders of notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderEvent {
    /// Authentic traps with one engine ID arrived from two addresses. Reported once for each engine
    /// ID.
    SharedEngineId {
        /// The engine ID of both senders.
        engine_id: EngineId,
        /// The addresses, in the order of arrival.
        addresses: [IpAddr; 2],
    },
    /// At least four fifths of the table of sender clocks are used. Reported once.
    ManyEngines {
        /// The number of known engines.
        count: usize,
        /// The maximum number of known engines.
        max_engines: usize,
    },
    /// The table of sender clocks is full. Traps of further engines are rejected. Reported once.
    TooManyEngines,
}

/// The number of operations that received traps have caused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderOperations {
    /// Localizations of authentication keys.
    pub auth_localizations: u64,
    /// Derivations of privacy keys, each after a digest verified.
    pub priv_localizations: u64,
    /// Evictions of localized users.
    pub evictions: u64,
}

/// The parts of a trap that identify its sender.
pub(crate) struct Arrival<'m> {
    pub(crate) message: &'m [u8],
    pub(crate) parameters: &'m SecurityParameters,
    pub(crate) engine_id: EngineId,
    pub(crate) level: SecurityLevel,
    pub(crate) source: TransportAddress,
    pub(crate) now: Timestamp,
}

/// The senders of traps that one engine knows.
pub(crate) struct Senders {
    settings: SenderSettings,
    pub(crate) clocks: SenderClocks,
    localized: HashMap<(EngineId, usize), LocalizedUser>,
    uses: u64,
    events: VecDeque<SenderEvent>,
    operations: SenderOperations,
}

struct LocalizedUser {
    keys: Arc<UserKeys>,
    last_use: u64,
}

impl Senders {
    pub(crate) fn new(settings: SenderSettings) -> Self {
        Self {
            clocks: SenderClocks::new(settings.max_engines),
            settings,
            localized: HashMap::new(),
            uses: 0,
            events: VecDeque::new(),
            operations: SenderOperations::default(),
        }
    }

    /// Returns the user of the first rule for the name and the source; `None` if no rule matches.
    ///
    /// The user's keys are localized and cached only after the digest has verified and the message
    /// is in the time window.
    pub(crate) fn user_of(
        &mut self,
        arrival: &Arrival<'_>,
    ) -> Result<Option<Arc<UserKeys>>, UsmRejectReason> {
        let name = arrival.message.get(arrival.parameters.user_name.clone()).unwrap_or_default();
        let Some((index, rule)) = self.settings.rules.iter().enumerate().find(|(_, rule)| {
            rule.user_name == name && SourcePrefix::any_contains(&rule.sources, arrival.source)
        }) else {
            return Ok(None);
        };
        let clock = self.clocks.get(arrival.engine_id.as_bytes()).ok_or(UsmRejectReason::UnknownEngineId)?;
        let has_keys = match arrival.level {
            SecurityLevel::NoAuthNoPriv => false,
            SecurityLevel::AuthNoPriv => rule.auth.is_some(),
            SecurityLevel::AuthPriv => rule.auth.is_some() && rule.privacy.is_some(),
        };
        if !has_keys {
            // The security model rejects this user if the level needs keys.
            return Ok(Some(Arc::clone(&rule.keyless)));
        }
        self.uses += 1;
        if let Some(user) = self.localized.get_mut(&(arrival.engine_id, index)) {
            user.last_use = self.uses;
            return Ok(Some(Arc::clone(&user.keys)));
        }
        self.operations.auth_localizations += 1;
        let auth = rule.auth_key(&arrival.engine_id).ok_or(UsmRejectReason::UnsupportedSecurityLevel)?;
        if !is_digest_of(&auth, arrival.message, arrival.parameters) {
            return Err(UsmRejectReason::WrongDigest);
        }
        check_as_non_authoritative(&mut { clock }, arrival.parameters.clock, arrival.now)?;
        self.operations.priv_localizations += u64::from(rule.privacy.is_some());
        let keys = Arc::new(UserKeys::new(name, Some(auth), rule.priv_key(&arrival.engine_id)));
        self.insert((arrival.engine_id, index), Arc::clone(&keys));
        Ok(Some(keys))
    }

    /// Records the source of an authentic trap.
    pub(crate) fn record_source(&mut self, engine_id: EngineId, source: TransportAddress) {
        let TransportAddress::Ip(address) = source else { return };
        let address = address.ip().to_canonical();
        if let Some(first) = self.clocks.record_address(engine_id, address) {
            self.report(SenderEvent::SharedEngineId { engine_id, addresses: [first, address] });
        }
    }

    /// Reports once that the table of clocks is nearly full.
    pub(crate) fn record_engine_count(&mut self) {
        if self.clocks.is_nearly_full_for_the_first_time() {
            let (count, max_engines) = (self.count(), self.settings.max_engines);
            self.report(SenderEvent::ManyEngines { count, max_engines });
        }
    }

    /// Reports once that the table of clocks is full.
    pub(crate) fn record_unknown_engine(&mut self) {
        if self.clocks.is_full_for_the_first_time() {
            self.report(SenderEvent::TooManyEngines);
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.clocks.count()
    }

    pub(crate) fn poll_event(&mut self) -> Option<SenderEvent> {
        self.events.pop_front()
    }

    pub(crate) fn operations(&self) -> SenderOperations {
        self.operations
    }

    /// Returns the reading of a sender's clock, unless it is a restored one.
    pub(crate) fn reading(&self, engine_id: &EngineId, now: Timestamp) -> Option<ClockReading> {
        self.clocks.learned(engine_id, now)
    }

    /// Sets the clock of a sender whose reading was stored before a restart.
    pub(crate) fn restore(&mut self, engine_id: EngineId, reading: ClockReading, now: Timestamp) {
        self.clocks.restore(engine_id, reading, now);
    }

    /// Returns the number of clocks and of localized users.
    #[cfg(test)]
    pub(crate) fn stored(&self) -> (usize, usize) {
        (self.clocks.count(), self.localized.len())
    }

    /// Stores an event, unless the caller has not read the last [`MAX_EVENTS`] events.
    fn report(&mut self, event: SenderEvent) {
        if self.events.len() < MAX_EVENTS {
            self.events.push_back(event);
        }
    }

    fn insert(&mut self, key: (EngineId, usize), keys: Arc<UserKeys>) {
        if self.localized.len() >= self.settings.max_localized_users.max(1) {
            self.evict();
        }
        self.localized.insert(key, LocalizedUser { keys, last_use: self.uses });
    }

    /// Evicts the least recently used eighth of the users. Searching for one user at a time would
    /// cost more.
    fn evict(&mut self) {
        let mut uses: Vec<u64> = self.localized.values().map(|user| user.last_use).collect();
        let position = uses.len() / 8;
        if position >= uses.len() {
            return;
        }
        let newest_evicted = *uses.select_nth_unstable(position).1;
        let before = self.localized.len();
        self.localized.retain(|_, user| user.last_use > newest_evicted);
        self.operations.evictions += (before - self.localized.len()) as u64;
    }
}

/// The maximum number of events that wait for the caller.
const MAX_EVENTS: usize = 64;

#[cfg(test)]
mod tests;
