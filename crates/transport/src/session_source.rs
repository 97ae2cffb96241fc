//! The source of a session's octets, independent of the protocol that the session carries.

use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_smi::{TransportAddress, TransportDomain};
use portreeve_sys::LocalAddress;

/// The source of a session's octets: the peer, and the session that it has opened.
#[derive(Clone, Debug)]
pub struct SessionSource {
    /// The transport.
    pub domain: TransportDomain,
    /// The address of the peer.
    pub peer: TransportAddress,
    /// The local address of the connection; `None` if it has none, like a Unix socket.
    pub local: Option<LocalAddress>,
    /// The index of the listener, as in
    /// [`BoundListeners::local_addrs`](crate::BoundListeners::local_addrs).
    pub listener: usize,
    /// A number that is unique among the sessions of this process and never reused.
    pub session: u64,
    /// The authenticated identity of the peer; `None` before the authentication, and on transports
    /// without authentication.
    pub identity: Option<PeerIdentity>,
    /// The tmSecurityName that is mapped to the identity when a protocol starts; `None` before, and
    /// on transports without authentication.
    pub security_name: Option<Arc<[u8]>>,
}
