//! A user's key, derived when it is first needed (RFC 3414 §2.6).

use std::sync::OnceLock;

use portreeve_crypto::{AuthProtocol, KeyLengthError, LocalizedKey, MasterKey, PassPhrase, PrivProtocol};

use super::{KeyMaterial, KeyMaterialError};

/// One key of a user: the source of the key, and the derived key after its first use.
pub(crate) struct UserKey {
    protocol: AuthProtocol,
    source: KeySource,
}

enum KeySource {
    PassPhrase {
        pass_phrase: PassPhrase,
        master: OnceLock<MasterKey>,
    },
    Master(MasterKey),
    /// A key that is already localized; it is used unchanged for every engine ID.
    Localized(LocalizedKey),
}

impl UserKey {
    /// Creates an authentication key.
    pub(super) fn for_auth(
        protocol: AuthProtocol,
        material: KeyMaterial<'_>,
    ) -> Result<Self, KeyMaterialError> {
        let source = KeySource::read(protocol, material, protocol.key_len())?;
        Ok(Self { protocol, source })
    }

    /// Creates a privacy key. `protocol` is the user's authentication protocol: its hash derives
    /// both keys.
    pub(super) fn for_privacy(
        protocol: AuthProtocol,
        privacy: PrivProtocol,
        material: KeyMaterial<'_>,
    ) -> Result<Self, KeyMaterialError> {
        let source = KeySource::read(protocol, material, privacy.key_len())?;
        Ok(Self { protocol, source })
    }

    /// The authentication protocol, whose hash also derives the privacy key.
    pub(crate) fn protocol(&self) -> AuthProtocol {
        self.protocol
    }

    /// Returns the authentication key for the engine `engine_id`.
    pub(crate) fn localize(&self, engine_id: &[u8]) -> LocalizedKey {
        match self.master() {
            Ok(master) => master.localize(engine_id),
            Err(localized) => localized.duplicate(),
        }
    }

    /// Returns the privacy key for the engine `engine_id`.
    pub(crate) fn localize_for(&self, privacy: PrivProtocol, engine_id: &[u8]) -> LocalizedKey {
        match self.master() {
            Ok(master) => master.localize_for(privacy, engine_id),
            Err(localized) => localized.duplicate(),
        }
    }

    /// Returns the key before localization, or the localized key if the user was created with a
    /// localized key. If several threads call this at once, the others wait for the first, so the
    /// mebibyte is hashed only once.
    fn master(&self) -> Result<&MasterKey, &LocalizedKey> {
        match &self.source {
            KeySource::PassPhrase { pass_phrase, master } => {
                Ok(master.get_or_init(|| pass_phrase.to_key(self.protocol)))
            }
            KeySource::Master(master) => Ok(master),
            KeySource::Localized(localized) => Err(localized),
        }
    }

    /// Returns the pass phrase from which the key is derived; `None` for any other key.
    pub(super) fn pass_phrase(&self) -> Option<&[u8]> {
        match &self.source {
            KeySource::PassPhrase { pass_phrase, .. } => Some(pass_phrase.expose()),
            KeySource::Master(_) | KeySource::Localized(_) => None,
        }
    }

    /// Returns true if the key is already localized to one engine.
    pub(super) fn is_localized(&self) -> bool {
        matches!(self.source, KeySource::Localized(_))
    }

    #[cfg(test)]
    pub(super) fn is_derived(&self) -> bool {
        match &self.source {
            KeySource::PassPhrase { master, .. } => master.get().is_some(),
            KeySource::Master(_) | KeySource::Localized(_) => true,
        }
    }
}

impl KeySource {
    /// Reads a key in any form. `localized_len` is the length of the localized key in octets.
    fn read(
        protocol: AuthProtocol,
        material: KeyMaterial<'_>,
        localized_len: usize,
    ) -> Result<Self, KeyMaterialError> {
        Ok(match material {
            KeyMaterial::PassPhrase(text) => {
                let pass_phrase = PassPhrase::new(text.duplicate()).map_err(KeyMaterialError::PassPhrase)?;
                Self::PassPhrase { pass_phrase, master: OnceLock::new() }
            }
            KeyMaterial::Master(octets) => {
                let master = MasterKey::from_octets(protocol, octets.expose());
                Self::Master(master.map_err(KeyMaterialError::Length)?)
            }
            KeyMaterial::Localized(octets) => {
                let wrong = KeyLengthError { expected: localized_len, found: octets.len() };
                // If the hash is longer than the privacy key, the key is truncated, as it is during
                // localization.
                let octets = octets.expose().get(..localized_len).ok_or(KeyMaterialError::Length(wrong))?;
                Self::Localized(LocalizedKey::from_octets(octets).map_err(KeyMaterialError::Length)?)
            }
        })
    }
}
