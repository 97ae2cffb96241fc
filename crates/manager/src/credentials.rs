//! As whom an agent is asked.

mod localized;
mod user_key;

use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PassPhrase, PasswordTooShort, PrivProtocol};
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, SecurityLevel};

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
}

/// A user of the User-based Security Model, as known on this side (RFC 3414 §1.4).
///
/// Making a key from a pass phrase hashes a mebibyte. That happens when the key is first needed, and once for a user
/// and all its duplicates, however many engines they talk to.
pub struct UsmUser {
    pub(crate) name: Vec<u8>,
    pub(crate) auth: Option<Arc<UserKey>>,
    pub(crate) privacy: Option<(PrivProtocol, Arc<UserKey>)>,
}

impl UsmUser {
    /// A user without keys: nobody checks who it is (noAuthNoPriv).
    pub fn unauthenticated(name: &[u8]) -> Self {
        Self { name: name.to_vec(), auth: None, privacy: None }
    }

    /// A user who signs (authNoPriv). The pass phrase has eight octets or more.
    pub fn with_auth(
        name: &[u8],
        protocol: AuthProtocol,
        pass_phrase: &Secret,
    ) -> Result<Self, PasswordTooShort> {
        let key = UserKey::new(protocol, PassPhrase::new(pass_phrase.duplicate())?);
        Ok(Self { name: name.to_vec(), auth: Some(Arc::new(key)), privacy: None })
    }

    /// A user who signs and encrypts (authPriv). Each pass phrase has eight octets or more.
    pub fn with_privacy(
        name: &[u8],
        auth: (AuthProtocol, &Secret),
        privacy: (PrivProtocol, &Secret),
    ) -> Result<Self, PasswordTooShort> {
        let mut user = Self::with_auth(name, auth.0, auth.1)?;
        // The privacy key is derived with the authentication protocol's hash (RFC 3414 §2.6): from the same pass
        // phrase comes the same key.
        let key = match &user.auth {
            Some(key) if auth.1 == privacy.1 => Arc::clone(key),
            _ => Arc::new(UserKey::new(auth.0, PassPhrase::new(privacy.1.duplicate())?)),
        };
        user.privacy = Some((privacy.0, key));
        Ok(user)
    }

    /// The same user for another session. The keys are shared, made or not.
    pub fn duplicate(&self) -> Self {
        Self { name: self.name.clone(), auth: self.auth.clone(), privacy: self.privacy.clone() }
    }

    /// The keys on the engine `id`.
    pub(crate) fn localize(&self, id: EngineId) -> LocalizedUser {
        let octets = id.as_bytes();
        LocalizedUser {
            auth: self.auth.as_ref().map(|key| (key.protocol(), key.localize(octets))),
            privacy: self
                .privacy
                .as_ref()
                .map(|(protocol, key)| (*protocol, key.localize_for(*protocol, octets))),
        }
    }

    /// The same keys as `known`, but the privacy key extended the other way; `None` where there is but one way.
    pub(crate) fn extend_otherwise(&self, id: EngineId, known: &LocalizedUser) -> Option<LocalizedUser> {
        let (_, key) = self.privacy.as_ref()?;
        let (spoken, _) = known.privacy.as_ref()?;
        let other = spoken.with_other_extension(key.protocol())?;
        let mut keys = known.duplicate();
        keys.privacy = Some((other, key.localize_for(other, id.as_bytes())));
        Some(keys)
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

#[cfg(test)]
mod tests;
