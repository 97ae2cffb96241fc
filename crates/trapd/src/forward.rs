//! Forwards notifications to another receiver.
//!
//! ```text
//! received v1, v2c, v3 ──▶ version of the destination (RFC 3584 §3) ──▶ trap or inform
//! ```
//!
//! The receiver of a forwarded SNMPv2 notification does not learn the address of its sender. An
//! SNMPv1 trap contains it, also after its translation (snmpTrapAddress).

mod error;
mod queue;

use std::{
    io,
    time::{Duration, Instant},
};

use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineId, MessageProcessingModel};
use portreeve_snmp_apps::{AgentAddress, NotificationV1, ReceivedNotification};
use portreeve_snmp_manager::{
    Client, ClientError, Credentials, Operation, PeerAddress, Request, RequestError, SessionOptions,
    TrapSender, UsmUser,
};
use portreeve_snmp_message::{TrapV1, VarBinds, encoded_names};

use crate::{Notification, NotificationKind, Security, handler_input::translated};
pub use error::{ForwardError, InvalidDestinationError};
pub use queue::{ForwardQueue, ForwardQueueFullError, ForwardQueueLimits};

/// The parts of a notification that are forwarded.
#[derive(Clone, Copy)]
pub struct ForwardedNotification<'a> {
    /// The kind, with the variables. Traps and informs are forwarded alike.
    pub kind: NotificationKind<'a>,
    /// The version of the received message.
    pub version: MessageProcessingModel,
    /// The community of the received message; `None` for a user.
    pub community: Option<&'a [u8]>,
}

impl<'a> ForwardedNotification<'a> {
    /// Returns the parts of an accepted notification.
    pub fn of(received: &'a ReceivedNotification) -> Self {
        let community = received.community.as_ref().map(Secret::expose);
        match (received.trap_v1(), community) {
            (Some(trap), _) => {
                Self { kind: NotificationKind::TrapV1(trap), version: MessageProcessingModel::V1, community }
            }
            (None, _) => {
                let is_v3 = community.is_none();
                let version = if is_v3 { MessageProcessingModel::V3 } else { MessageProcessingModel::V2c };
                Self { kind: NotificationKind::Trap(received.var_binds()), version, community }
            }
        }
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

/// A receiver to which notifications are forwarded.
pub struct ForwardDestination {
    /// The address. The transport must be UDP, TCP or a Unix socket.
    pub address: PeerAddress,
    /// The version and the credentials of the messages.
    pub credentials: ForwardCredentials,
    /// True if the destination confirms notifications: they are sent as informs. SNMPv1 traps that
    /// are forwarded as received stay traps.
    pub is_confirmed: bool,
    /// The retransmission of informs, the time to connect, and the context.
    pub options: SessionOptions,
}

/// The version and the credentials of forwarded messages.
pub enum ForwardCredentials {
    /// The version and the community of the received message. SNMPv3 notifications cannot be
    /// forwarded.
    AsReceived,
    /// SNMPv1 with this community.
    V1(Secret),
    /// SNMPv2c with this community.
    V2c(Secret),
    /// SNMPv3 with this user. For traps, the user must be known to the destination with the engine
    /// ID of the forwarder.
    V3(UsmUser),
}

impl ForwardDestination {
    /// Checks that notifications can be forwarded to the destination.
    ///
    /// # Errors
    /// The transport is not supported, or SNMPv1 cannot send informs.
    pub fn check(&self) -> Result<(), InvalidDestinationError> {
        if self.address.transport.is_secure() {
            return Err(InvalidDestinationError::UnsupportedTransport);
        }
        if self.is_confirmed && matches!(self.credentials, ForwardCredentials::V1(_)) {
            return Err(InvalidDestinationError::InformInV1);
        }
        Ok(())
    }
}

/// Forwards notifications to one destination. Its methods wait for the network: use it on a thread
/// of its own.
pub struct Forwarder {
    destination: ForwardDestination,
    engine_id: EngineId,
    connections: Vec<Connection>,
    /// The time before which the destination is not connected to again.
    paused_until: Option<Instant>,
}

/// A connection, and the credentials of its messages.
struct Connection {
    version: MessageProcessingModel,
    community: Option<Secret>,
    sender: Sender,
}

enum Sender {
    Traps(Box<TrapSender>),
    Informs(Box<Client>),
}

impl Forwarder {
    /// Creates a forwarder. It connects when the first notification is forwarded. `engine_id` is
    /// that of this receiver, which is authoritative for SNMPv3 traps.
    ///
    /// # Errors
    /// The destination is invalid: see [`ForwardDestination::check`].
    pub fn new(
        destination: ForwardDestination,
        engine_id: EngineId,
    ) -> Result<Self, InvalidDestinationError> {
        destination.check()?;
        Ok(Self { destination, engine_id, connections: Vec::new(), paused_until: None })
    }

    /// Forwards a notification. `clock` is the reading of this receiver's own clock.
    ///
    /// A trap has been sent when this returns; an inform has been confirmed. If a connection has
    /// ended, it is opened again once. If it cannot be opened, no notification is forwarded for ten
    /// seconds.
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
        let (version, community) = self.identity(notification)?;
        let message = Message::translate(notification, version == MessageProcessingModel::V1)?;
        let is_open = self.connections.iter().any(|connection| connection.is_for(version, community));
        match self.send(version, community, &message, clock, now) {
            // The destination may have closed a connection that was idle.
            Err(ForwardError::Unreachable(_)) if is_open => {
                self.send(version, community, &message, clock, now)
            }
            result => result,
        }
    }

    /// Returns the version and the community of the forwarded message.
    fn identity<'n>(
        &self,
        notification: ForwardedNotification<'n>,
    ) -> Result<(MessageProcessingModel, Option<&'n [u8]>), ForwardError> {
        match (&self.destination.credentials, notification.community) {
            (ForwardCredentials::V1(_), _) => Ok((MessageProcessingModel::V1, None)),
            (ForwardCredentials::V2c(_), _) => Ok((MessageProcessingModel::V2c, None)),
            (ForwardCredentials::V3(_), _) => Ok((MessageProcessingModel::V3, None)),
            (ForwardCredentials::AsReceived, Some(community)) => Ok((notification.version, Some(community))),
            (ForwardCredentials::AsReceived, None) => Err(ForwardError::NoCredentials),
        }
    }

    fn send(
        &mut self,
        version: MessageProcessingModel,
        community: Option<&[u8]>,
        message: &Message<'_>,
        clock: ClockReading,
        now: Instant,
    ) -> Result<(), ForwardError> {
        let mut connection = self.connect(version, community, now)?;
        let result = match &mut connection.sender {
            Sender::Traps(sender) => message.send_trap(sender, clock),
            Sender::Informs(client) => message.send_inform(client),
        };
        // A connection that has failed is not used again.
        if !matches!(result, Err(ForwardError::Unreachable(_))) {
            self.connections.push(connection);
        }
        result
    }

    /// Takes a connection, or opens one.
    fn connect(
        &mut self,
        version: MessageProcessingModel,
        community: Option<&[u8]>,
        now: Instant,
    ) -> Result<Connection, ForwardError> {
        if let Some(position) = self.connections.iter().position(|open| open.is_for(version, community)) {
            return Ok(self.connections.swap_remove(position));
        }
        if self.paused_until.is_some_and(|until| now < until) {
            return Err(ForwardError::Paused);
        }
        let opened = self.open(version, community);
        self.paused_until = opened.is_err().then(|| now + PAUSE);
        let sender = opened.map_err(ForwardError::Unreachable)?;
        // Communities are few, because only those that are configured are accepted.
        if self.connections.len() >= MAX_CONNECTIONS {
            self.connections.clear();
        }
        Ok(Connection { version, community: community.map(Secret::from), sender })
    }

    fn open(&self, version: MessageProcessingModel, community: Option<&[u8]>) -> io::Result<Sender> {
        let ForwardDestination { address, credentials, is_confirmed, options } = &self.destination;
        let credentials = match (credentials, community.map(Secret::from), version) {
            (ForwardCredentials::V1(community), ..) => Credentials::V1(community.duplicate()),
            (ForwardCredentials::V2c(community), ..) => Credentials::V2c(community.duplicate()),
            (ForwardCredentials::V3(user), ..) => Credentials::V3(user.duplicate()),
            (ForwardCredentials::AsReceived, community, MessageProcessingModel::V1) => {
                Credentials::V1(community.unwrap_or_else(|| Secret::from("")))
            }
            (ForwardCredentials::AsReceived, community, _) => {
                Credentials::V2c(community.unwrap_or_else(|| Secret::from("")))
            }
        };
        if *is_confirmed && version != MessageProcessingModel::V1 {
            return Ok(Sender::Informs(Box::new(Client::open(address, credentials, options)?)));
        }
        let sender = TrapSender::open(address, credentials, self.engine_id, options)?;
        Ok(Sender::Traps(Box::new(sender)))
    }
}

impl Connection {
    fn is_for(&self, version: MessageProcessingModel, community: Option<&[u8]>) -> bool {
        self.version == version && self.community.as_ref().map(Secret::expose) == community
    }
}

/// A notification in the form of the version in which it is sent.
enum Message<'n> {
    V1(TrapV1<'n>),
    TranslatedV1(Box<NotificationV1<'n>>),
    V2(VarBinds<'n>),
    /// The encoded variables.
    TranslatedV2(Vec<u8>),
}

impl<'n> Message<'n> {
    fn translate(notification: ForwardedNotification<'n>, is_v1: bool) -> Result<Self, ForwardError> {
        match (notification.kind, is_v1) {
            (NotificationKind::TrapV1(trap), true) => Ok(Self::V1(trap)),
            (NotificationKind::TrapV1(trap), false) => {
                let community = notification.community.unwrap_or_default();
                translated(&trap, community).map(Self::TranslatedV2).map_err(ForwardError::Translation)
            }
            (NotificationKind::Trap(variables) | NotificationKind::Inform(variables), true) => {
                let trap = NotificationV1::from_var_binds(variables, AgentAddress::Forwarded);
                trap.map(|trap| Self::TranslatedV1(Box::new(trap))).map_err(ForwardError::Translation)
            }
            (NotificationKind::Trap(variables) | NotificationKind::Inform(variables), false) => {
                Ok(Self::V2(variables))
            }
        }
    }

    /// Returns the variables of SNMPv2; none for SNMPv1.
    fn variables(&self) -> VarBinds<'_> {
        match self {
            Self::V1(_) | Self::TranslatedV1(_) => VarBinds::default(),
            Self::V2(variables) => *variables,
            Self::TranslatedV2(octets) => VarBinds::from_validated(octets, encoded_names(octets).count()),
        }
    }

    fn send_trap(&self, sender: &mut TrapSender, clock: ClockReading) -> Result<(), ForwardError> {
        let sent = match self {
            Self::V1(trap) => sender.send_v1(trap),
            Self::TranslatedV1(trap) => sender.send_v1(&trap.to_trap()),
            Self::V2(_) | Self::TranslatedV2(_) => sender.send(clock, self.variables()),
        };
        sent.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => ForwardError::Unsendable(error.to_string()),
            _ => ForwardError::Unreachable(error),
        })
    }

    fn send_inform(&self, client: &mut Client) -> Result<(), ForwardError> {
        let mut request = Request::new(Operation::Inform);
        for bind in self.variables().iter() {
            request.push(&bind.name.to_buf(), bind.value);
        }
        match client.request(&request) {
            Ok(response) if response.is_error() => Err(ForwardError::Refused(response.error_status_number())),
            Ok(_) => Ok(()),
            Err(ClientError::Request(RequestError::InvalidRequest(error))) => {
                Err(ForwardError::Unsendable(error.to_string()))
            }
            Err(ClientError::Request(error)) => Err(ForwardError::NotConfirmed(error)),
            Err(ClientError::Io(error)) => Err(ForwardError::Unreachable(error)),
        }
    }
}

/// The pause after a connection could not be opened.
const PAUSE: Duration = Duration::from_secs(10);
/// The maximum number of open connections.
const MAX_CONNECTIONS: usize = 64;

#[cfg(test)]
mod tests;
