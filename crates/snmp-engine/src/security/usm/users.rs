//! Users with prepared keys.

use std::sync::Arc;

use portreeve_crypto::{AuthKey, PrivKey};

/// A source of user keys: the configuration datastore of an agent, or the credentials of a manager.
pub trait UserLookup {
    /// Returns the user `user_name` of the authoritative engine `engine_id`.
    ///
    /// An agent only has users for its own engine. A manager must also return a user for an engine
    /// that it discovers, because the Report that completes discovery comes from that engine and
    /// has an empty user name. The manager has no keys for it yet: return [`UserKeys::discovery`].
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>>;
}

/// A user on one authoritative engine.
pub struct UserKeys {
    /// usmUserName, 0 to 32 octets.
    pub user_name: Vec<u8>,
    /// usmUserSecurityName: the name used for access control.
    pub security_name: Vec<u8>,
    /// The authentication key, if the user has an authentication protocol.
    pub auth: Option<AuthKey>,
    /// The privacy key, if the user has a privacy protocol. Unused without [`Self::auth`].
    pub privacy: Option<PrivKey>,
}

impl UserKeys {
    /// Creates a user whose securityName is equal to the user name, as is the default.
    pub fn new(user_name: &[u8], auth: Option<AuthKey>, privacy: Option<PrivKey>) -> Self {
        Self { user_name: user_name.to_vec(), security_name: user_name.to_vec(), auth, privacy }
    }

    /// Creates the user with the empty name and without keys, which is used for discovery (RFC 3414
    /// §4).
    pub fn discovery() -> Self {
        Self::new(&[], None, None)
    }
}
