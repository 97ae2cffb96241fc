//! Raises the limit of open files for the configured number of connections.

use std::num::NonZeroUsize;

use portreeve_transport::{Limits, Listener, Protocol};

/// Raises the limit, and logs a warning if it is lower than the configured number of connections
/// needs.
pub(crate) fn raise_limit(listeners: &[Listener], workers: NonZeroUsize, limits: &Limits) {
    let allowed = match portreeve_sys::raise_descriptor_limit() {
        Ok(allowed) => allowed,
        Err(error) => {
            return tracing::warn!(%error, "cannot raise the limit of open files; connections may be refused");
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
            "this process may open {allowed} files, but {} connections need {needed}: raise the limit \
             (LimitNOFILE= in its unit, `ulimit -Hn`), or lower `connections` in [limits]",
            limits.max_sessions
        );
    }
}

/// Number of open files other than sockets and connections: state, standard streams, runtimes,
/// collectors, and key files read at logins.
const RESERVED_DESCRIPTORS: usize = 64;
