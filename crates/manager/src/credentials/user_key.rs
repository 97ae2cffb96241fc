//! A user's key, made when it is first needed (RFC 3414 §2.6).

use std::sync::OnceLock;

use portreeve_crypto::{AuthProtocol, LocalizedKey, MasterKey, PassPhrase, PrivProtocol};

/// One pass phrase of a user, and the key that comes from it once it has been asked for.
pub(crate) struct UserKey {
    protocol: AuthProtocol,
    pass_phrase: PassPhrase,
    master: OnceLock<MasterKey>,
}

impl UserKey {
    pub(crate) fn new(protocol: AuthProtocol, pass_phrase: PassPhrase) -> Self {
        Self { protocol, pass_phrase, master: OnceLock::new() }
    }

    /// The authentication protocol, whose hash makes the privacy key, too.
    pub(crate) fn protocol(&self) -> AuthProtocol {
        self.protocol
    }

    /// The authentication key on the engine `engine_id`.
    pub(crate) fn localize(&self, engine_id: &[u8]) -> LocalizedKey {
        self.master().localize(engine_id)
    }

    /// The privacy key on the engine `engine_id`.
    pub(crate) fn localize_for(&self, privacy: PrivProtocol, engine_id: &[u8]) -> LocalizedKey {
        self.master().localize_for(privacy, engine_id)
    }

    /// Whoever comes second waits for whoever came first: the mebibyte is never hashed twice.
    fn master(&self) -> &MasterKey {
        self.master.get_or_init(|| self.pass_phrase.to_key(self.protocol))
    }

    #[cfg(test)]
    pub(super) fn is_made(&self) -> bool {
        self.master.get().is_some()
    }
}
