//! The sessions of the server, with their counters.

use std::sync::Arc;

use crate::time::DateTime;

/// The client of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The tmSecurityName, without the prefix of a transport.
    pub user: Arc<str>,
    /// The transport of the session.
    pub transport: Transport,
    /// The address and port for logs, for example `192.0.2.7:40112`.
    pub address: Arc<str>,
}

/// A transport of NETCONF sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// SSH (RFC 6242).
    Ssh,
    /// TLS (RFC 7589).
    Tls,
}

/// A session as monitoring shows it.
#[derive(Clone, Debug)]
pub(crate) struct SessionInfo {
    pub(crate) peer: Peer,
    pub(crate) login_time: DateTime,
    pub(crate) counters: Counters,
    /// Octets of the request that is being read.
    pub(crate) octets: u64,
}

/// The counters of messages (RFC 6022 §2.1.4 and §2.1.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The number of correct requests.
    pub requests: u32,
    /// The number of messages that are not correct requests.
    pub bad_requests: u32,
    /// The number of replies with errors.
    pub errors: u32,
}

/// The counters of all sessions since the start (RFC 6022 §2.1.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TotalCounters {
    /// The number of hellos that were refused.
    pub bad_hellos: u32,
    /// The number of sessions that have begun.
    pub sessions: u32,
    /// The number of sessions that ended without `close-session` or `kill-session`.
    pub dropped_sessions: u32,
    /// The messages.
    pub messages: Counters,
}

impl SessionInfo {
    pub(crate) fn new(peer: Peer, login_time: DateTime) -> Self {
        Self { peer, login_time, counters: Counters::default(), octets: 0 }
    }
}

impl Transport {
    /// Returns the identity of the transport (RFC 6022 §2.1.4).
    pub(crate) fn identity(self) -> &'static str {
        match self {
            Self::Ssh => "ietf-netconf-monitoring:netconf-ssh",
            Self::Tls => "ietf-netconf-monitoring:netconf-tls",
        }
    }
}

impl Counters {
    /// Counts a request that was answered.
    pub(crate) fn count(&mut self, is_correct: bool, has_errors: bool) {
        let requests = if is_correct { &mut self.requests } else { &mut self.bad_requests };
        *requests = requests.wrapping_add(1);
        self.errors = self.errors.wrapping_add(u32::from(has_errors));
    }
}
