//! A user's key, made when it is first needed (RFC 3414 §2.6).

use std::sync::OnceLock;

use portreeve_crypto::{AuthProtocol, KeyLengthError, LocalizedKey, MasterKey, PassPhrase, PrivProtocol};

use super::{KeyMaterial, KeyMaterialError};

/// What is known of one key of a user, and the key that comes from it once it has been asked for.
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
    /// The same on every engine, because it is meant for one.
    Localized(LocalizedKey),
}

impl UserKey {
    /// A key that signs.
    pub(super) fn for_auth(
        protocol: AuthProtocol,
        material: KeyMaterial<'_>,
    ) -> Result<Self, KeyMaterialError> {
        let source = KeySource::read(protocol, material, protocol.key_len())?;
        Ok(Self { protocol, source })
    }

    /// A key that encrypts. `protocol` is the authentication protocol, whose hash makes this key, too.
    pub(super) fn for_privacy(
        protocol: AuthProtocol,
        privacy: PrivProtocol,
        material: KeyMaterial<'_>,
    ) -> Result<Self, KeyMaterialError> {
        let source = KeySource::read(protocol, material, privacy.key_len())?;
        Ok(Self { protocol, source })
    }

    /// The authentication protocol, whose hash makes the privacy key, too.
    pub(crate) fn protocol(&self) -> AuthProtocol {
        self.protocol
    }

    /// The authentication key on the engine `engine_id`.
    pub(crate) fn localize(&self, engine_id: &[u8]) -> LocalizedKey {
        match self.master() {
            Ok(master) => master.localize(engine_id),
            Err(localized) => localized.duplicate(),
        }
    }

    /// The privacy key on the engine `engine_id`.
    pub(crate) fn localize_for(&self, privacy: PrivProtocol, engine_id: &[u8]) -> LocalizedKey {
        match self.master() {
            Ok(master) => master.localize_for(privacy, engine_id),
            Err(localized) => localized.duplicate(),
        }
    }

    /// The key before it is bound to an engine, or the key of the one engine it is bound to. Whoever comes second waits
    /// for whoever came first: the mebibyte is never hashed twice.
    fn master(&self) -> Result<&MasterKey, &LocalizedKey> {
        match &self.source {
            KeySource::PassPhrase { pass_phrase, master } => {
                Ok(master.get_or_init(|| pass_phrase.to_key(self.protocol)))
            }
            KeySource::Master(master) => Ok(master),
            KeySource::Localized(localized) => Err(localized),
        }
    }

    /// What the key is derived from at length; `None` for a key that was made elsewhere.
    pub(super) fn pass_phrase(&self) -> Option<&[u8]> {
        match &self.source {
            KeySource::PassPhrase { pass_phrase, .. } => Some(pass_phrase.expose()),
            KeySource::Master(_) | KeySource::Localized(_) => None,
        }
    }

    /// Whether the key is for one engine and the one length that it has.
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
    /// `localized_len` is the length of the key once it is localized, in octets.
    fn read(
        protocol: AuthProtocol,
        material: KeyMaterial<'_>,
        localized_len: usize,
    ) -> Result<Self, KeyMaterialError> {
        Ok(match material {
            KeyMaterial::PassPhrase(words) => {
                let pass_phrase = PassPhrase::new(words.duplicate()).map_err(KeyMaterialError::PassPhrase)?;
                Self::PassPhrase { pass_phrase, master: OnceLock::new() }
            }
            KeyMaterial::Master(octets) => {
                let master = MasterKey::from_octets(protocol, octets.expose());
                Self::Master(master.map_err(KeyMaterialError::Length)?)
            }
            KeyMaterial::Localized(octets) => {
                let wrong = KeyLengthError { expected: localized_len, found: octets.len() };
                // What was made by a longer hash is cut, as it is where it was localized.
                let octets = octets.expose().get(..localized_len).ok_or(KeyMaterialError::Length(wrong))?;
                Self::Localized(LocalizedKey::from_octets(octets).map_err(KeyMaterialError::Length)?)
            }
        })
    }
}
