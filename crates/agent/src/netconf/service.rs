//! Starts NETCONF in new sessions.

use std::{
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use portreeve_netconf::{Peer, Transport};
use portreeve_transport::{CloseReason, SessionProtocol, SessionService, SessionSource, SessionWaker};

use super::{
    event_queue::{Event, EventQueue},
    pipe::Pipe,
    session_place::SessionPlace,
    session_protocol::NetconfSession,
};

/// The service `netconf` of listeners.
pub(crate) struct NetconfService {
    pub(super) events: Arc<EventQueue>,
    pub(super) lock_idle: Duration,
    pub(super) max_sessions: usize,
    pub(super) sessions: Arc<AtomicUsize>,
}

impl SessionService for NetconfService {
    fn open(
        &self,
        source: &SessionSource,
        waker: SessionWaker,
    ) -> Result<Box<dyn SessionProtocol>, CloseReason> {
        let name = source.security_name.as_deref().ok_or(CloseReason::NoSecurityName)?;
        // SSH user names are UTF-8.
        let user = str::from_utf8(name).map_err(|_| CloseReason::NoSecurityName)?;
        let place = SessionPlace::acquire(&self.sessions, self.max_sessions);
        let Some(place) = place else {
            tracing::warn!(peer = %source.peer, limit = self.max_sessions, "NETCONF session refused: session limit reached");
            return Err(CloseReason::Evicted);
        };
        let peer =
            Peer { user: user.into(), transport: Transport::Ssh, address: source.peer.to_string().into() };
        let pipe = Pipe::new(move || waker.wake());
        self.events.push(Event::Opened { session: source.session, peer, pipe: pipe.clone() });
        Ok(Box::new(NetconfSession {
            session: source.session,
            pipe,
            events: Arc::clone(&self.events),
            lock_idle: self.lock_idle,
            is_finished: false,
            _place: place,
        }))
    }
}
