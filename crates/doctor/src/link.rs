//! A secure session as a way for the blocking client.

use std::{io, time::Duration};

use portreeve_manager::{Link, Received};
use portreeve_sessions::Session;
use tokio::{runtime::Runtime, time::timeout};

/// The session, and what runs it while it is waited for.
pub(crate) struct SessionLink {
    runtime: Runtime,
    session: Session,
    message: Vec<u8>,
    loses_messages: bool,
}

impl SessionLink {
    pub(crate) fn new(runtime: Runtime, session: Session, loses_messages: bool) -> Self {
        Self { runtime, session, message: Vec::new(), loses_messages }
    }
}

impl Link for SessionLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.runtime.block_on(self.session.send(message)).map_err(io::Error::other)
    }

    fn receive(&mut self, patience: Duration) -> io::Result<Received<'_>> {
        let Self { runtime, session, message, .. } = self;
        let received = runtime.block_on(async { timeout(patience, session.receive()).await });
        match received {
            Ok(octets) => {
                message.clear();
                message.extend_from_slice(octets.map_err(io::Error::other)?);
                Ok(Received::Message(message))
            }
            Err(_) => Ok(Received::Nothing),
        }
    }

    fn loses_messages(&self) -> bool {
        self.loses_messages
    }
}
