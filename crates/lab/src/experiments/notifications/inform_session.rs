//! A session for informs, which is closed when dropped. Net-SNMP's receiver accepts no session over
//! DTLS while the one before is open.

use std::io;
use std::time::Duration;

use portreeve_secure_session::SessionLink;
use portreeve_snmp_manager::{Link, LinkInput};

/// A session, until it is dropped.
pub(super) struct InformSession(Option<SessionLink>);

impl InformSession {
    pub(super) fn new(link: SessionLink) -> Self {
        Self(Some(link))
    }

    fn link(&mut self) -> io::Result<&mut SessionLink> {
        self.0.as_mut().ok_or_else(|| io::Error::other("the session is closed"))
    }
}

impl Link for InformSession {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.link()?.send(message)
    }

    fn receive(&mut self, timeout: Duration) -> io::Result<LinkInput<'_>> {
        self.link()?.receive(timeout)
    }

    fn loses_messages(&self) -> bool {
        self.0.as_ref().is_some_and(Link::loses_messages)
    }

    fn is_secure_session(&self) -> bool {
        true
    }
}

impl Drop for InformSession {
    fn drop(&mut self) {
        if let Some(link) = self.0.take() {
            link.close();
        }
    }
}
