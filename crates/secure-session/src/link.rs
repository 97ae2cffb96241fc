//! A secure session as a link for the blocking client of the manager library.

use std::{io, time::Duration};

use portreeve_broker_protocol::{SessionRequest, Transport};
use portreeve_channel::{ChannelError, ChannelObserver, ChannelStep};
use portreeve_snmp_manager::{Link, LinkInput};
use tokio::{runtime, runtime::Runtime, time::timeout};

use crate::SecureSession;

/// A session, and the runtime that drives it during blocking calls.
#[derive(Debug)]
pub struct SessionLink {
    runtime: Runtime,
    session: SecureSession,
    message: Vec<u8>,
    loses_messages: bool,
}

impl SessionLink {
    /// Opens the requested session like [`SecureSession::open`], within the timeout of the request.
    ///
    /// # Errors
    /// If a step failed, or the timeout expired.
    pub fn open(request: &SessionRequest, observer: &dyn ChannelObserver) -> Result<Self, ChannelError> {
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| ChannelError::at(ChannelStep::Connect, error.to_string()))?;
        let opened = runtime
            .block_on(async { timeout(request.timeout, SecureSession::open(request, observer)).await });
        let session = opened.map_err(|_| {
            let message = format!("cannot open a session with {} within {:?}", request.host, request.timeout);
            ChannelError::at(ChannelStep::Negotiate, message)
        })??;
        Ok(Self::new(runtime, session, request.transport == Transport::Dtls))
    }

    /// Creates a link over an open session that `runtime` drives.
    pub fn new(runtime: Runtime, session: SecureSession, loses_messages: bool) -> Self {
        Self { runtime, session, message: Vec::new(), loses_messages }
    }

    /// Sends the messages that wait, and closes the session. Dropping the link instead can discard
    /// the last messages.
    pub fn close(self) {
        self.runtime.block_on(self.session.close());
    }
}

impl Link for SessionLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.runtime.block_on(self.session.send(message)).map_err(io::Error::other)
    }

    fn receive(&mut self, max_wait: Duration) -> io::Result<LinkInput<'_>> {
        let Self { runtime, session, message, .. } = self;
        let received = runtime.block_on(async { timeout(max_wait, session.receive()).await });
        match received {
            Ok(octets) => {
                message.clear();
                message.extend_from_slice(octets.map_err(io::Error::other)?);
                Ok(LinkInput::Message(message))
            }
            Err(_) => Ok(LinkInput::Nothing),
        }
    }

    fn loses_messages(&self) -> bool {
        self.loses_messages
    }

    fn is_secure_session(&self) -> bool {
        true
    }
}
