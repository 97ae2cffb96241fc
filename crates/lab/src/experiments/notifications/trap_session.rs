//! A session for traps, which is closed when dropped, so that the traps before it are sent.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use portreeve_secure_session::SessionLink;
use portreeve_snmp_manager::{Link, LinkInput};

/// A session, shared between the sender of traps and the code that waits between them.
#[derive(Clone)]
pub(super) struct TrapSession(Rc<SharedLink>);

/// The link, which is closed when dropped.
struct SharedLink(RefCell<Option<SessionLink>>);

impl TrapSession {
    pub(super) fn new(link: SessionLink) -> Self {
        Self(Rc::new(SharedLink(RefCell::new(Some(link)))))
    }

    /// Sends everything that waits, and handles what the receiver's end of the session sends.
    pub(super) fn drive(&self, time: Duration) -> io::Result<()> {
        self.with(|link| link.receive(time).map(drop))
    }

    fn with(&self, work: impl FnOnce(&mut SessionLink) -> io::Result<()>) -> io::Result<()> {
        match &mut *self.0.0.borrow_mut() {
            Some(link) => work(link),
            None => Err(io::Error::other("the session is closed")),
        }
    }
}

impl Link for TrapSession {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.with(|link| link.send(message))
    }

    /// Returns nothing: no receiver answers a trap.
    fn receive(&mut self, _: Duration) -> io::Result<LinkInput<'_>> {
        Ok(LinkInput::Nothing)
    }

    fn is_secure_session(&self) -> bool {
        true
    }
}

impl Drop for SharedLink {
    fn drop(&mut self) {
        if let Some(link) = self.0.get_mut().take() {
            link.close();
        }
    }
}
