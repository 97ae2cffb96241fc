//! The identities and keys with which a session sends requests.

mod key_material;
mod localized;
mod localized_users;
mod user_key;

use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PasswordTooShortError, PrivProtocol};
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, SecurityLevel};

use crate::KeyCache;
pub use key_material::{KeyMaterial, KeyMaterialError};
pub(crate) use localized::LocalizedUser;
pub use localized_users::LocalizedUsers;
pub(crate) use user_key::UserKey;

/// The credentials that a session presents to an agent.
pub enum Credentials {
    /// SNMPv1 with a community, in cleartext.
    V1(Secret),
    /// SNMPv2c with a community, in cleartext.
    V2c(Secret),
    /// SNMPv3 with a user of the User-based Security Model.
    V3(UsmUser),
    /// SNMPv3 with the Transport Security Model: the secure session that carries the messages has
    /// authenticated the manager (RFC 5591). The messages are marked authPriv, but only a
    /// [`crate::Link`] that encrypts and authenticates them provides that level.
    Transport,
}

/// A user of the User-based Security Model, on the manager's side (RFC 3414 §1.4).
///
/// Deriving a key from a pass phrase hashes one mebibyte. This is done when the key is first
/// needed. All duplicates of the user share the result, for any number of engines.
pub struct UsmUser {
    pub(crate) name: Vec<u8>,
    pub(crate) auth: Option<Arc<UserKey>>,
    pub(crate) privacy: Option<(PrivProtocol, Arc<UserKey>)>,
    cache: Option<Arc<KeyCache>>,
}

impl UsmUser {
    /// Creates a user without keys: messages are not authenticated (noAuthNoPriv).
    pub fn unauthenticated(name: &[u8]) -> Self {
        Self { name: name.to_vec(), auth: None, privacy: None, cache: None }
    }

    /// Creates a user whose messages are authenticated (authNoPriv).
    ///
    /// # Errors
    /// The pass phrase has fewer than eight octets.
    pub fn with_auth(
        name: &[u8],
        protocol: AuthProtocol,
        pass_phrase: &Secret,
    ) -> Result<Self, PasswordTooShortError> {
        Self::with_keys(name, (protocol, KeyMaterial::PassPhrase(pass_phrase)), None).map_err(too_short)
    }

    /// Creates a user whose messages are authenticated and encrypted (authPriv).
    ///
    /// # Errors
    /// A pass phrase has fewer than eight octets.
    pub fn with_privacy(
        name: &[u8],
        auth: (AuthProtocol, &Secret),
        privacy: (PrivProtocol, &Secret),
    ) -> Result<Self, PasswordTooShortError> {
        let auth = (auth.0, KeyMaterial::PassPhrase(auth.1));
        let privacy = (privacy.0, KeyMaterial::PassPhrase(privacy.1));
        Self::with_keys(name, auth, Some(privacy)).map_err(too_short)
    }

    /// Creates a user from any form of keys. Messages are authenticated, and encrypted unless
    /// `privacy` is `None`.
    ///
    /// # Errors
    /// A pass phrase is too short, or a key does not have the length of its protocol.
    pub fn with_keys(
        name: &[u8],
        auth: (AuthProtocol, KeyMaterial<'_>),
        privacy: Option<(PrivProtocol, KeyMaterial<'_>)>,
    ) -> Result<Self, KeyMaterialError> {
        let auth_key = Arc::new(UserKey::for_auth(auth.0, auth.1)?);
        // The privacy key is derived with the authentication protocol's hash (RFC 3414 §2.6), so
        // the same pass phrase gives the same key.
        let privacy = match privacy {
            Some((protocol, material)) if material.is_same_pass_phrase(auth.1) => {
                Some((protocol, Arc::clone(&auth_key)))
            }
            Some((protocol, material)) => {
                Some((protocol, Arc::new(UserKey::for_privacy(auth.0, protocol, material)?)))
            }
            None => None,
        };
        Ok(Self { name: name.to_vec(), auth: Some(auth_key), privacy, cache: None })
    }

    /// Returns the same user for another session. The two values share their keys, including keys
    /// that are derived later.
    pub fn duplicate(&self) -> Self {
        Self {
            name: self.name.clone(),
            auth: self.auth.clone(),
            privacy: self.privacy.clone(),
            cache: self.cache.clone(),
        }
    }

    /// Returns the same user with only the keys that messages at this level need.
    #[must_use]
    pub fn limited_to(self, level: SecurityLevel) -> Self {
        let Self { name, auth, privacy, cache } = self;
        let auth = auth.filter(|_| level >= SecurityLevel::AuthNoPriv);
        Self { name, auth, privacy: privacy.filter(|_| level == SecurityLevel::AuthPriv), cache }
    }

    /// Uses `cache` for this user's keys. They are derived only if the cache does not contain them,
    /// and are stored there after an engine has accepted them. Only keys derived from pass phrases
    /// are cached.
    #[must_use]
    pub fn with_cache(self, cache: Arc<KeyCache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Returns true if the keys are derived from pass phrases, which is slow enough to be worth
    /// caching.
    pub fn derives_keys(&self) -> bool {
        self.origin(&[]).is_some()
    }

    /// Returns the keys for the engine `id`. They have the requested key extension, unless the
    /// cache contains keys with the other extension.
    pub(crate) fn localize(&self, id: EngineId) -> LocalizedUser {
        let octets = id.as_bytes();
        if let Some((cache, origin)) = self.cache.as_ref().zip(self.origin(octets))
            && let Some(keys) = cache.find(&origin)
            && self.fits(&keys)
        {
            return keys;
        }
        LocalizedUser {
            auth: self.auth.as_ref().map(|key| (key.protocol(), key.localize(octets))),
            privacy: self
                .privacy
                .as_ref()
                .map(|(protocol, key)| (*protocol, key.localize_for(*protocol, octets))),
        }
    }

    /// Caches keys that the engine `id` has accepted.
    pub(crate) fn cache_keys(&self, id: EngineId, keys: &LocalizedUser) {
        if let Some((cache, origin)) = self.cache.as_ref().zip(self.origin(id.as_bytes())) {
            cache.insert(&origin, keys);
        }
    }

    /// Returns everything from which the keys for an engine are derived; `None` if a key is not
    /// derived from a pass phrase.
    fn origin<'o>(&'o self, engine_id: &'o [u8]) -> Option<[&'o [u8]; 5]> {
        let auth = self.auth.as_ref()?;
        let (protocol, phrase) = match &self.privacy {
            Some((protocol, key)) => (protocol.name(), key.pass_phrase()?),
            None => ("", &[][..]),
        };
        Some([auth.protocol().name().as_bytes(), auth.pass_phrase()?, protocol.as_bytes(), phrase, engine_id])
    }

    /// Returns true if `keys` match this user's protocols and key lengths.
    fn fits(&self, keys: &LocalizedUser) -> bool {
        let auth = self.auth.as_ref().map(|key| key.protocol());
        let is_requested = |supported: PrivProtocol| {
            self.privacy.as_ref().is_some_and(|(requested, key)| {
                supported == *requested || requested.with_other_extension(key.protocol()) == Some(supported)
            })
        };
        keys.auth.as_ref().map(|(protocol, _)| *protocol) == auth
            && keys.privacy.is_some() == self.privacy.is_some()
            && keys.privacy.as_ref().is_none_or(|(supported, _)| is_requested(*supported))
            && keys.prepare(&self.name).is_ok()
    }

    /// Returns `known` with the privacy key extended by the other method; `None` if the protocol
    /// has only one method.
    pub(crate) fn with_other_extension(&self, id: EngineId, known: &LocalizedUser) -> Option<LocalizedUser> {
        let (_, key) = self.privacy.as_ref().filter(|(_, key)| !key.is_localized())?;
        let (supported, _) = known.privacy.as_ref()?;
        let other = supported.with_other_extension(key.protocol())?;
        let mut keys = known.duplicate();
        keys.privacy = Some((other, key.localize_for(other, id.as_bytes())));
        Some(keys)
    }

    /// Returns the user's name, as in usmUserName.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns the security level of the user's messages.
    pub fn level(&self) -> SecurityLevel {
        match (&self.auth, &self.privacy) {
            (Some(_), Some(_)) => SecurityLevel::AuthPriv,
            (Some(_), None) => SecurityLevel::AuthNoPriv,
            (None, _) => SecurityLevel::NoAuthNoPriv,
        }
    }
}

/// Converts a key error that concerns a pass phrase: the only possible error is that the pass
/// phrase is too short.
fn too_short(_: KeyMaterialError) -> PasswordTooShortError {
    PasswordTooShortError
}

#[cfg(test)]
mod tests;
