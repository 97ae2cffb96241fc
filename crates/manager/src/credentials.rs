//! As whom an agent is asked.

use portreeve_crypto::{AuthProtocol, MasterKey, PasswordTooShort, PrivProtocol, password_to_key};
use portreeve_secret::Secret;
use portreeve_smi::SecurityLevel;

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
/// Making a key from a pass phrase hashes a mebibyte; make a user once and keep it.
pub struct UsmUser {
    pub(crate) name: Vec<u8>,
    pub(crate) auth: Option<(AuthProtocol, MasterKey)>,
    pub(crate) privacy: Option<(PrivProtocol, MasterKey)>,
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
        let key = password_to_key(protocol, pass_phrase)?;
        Ok(Self { name: name.to_vec(), auth: Some((protocol, key)), privacy: None })
    }

    /// A user who signs and encrypts (authPriv). Each pass phrase has eight octets or more.
    pub fn with_privacy(
        name: &[u8],
        auth: (AuthProtocol, &Secret),
        privacy: (PrivProtocol, &Secret),
    ) -> Result<Self, PasswordTooShort> {
        let mut user = Self::with_auth(name, auth.0, auth.1)?;
        // The privacy key is derived with the authentication protocol's hash (RFC 3414 §2.6).
        user.privacy = Some((privacy.0, password_to_key(auth.0, privacy.1)?));
        Ok(user)
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
