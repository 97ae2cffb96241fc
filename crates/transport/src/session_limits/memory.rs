//! The memory of a session before its first accepted message, as counted by the memory budget.

use portreeve_smi::{TransportAddress, TransportDomain};

/// Returns the memory in bytes of a new session: its task, its channel and a handshake that waits
/// for the peer. `make test-long` measures these values.
pub(crate) fn new_session_memory(domain: TransportDomain, peer: TransportAddress) -> usize {
    match (domain, peer) {
        // Relays of sshd have no SSH connection of their own.
        (_, TransportAddress::Local { .. }) => 2 << 10,
        (TransportDomain::Ssh, _) => 40 << 10,
        (TransportDomain::Tls, _) => 24 << 10,
        (TransportDomain::Dtls, _) => 96 << 10,
        (TransportDomain::Udp | TransportDomain::Tcp | TransportDomain::Unix, _) => 2 << 10,
    }
}
