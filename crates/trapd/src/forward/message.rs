//! The translation of a notification for a destination (RFC 3584 §3), and its transmission.

use std::io;

use portreeve_smi::ClockReading;
use portreeve_snmp_apps::{AgentAddress, NotificationV1};
use portreeve_snmp_manager::{Client, ClientError, Operation, Request, RequestError, TrapSender};
use portreeve_snmp_message::{TrapV1, VarBinds, encoded_names};

use super::{ForwardError, ForwardedNotification};
use crate::{NotificationKind, handler::translated};

/// A notification in the form of the version in which it is sent.
pub(super) enum Message<'n> {
    V1(TrapV1<'n>),
    TranslatedV1(Box<NotificationV1<'n>>),
    V2(VarBinds<'n>),
    /// The encoded variables.
    TranslatedV2(Vec<u8>),
}

impl<'n> Message<'n> {
    pub(super) fn translate(
        notification: ForwardedNotification<'n>,
        is_v1: bool,
    ) -> Result<Self, ForwardError> {
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

    pub(super) fn send_trap(&self, sender: &mut TrapSender, clock: ClockReading) -> Result<(), ForwardError> {
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

    pub(super) fn send_inform(&self, client: &mut Client) -> Result<(), ForwardError> {
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
