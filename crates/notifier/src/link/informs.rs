//! The informs that were sent over one link, until their results are known.

use std::{collections::BTreeMap, sync::Arc};

use portreeve_lcd::Name;
use portreeve_smi::{ErrorStatus, Timestamp};
use portreeve_snmp_manager::{DropReason, RequestError, RequestHandle, Session};
use portreeve_snmp_message::{Version, peek_version};

use crate::{OutgoingNotification, destination::DestinationError};

/// The informs that were sent, in one session for each context.
#[derive(Default)]
pub(super) struct SentInforms {
    sessions: Vec<ContextSession>,
}

struct ContextSession {
    context_name: Arc<[u8]>,
    session: Session,
    /// The informs that were sent, by request.
    sent: BTreeMap<RequestHandle, u64>,
}

/// The result of an inform.
pub(crate) enum LinkEvent {
    /// The receiver has responded.
    Acknowledged(ErrorStatus),
    /// There is no response.
    Failed(String),
    /// The inform can never be sent to this receiver.
    Unsendable(String),
}

/// Returns the reason for dropping a message on a link without informs.
fn unexpected(message: &[u8]) -> DropReason {
    match peek_version(message) {
        Ok(Version::Known(_)) => DropReason::UnknownRequest,
        Ok(_) => DropReason::UnknownVersion,
        Err(_) => DropReason::Malformed,
    }
}

impl SentInforms {
    /// Returns true if there is a session for the context.
    pub(super) fn has_session(&self, context_name: &Arc<[u8]>) -> bool {
        self.sessions.iter().any(|one| one.context_name == *context_name)
    }

    /// Adds the session for a context.
    pub(super) fn add_session(&mut self, context_name: &Arc<[u8]>, session: Session) {
        // A session without informs costs memory, and the number of contexts has no limit.
        self.sessions.retain(|one| !one.sent.is_empty());
        let context_name = Arc::clone(context_name);
        self.sessions.push(ContextSession { context_name, session, sent: BTreeMap::new() });
    }

    /// Queues an inform in the session of its context. [`Self::poll_event`] returns its result.
    pub(super) fn send(&mut self, id: u64, content: &OutgoingNotification) {
        let session = self.sessions.iter_mut().find(|one| one.context_name == content.context_name);
        if let Some(ContextSession { session, sent, .. }) = session {
            //= rfc3413#3.3-4
            //= rfc3413#3.3-6a
            let handle = session.request(&content.request);
            //= rfc3413#3.3-6b
            sent.insert(handle, id);
        }
    }

    /// Passes the messages that are due to `send`, until it fails.
    pub(super) async fn flush<E>(
        &mut self,
        now: impl Fn() -> Timestamp,
        mut send: impl AsyncFnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for one in &mut self.sessions {
            while let Some(message) = one.session.poll_output(now()) {
                send(message).await?;
            }
        }
        Ok(())
    }

    /// Handles a message of the receiver.
    ///
    /// # Errors
    /// Returns the reason why the message was dropped.
    pub(super) fn handle_input(&mut self, now: Timestamp, message: &[u8]) -> Result<(), DropReason> {
        let mut reason = None;
        for one in &mut self.sessions {
            // A session drops the messages of others; it may have decrypted them in place.
            match one.session.accept_input(now, &mut message.to_vec()) {
                Ok(()) => return Ok(()),
                // The sessions differ in the context and the requests only, so that any other
                // reason is that of all.
                Err(DropReason::UnknownRequest | DropReason::WrongContext) if reason.is_some() => {}
                Err(found) => reason = Some(found),
            }
        }
        Err(reason.unwrap_or_else(|| unexpected(message)))
    }

    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        self.sessions.iter_mut().for_each(|one| one.session.handle_timeout(now));
    }

    pub(super) fn next_timeout(&self) -> Option<Timestamp> {
        self.sessions.iter().filter_map(|one| one.session.next_timeout()).min()
    }

    /// Returns the result of the next inform. `user` is the securityName of the target.
    pub(super) fn poll_event(&mut self, user: &Name) -> Option<(u64, LinkEvent)> {
        for one in &mut self.sessions {
            while let Some(event) = one.session.poll_event() {
                //= rfc3413#3.3-6c
                let Some(id) = one.sent.remove(&event.handle) else { continue };
                let event = match event.result {
                    Ok(response) => {
                        let status = response.error_status();
                        one.session.recycle(response);
                        // An undefined number does not acknowledge anything.
                        LinkEvent::Acknowledged(status.unwrap_or(ErrorStatus::GenErr))
                    }
                    Err(error @ RequestError::InvalidRequest(_)) => LinkEvent::Unsendable(error.to_string()),
                    Err(RequestError::NoKeys(engine_id)) => {
                        let error = DestinationError::NoKeys { user: Name::clone(user), engine_id };
                        LinkEvent::Failed(error.to_string())
                    }
                    // The peer of this session is a receiver, not an agent.
                    Err(error) => LinkEvent::Failed(error.to_string().replace("the agent", "the receiver")),
                };
                return Some((id, event));
            }
        }
        None
    }

    /// Returns true if no results are outstanding.
    pub(super) fn is_empty(&self) -> bool {
        self.sessions.iter().all(|one| one.sent.is_empty())
    }
}

#[cfg(test)]
mod tests;
