//! As whom an agent is asked.

mod key_material;
mod localized;
mod user_key;

use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PasswordTooShortError, PrivProtocol};
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, SecurityLevel};

use crate::KeyCache;
pub use key_material::{KeyMaterial, KeyMaterialError};
pub(crate) use localized::LocalizedUser;
pub(crate) use user_key::UserKey;

/// What a session presents to an agent.
pub enum Credentials {
    /// SNMPv1 with a community, in clear.
    V1(Secret),
    /// SNMPv2c with a community, in clear.
    V2c(Secret),
    /// SNMPv3 with a user of the User-based Security Model.
    V3(UsmUser),
    /// SNMPv3 with the Transport Security Model: the session that carries the messages has proven who asks
    /// (RFC 5591). Messages say authPriv; only a [`crate::Link`] that protects them makes that true.
    Transport,
}

/// A user of the User-based Security Model, as known on this side (RFC 3414 §1.4).
///
/// Making a key from a pass phrase hashes a mebibyte. That happens when the key is first needed, and once for a user
/// and all its duplicates, however many engines they talk to.
pub struct UsmUser {
    pub(crate) name: Vec<u8>,
    pub(crate) auth: Option<Arc<UserKey>>,
    pub(crate) privacy: Option<(PrivProtocol, Arc<UserKey>)>,
    cache: Option<Arc<KeyCache>>,
}

impl UsmUser {
    /// A user without keys: nobody checks who it is (noAuthNoPriv).
    pub fn unauthenticated(name: &[u8]) -> Self {
        Self { name: name.to_vec(), auth: None, privacy: None, cache: None }
    }

    /// A user who signs (authNoPriv). The pass phrase has eight octets or more.
    pub fn with_auth(
        name: &[u8],
        protocol: AuthProtocol,
        pass_phrase: &Secret,
    ) -> Result<Self, PasswordTooShortError> {
        Self::with_keys(name, (protocol, KeyMaterial::PassPhrase(pass_phrase)), None).map_err(too_short)
    }

    /// A user who signs and encrypts (authPriv). Each pass phrase has eight octets or more.
    pub fn with_privacy(
        name: &[u8],
        auth: (AuthProtocol, &Secret),
        privacy: (PrivProtocol, &Secret),
    ) -> Result<Self, PasswordTooShortError> {
        let auth = (auth.0, KeyMaterial::PassPhrase(auth.1));
        let privacy = (privacy.0, KeyMaterial::PassPhrase(privacy.1));
        Self::with_keys(name, auth, Some(privacy)).map_err(too_short)
    }

    /// A user who signs, and encrypts unless `privacy` is `None`, whose keys may have been made elsewhere.
    pub fn with_keys(
        name: &[u8],
        auth: (AuthProtocol, KeyMaterial<'_>),
        privacy: Option<(PrivProtocol, KeyMaterial<'_>)>,
    ) -> Result<Self, KeyMaterialError> {
        let auth_key = Arc::new(UserKey::for_auth(auth.0, auth.1)?);
        // The privacy key is derived with the authentication protocol's hash (RFC 3414 §2.6): from the same pass
        // phrase comes the same key.
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

    /// The same user for another session. The keys are shared, made or not.
    pub fn duplicate(&self) -> Self {
        Self {
            name: self.name.clone(),
            auth: self.auth.clone(),
            privacy: self.privacy.clone(),
            cache: self.cache.clone(),
        }
    }

    /// Keeps this user's keys in `cache`, and takes from there what is known. Keys that were made elsewhere stay out.
    #[must_use]
    pub fn with_cache(self, cache: Arc<KeyCache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Whether keys are made from pass phrases, which takes long enough to keep them.
    pub fn derives_keys(&self) -> bool {
        self.origin(&[]).is_some()
    }

    /// The keys on the engine `id`, with the key extension that was asked for unless another is known to be supported.
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

    /// The engine `id` has answered to these keys.
    pub(crate) fn cache_keys(&self, id: EngineId, keys: &LocalizedUser) {
        if let Some((cache, origin)) = self.cache.as_ref().zip(self.origin(id.as_bytes())) {
            cache.insert(&origin, keys);
        }
    }

    /// All that the keys on an engine are derived from; `None` where nothing is derived at length.
    fn origin<'o>(&'o self, engine_id: &'o [u8]) -> Option<[&'o [u8]; 5]> {
        let auth = self.auth.as_ref()?;
        let (protocol, phrase) = match &self.privacy {
            Some((protocol, key)) => (protocol.name(), key.pass_phrase()?),
            None => ("", &[][..]),
        };
        Some([auth.protocol().name().as_bytes(), auth.pass_phrase()?, protocol.as_bytes(), phrase, engine_id])
    }

    /// Whether `keys` can be this user's, as far as protocols and lengths go.
    fn fits(&self, keys: &LocalizedUser) -> bool {
        let auth = self.auth.as_ref().map(|key| key.protocol());
        let is_requested = |supported: PrivProtocol| {
            self.privacy.as_ref().is_some_and(|(asked, key)| {
                supported == *asked || asked.with_other_extension(key.protocol()) == Some(supported)
            })
        };
        keys.auth.as_ref().map(|(protocol, _)| *protocol) == auth
            && keys.privacy.is_some() == self.privacy.is_some()
            && keys.privacy.as_ref().is_none_or(|(supported, _)| is_requested(*supported))
            && keys.prepare(&self.name).is_ok()
    }

    /// The same keys as `known`, but the privacy key extended the other way; `None` where there is but one way.
    pub(crate) fn with_other_extension(&self, id: EngineId, known: &LocalizedUser) -> Option<LocalizedUser> {
        let (_, key) = self.privacy.as_ref().filter(|(_, key)| !key.is_localized())?;
        let (supported, _) = known.privacy.as_ref()?;
        let other = supported.with_other_extension(key.protocol())?;
        let mut keys = known.duplicate();
        keys.privacy = Some((other, key.localize_for(other, id.as_bytes())));
        Some(keys)
    }

    /// usmUserName.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// How the user's messages are protected.
    pub fn level(&self) -> SecurityLevel {
        match (&self.auth, &self.privacy) {
            (Some(_), Some(_)) => SecurityLevel::AuthPriv,
            (Some(_), None) => SecurityLevel::AuthNoPriv,
            (None, _) => SecurityLevel::NoAuthNoPriv,
        }
    }
}

/// Pass phrases have no other fault.
fn too_short(_: KeyMaterialError) -> PasswordTooShortError {
    PasswordTooShortError
}

#[cfg(test)]
mod tests;
