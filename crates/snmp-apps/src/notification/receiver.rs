//! The notification receiver (RFC 3413 §3.4): permits or refuses received notifications, and
//! acknowledges informs after they are stored.

mod access_rule;
mod acknowledgement;
mod received;
mod source_counts;

use std::{fmt, sync::Arc};

use portreeve_smi::TmStateReference;
use portreeve_snmp_engine::{IncomingNotification, NotificationContent};

pub use access_rule::{NotificationActions, NotificationRule};
pub use acknowledgement::{PendingAcknowledgement, StoreResult};
use received::NotificationKind;
pub use received::ReceivedNotification;
pub use source_counts::SourceCounts;

use super::TranslationError;

/// Decides which notifications are accepted. Without rules, all are refused.
#[derive(Debug, Default)]
pub struct NotificationReceiver {
    rules: Vec<NotificationRule>,
    refused: SourceCounts,
}

/// An accepted notification.
pub struct AcceptedNotification {
    /// The notification.
    pub notification: ReceivedNotification,
    /// The response to an inform; `None` for a trap.
    pub acknowledgement: Option<PendingAcknowledgement>,
}

/// The reason why a notification is refused. A refused inform is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedReason {
    /// No rule permits an action for the notification.
    NotPermitted,
    /// The notification has no valid snmpTrapOID or sysUpTime.
    Invalid(TranslationError),
}

impl fmt::Display for RefusedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPermitted => f.write_str("not permitted"),
            Self::Invalid(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for RefusedReason {}

impl NotificationReceiver {
    /// Creates a receiver. The actions of all rules that apply to a notification are permitted.
    pub fn new(rules: Vec<NotificationRule>) -> Self {
        Self { rules, refused: SourceCounts::default() }
    }

    /// Replaces the rules, for example after the configuration was changed.
    pub fn set_rules(&mut self, rules: Vec<NotificationRule>) {
        self.rules = rules;
    }

    /// Returns the counts of the refused notifications.
    pub fn refused(&self) -> &SourceCounts {
        &self.refused
    }

    /// Returns the counts of the refused notifications, and begins to count again.
    pub fn take_refused(&mut self) -> SourceCounts {
        std::mem::take(&mut self.refused)
    }

    /// Counts a message that the engine has rejected.
    pub fn count_rejected(&mut self, transport: &TmStateReference) {
        self.refused.count(transport.address);
    }

    /// Copies a notification that was received over `transport`, if a rule permits it.
    ///
    /// # Errors
    /// [`RefusedReason`] if the notification is invalid or not permitted. It has been counted.
    pub fn accept(
        &mut self,
        transport: &TmStateReference,
        notification: &IncomingNotification<'_>,
    ) -> Result<AcceptedNotification, RefusedReason> {
        let accepted = self.check(transport, notification);
        accepted.inspect_err(|_| self.refused.count(transport.address))
    }

    fn check(
        &self,
        transport: &TmStateReference,
        notification: &IncomingNotification<'_>,
    ) -> Result<AcceptedNotification, RefusedReason> {
        let kind = NotificationKind::of(&notification.content).map_err(RefusedReason::Invalid)?;
        let principal = notification.state.principal();
        let actions = self
            .rules
            .iter()
            .filter(|rule| rule.applies(&principal, transport.address, &kind.snmp_trap_oid))
            .fold(NotificationActions::default(), |actions, rule| actions.union(rule.actions));
        if actions.is_empty() {
            return Err(RefusedReason::NotPermitted);
        }
        //= rfc3413#3.4-4
        let received = ReceivedNotification::new(transport, notification, &kind, actions);
        let acknowledgement = match &notification.content {
            NotificationContent::Inform(_) => {
                Some(PendingAcknowledgement::new(&notification.state, Arc::clone(received.pdu())))
            }
            NotificationContent::TrapV1(_) | NotificationContent::TrapV2(_) => None,
        };
        Ok(AcceptedNotification { notification: received, acknowledgement })
    }
}

#[cfg(test)]
mod tests;
