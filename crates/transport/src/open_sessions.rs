//! The open sessions of a running transport, for other threads than the workers.

use std::sync::Arc;

use crate::session_limits::{SessionCount, SessionLimits};

/// A handle of the open sessions. Clones refer to the same sessions.
#[derive(Clone, Debug)]
pub struct OpenSessions {
    limits: Arc<SessionLimits>,
    /// The number of listeners, including the sockets for relays.
    listeners: usize,
}

impl OpenSessions {
    pub(crate) fn new(limits: Arc<SessionLimits>, listeners: usize) -> Self {
        Self { limits, listeners }
    }

    /// Returns the number of sessions of each listener, by its index in
    /// [`MessageSource::listener`](crate::MessageSource::listener). UDP has no sessions. A
    /// connection over SSH counts once for each of its channels.
    #[must_use]
    pub fn count_by_listener(&self) -> Vec<SessionCount> {
        self.limits.count_by_listener(self.listeners)
    }

    /// Closes the sessions whose identity has been revoked or is no longer mapped to the same
    /// securityName. Call this function after replacing the configuration.
    pub fn recheck(&self) {
        self.limits.recheck_all();
    }
}
