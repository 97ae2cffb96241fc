//! Selection of the user's keys for a security level.

use portreeve_crypto::{AuthKey, PrivKey};
use portreeve_smi::SecurityLevel;

use super::users::UserKeys;

/// A security level together with the keys that it needs.
#[derive(Clone, Copy)]
pub(super) enum Protection<'u> {
    Unprotected,
    Authentication(&'u AuthKey),
    Privacy(&'u AuthKey, &'u PrivKey),
}

impl<'u> Protection<'u> {
    /// Selects the keys of `user` for `level`; `None` if the user lacks one of them.
    pub(super) fn of(user: &'u UserKeys, level: SecurityLevel) -> Option<Self> {
        match level {
            SecurityLevel::NoAuthNoPriv => Some(Self::Unprotected),
            SecurityLevel::AuthNoPriv => user.auth.as_ref().map(Self::Authentication),
            SecurityLevel::AuthPriv => user.auth.as_ref().zip(user.privacy.as_ref()).map(Self::both),
        }
    }

    pub(super) fn auth(self) -> Option<&'u AuthKey> {
        match self {
            Self::Unprotected => None,
            Self::Authentication(auth) | Self::Privacy(auth, _) => Some(auth),
        }
    }

    pub(super) fn privacy(self) -> Option<&'u PrivKey> {
        match self {
            Self::Unprotected | Self::Authentication(_) => None,
            Self::Privacy(_, privacy) => Some(privacy),
        }
    }

    /// Returns the length of msgAuthenticationParameters in octets.
    pub(super) fn mac_len(self) -> usize {
        self.auth().map_or(0, |key| key.protocol().mac_len())
    }

    fn both((auth, privacy): (&'u AuthKey, &'u PrivKey)) -> Self {
        Self::Privacy(auth, privacy)
    }
}
