//! Log texts for sessions that were refused or lost.

use std::fmt;

use portreeve_channel::PeerIdentity;

/// The event for a peer that got no session.
pub(crate) const SESSION_REFUSED: &str = "session refused";
/// The event for a session that ended with an error.
pub(crate) const SESSION_ENDED: &str = "session ended";

/// The log text for a peer without a securityName.
pub(crate) struct NoSecurityNameMessage<'a>(pub(crate) &'a PeerIdentity);

impl fmt::Display for NoSecurityNameMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no securityName for {:?}", self.0)
    }
}
