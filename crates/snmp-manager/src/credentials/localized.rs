//! A user's keys for one engine.

use std::sync::Arc;

use portreeve_crypto::{AuthKey, AuthProtocol, KeyLengthError, LocalizedKey, PrivKey, PrivProtocol};
use portreeve_snmp_engine::security::usm::UserKeys;

/// The localized keys of a user as octets, for storage, each with its protocol.
#[derive(PartialEq, Eq)]
pub(crate) struct LocalizedUser {
    pub(crate) auth: Option<(AuthProtocol, LocalizedKey)>,
    /// The privacy protocol and its key. The protocol includes the key extension in use, which may
    /// differ from the requested one.
    pub(crate) privacy: Option<(PrivProtocol, LocalizedKey)>,
}

impl LocalizedUser {
    /// Prepares the keys for use by the user `name`.
    pub(crate) fn prepare(&self, name: &[u8]) -> Result<Arc<UserKeys>, KeyLengthError> {
        let auth =
            self.auth.as_ref().map(|(protocol, key)| AuthKey::new(*protocol, key.expose())).transpose()?;
        let privacy =
            self.privacy.as_ref().map(|(protocol, key)| PrivKey::new(*protocol, key.expose())).transpose()?;
        Ok(Arc::new(UserKeys::new(name, auth, privacy)))
    }

    /// Makes an explicit copy; the type is not `Clone` because it contains secrets.
    pub(crate) fn duplicate(&self) -> Self {
        Self {
            auth: self.auth.as_ref().map(|(protocol, key)| (*protocol, key.duplicate())),
            privacy: self.privacy.as_ref().map(|(protocol, key)| (*protocol, key.duplicate())),
        }
    }
}
