//! Users and their keys, ready for use.

use std::sync::Arc;

use portreeve_crypto::{AuthKey, PrivKey};

/// Where the keys of users are found: an agent's configuration datastore, or a manager's credentials.
pub trait UserLookup {
    /// The user `user_name` of the authoritative engine `engine_id`.
    ///
    /// An agent answers for its own engine. A manager answers for engines it may learn of, too: a Report that answers
    /// discovery comes from an engine it has no localized keys for, and names nobody; [`UserKeys::discovery`] does there.
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>>;
}

/// One user on one authoritative engine.
pub struct UserKeys {
    /// usmUserName, 0 to 32 octets.
    pub user_name: Vec<u8>,
    /// usmUserSecurityName: who this is for access control.
    pub security_name: Vec<u8>,
    /// The authentication key, if the user has an authentication protocol.
    pub auth: Option<AuthKey>,
    /// The privacy key, if the user has a privacy protocol; of no use without [`Self::auth`].
    pub privacy: Option<PrivKey>,
}

impl UserKeys {
    /// A user whose security name is the user name, as it is unless configured otherwise.
    pub fn new(user_name: &[u8], auth: Option<AuthKey>, privacy: Option<PrivKey>) -> Self {
        Self { user_name: user_name.to_vec(), security_name: user_name.to_vec(), auth, privacy }
    }

    /// The user with the empty name and without keys, in whose name engines are discovered (RFC 3414 §4).
    pub fn discovery() -> Self {
        Self::new(&[], None, None)
    }
}
