//! Raises the limit of open files for the configured number of connections.

use std::num::NonZeroUsize;

use portreeve_transport::{Limits, Listener, Protocol};

/// Raises the limit of open files. Logs a warning if the new limit is too low for the configured
/// number of connections.
pub(crate) fn raise_limit(listeners: &[Listener], workers: NonZeroUsize, limits: &Limits) {
    let allowed = match portreeve_sys::raise_descriptor_limit() {
        Ok(allowed) => allowed,
        Err(error) => {
            return tracing::warn!(%error, "cannot raise the limit of open files: the agent may be unable to accept connections");
        }
    };
    // UDP and DTLS use one socket for all peers, so they need no descriptors for connections.
    let connects = |listener: &&Listener| !matches!(listener.protocol, Protocol::Udp | Protocol::Dtls);
    if listeners.iter().find(connects).is_none() {
        return;
    }
    let needed = limits.max_sessions + listeners.len() * workers.get() + RESERVED_DESCRIPTORS;
    if allowed < needed as u64 {
        tracing::warn!(
            limit = allowed,
            needed,
            connections = limits.max_sessions,
            "the limit of open files is too low: raise it (LimitNOFILE= in the systemd unit, or `ulimit -Hn`), \
             or lower `connections` in [limits]"
        );
    }
}

/// Number of open files other than sockets and connections: state, standard streams, runtimes,
/// collectors, and key files read at logins.
const RESERVED_DESCRIPTORS: usize = 64;
