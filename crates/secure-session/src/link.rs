//! A session as a way for the manager library's blocking client.

use std::{io, time::Duration};

use portreeve_broker_protocol::{Order, Transport};
use portreeve_channel::{ChannelError, Observer, Step};
use portreeve_snmp_manager::{Link, Received};
use tokio::{runtime, runtime::Runtime, time::timeout};

use crate::Session;

/// A session, and what runs it while somebody waits.
#[derive(Debug)]
pub struct SessionLink {
    runtime: Runtime,
    session: Session,
    message: Vec<u8>,
    loses_messages: bool,
}

impl SessionLink {
    /// Opens the session that is ordered, as [`Session::open`] does, within the order's patience.
    ///
    /// # Errors
    /// With the step that failed.
    pub fn open(order: &Order, observer: &dyn Observer) -> Result<Self, ChannelError> {
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| ChannelError::at(Step::Connect, error.to_string()))?;
        let opened =
            runtime.block_on(async { timeout(order.patience, Session::open(order, observer)).await });
        let session = opened.map_err(|_| {
            let message = format!("{} did not come so far within {:?}", order.host, order.patience);
            ChannelError::at(Step::Negotiate, message)
        })??;
        Ok(Self::new(runtime, session, order.transport == Transport::Dtls))
    }

    /// The way over a session that is open, which `runtime` runs.
    pub fn new(runtime: Runtime, session: Session, loses_messages: bool) -> Self {
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

    fn is_session(&self) -> bool {
        true
    }
}
