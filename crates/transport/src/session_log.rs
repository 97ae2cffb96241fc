//! What the log hears of sessions that peers do not get, or lose.

use std::fmt;

use portreeve_channel::PeerIdentity;

/// A peer did not get a session.
pub(crate) const SESSION_REFUSED: &str = "refused";
/// A peer that had a session has lost it.
pub(crate) const SESSION_ENDED: &str = "ended";

/// Somebody whom no rule gives a name.
pub(crate) struct NoSecurityNameMessage<'a>(pub(crate) &'a PeerIdentity);

impl fmt::Display for NoSecurityNameMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no securityName for {:?}", self.0)
    }
}
