//! Room for every connection that the limits allow: each is an open file.

use std::num::NonZeroUsize;

use portreeve_transport::{Limits, Listener, Protocol};

/// Makes room for as many connections as there may be, and says where the system leaves less.
pub(crate) fn make_room(listeners: &[Listener], workers: NonZeroUsize, limits: &Limits) {
    let allowed = match portreeve_sys::raise_descriptor_limit() {
        Ok(allowed) => allowed,
        Err(error) => {
            return tracing::warn!(%error, "the limit of open files could not be raised; connections may be refused");
        }
    };
    // Datagrams of all peers come over one socket.
    let connects = |listener: &&Listener| !matches!(listener.protocol, Protocol::Udp | Protocol::Dtls);
    if listeners.iter().find(connects).is_none() {
        return;
    }
    let needed = limits.sessions + listeners.len() * workers.get() + OWN_FILES;
    if allowed < needed as u64 {
        tracing::warn!(
            "this process may open {allowed} files, and for {} connections it needs {needed}: raise the limit \
             (LimitNOFILE= in its unit, `ulimit -Hn`), or lower `connections` in [limits]",
            limits.sessions
        );
    }
}

/// Open files beside sockets and connections: state, standard streams, what runtimes and collectors need, and keys that are
/// read at logins.
const OWN_FILES: usize = 64;
