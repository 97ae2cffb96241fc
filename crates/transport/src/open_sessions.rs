//! The open sessions of a running transport, for other threads than the workers.

use std::sync::Arc;

use crate::session_limits::SessionLimits;

/// A handle of the open sessions. Clones refer to the same sessions.
#[derive(Clone, Debug)]
pub struct OpenSessions(Arc<SessionLimits>);

impl OpenSessions {
    pub(crate) fn new(limits: Arc<SessionLimits>) -> Self {
        Self(limits)
    }

    /// Closes the sessions whose identity has been revoked or is no longer mapped to the same
    /// securityName. Call this function after replacing the configuration.
    pub fn recheck(&self) {
        self.0.recheck_all();
    }
}
