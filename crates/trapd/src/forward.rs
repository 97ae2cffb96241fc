//! Forwards notifications to another receiver.
//!
//! ```text
//! ForwardQueue ─► Forwarder: version of the destination (RFC 3584 §3) ─► Connection: message
//! ```
//!
//! The receiver of a forwarded SNMPv2 notification does not learn the address of its sender. An
//! SNMPv1 trap contains it, also after its translation (snmpTrapAddress).

mod connection;
mod destination;
mod error;
mod form;
mod message;
mod queue;

use std::{sync::Arc, time::Instant};

use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineId, MessageProcessingModel};
use portreeve_snmp_apps::ReceivedNotification;

use crate::{Notification, NotificationKind, Security};
use connection::Connection;
pub use destination::{ForwardCredentials, ForwardDestination, ForwardKind};
pub use error::{ForwardError, InvalidDestinationError};
use form::MessageForm;
use message::Message;
pub use queue::{ForwardQueue, ForwardQueueFullError, ForwardQueueLimits, ForwardReport};

/// The parts of a notification that are forwarded.
#[derive(Clone, Copy)]
pub struct ForwardedNotification<'a> {
    /// The kind, with the variables.
    pub kind: NotificationKind<'a>,
    /// The version of the received message.
    pub version: MessageProcessingModel,
    /// The community of the received message; `None` for a user.
    pub community: Option<&'a [u8]>,
}

impl<'a> ForwardedNotification<'a> {
    /// Returns the parts of an accepted notification. `is_inform` is false for a trap.
    pub fn of(received: &'a ReceivedNotification, is_inform: bool) -> Self {
        let community = received.community.as_ref().map(Secret::expose);
        let (kind, version) = match received.trap_v1() {
            Some(trap) => (NotificationKind::TrapV1(trap), MessageProcessingModel::V1),
            None => {
                let variables = received.var_binds();
                let is_v3 = community.is_none();
                let version = if is_v3 { MessageProcessingModel::V3 } else { MessageProcessingModel::V2c };
                let kind: fn(_) -> _ =
                    if is_inform { NotificationKind::Inform } else { NotificationKind::Trap };
                (kind(variables), version)
            }
        };
        Self { kind, version, community }
    }
}

impl<'a> From<&Notification<'a>> for ForwardedNotification<'a> {
    fn from(notification: &Notification<'a>) -> Self {
        let community = match notification.security {
            Security::Community(community) => Some(community),
            Security::User { .. } => None,
        };
        Self { kind: notification.kind, version: notification.version, community }
    }
}

/// Forwards notifications to one destination. Its methods wait for the network: use it on a thread
/// of its own.
pub struct Forwarder {
    destination: Arc<ForwardDestination>,
    engine_id: EngineId,
    connections: Vec<Connection>,
}

impl Forwarder {
    /// Creates a forwarder. It connects when the first notification is forwarded. `engine_id` is
    /// that of this receiver, which is authoritative for SNMPv3 traps.
    ///
    /// # Errors
    /// The destination is invalid: see [`ForwardDestination::check`].
    pub fn new(
        destination: impl Into<Arc<ForwardDestination>>,
        engine_id: EngineId,
    ) -> Result<Self, InvalidDestinationError> {
        let destination = destination.into();
        destination.check()?;
        Ok(Self { destination, engine_id, connections: Vec::new() })
    }

    /// Forwards a notification. `clock` is the reading of this receiver's own clock.
    ///
    /// A trap has been sent when this returns; an inform has been confirmed. If a connection has
    /// ended, it is opened again once.
    ///
    /// # Errors
    /// The notification cannot be represented in the version of the destination, the destination
    /// cannot be reached, or it does not confirm an inform.
    pub fn forward(
        &mut self,
        notification: ForwardedNotification<'_>,
        clock: ClockReading,
        now: Instant,
    ) -> Result<(), ForwardError> {
        let form = MessageForm::of(&self.destination, notification)?;
        let message = Message::translate(notification, form.version == MessageProcessingModel::V1)?;
        if let Some(position) = self.connections.iter().position(|open| open.carries(&form)) {
            let open = self.connections.swap_remove(position);
            if !open.is_stale(now) {
                match self.send(open, &message, clock, now) {
                    // The destination may have closed a connection that was idle.
                    Err(ForwardError::Unreachable(_)) => {}
                    result => return result,
                }
            }
        }
        let opened = Connection::open(&self.destination, form, self.engine_id, now);
        let opened = opened.map_err(ForwardError::Unreachable)?;
        self.send(opened, &message, clock, now)
    }

    /// Closes all connections.
    pub fn close(&mut self) {
        self.connections.clear();
    }

    /// Sends a message over a connection, which stays open unless it fails.
    fn send(
        &mut self,
        mut connection: Connection,
        message: &Message<'_>,
        clock: ClockReading,
        now: Instant,
    ) -> Result<(), ForwardError> {
        let result = connection.send(message, clock, now);
        // A destination that accepts a connection and never answers gets a new one.
        if !matches!(result, Err(ForwardError::Unreachable(_) | ForwardError::NotConfirmed(_))) {
            // Communities are few, because only those that are configured are accepted.
            if self.connections.len() >= MAX_CONNECTIONS {
                self.connections.clear();
            }
            self.connections.push(connection);
        }
        result
    }
}

/// The maximum number of open connections.
const MAX_CONNECTIONS: usize = 64;

#[cfg(test)]
mod tests;
