//! A user's keys on one engine.

use std::sync::Arc;

use portreeve_crypto::{AuthKey, AuthProtocol, KeyLengthError, LocalizedKey, PrivKey, PrivProtocol};
use portreeve_snmp_engine::security::usm::UserKeys;

/// The keys as octets, for those who keep them, each with the protocol it is for.
#[derive(PartialEq, Eq)]
pub(crate) struct LocalizedUser {
    pub(crate) auth: Option<(AuthProtocol, LocalizedKey)>,
    /// With the key extension in use, which may be another than the one asked for.
    pub(crate) privacy: Option<(PrivProtocol, LocalizedKey)>,
}

impl LocalizedUser {
    /// The keys ready for use by the user called `name`.
    pub(crate) fn prepare(&self, name: &[u8]) -> Result<Arc<UserKeys>, KeyLengthError> {
        let auth =
            self.auth.as_ref().map(|(protocol, key)| AuthKey::new(*protocol, key.expose())).transpose()?;
        let privacy =
            self.privacy.as_ref().map(|(protocol, key)| PrivKey::new(*protocol, key.expose())).transpose()?;
        Ok(Arc::new(UserKeys::new(name, auth, privacy)))
    }

    /// Makes a second copy, on purpose.
    pub(crate) fn duplicate(&self) -> Self {
        Self {
            auth: self.auth.as_ref().map(|(protocol, key)| (*protocol, key.duplicate())),
            privacy: self.privacy.as_ref().map(|(protocol, key)| (*protocol, key.duplicate())),
        }
    }
}
