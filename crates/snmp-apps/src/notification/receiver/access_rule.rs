//! Rules that permit principals to send notifications.

use portreeve_smi::{Oid, SecurityLevel, SecurityModel, TransportAddress};
use portreeve_snmp_engine::{access::vacm::Principal, senders::SourcePrefix};

/// The actions that are permitted for a notification. The default permits none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotificationActions {
    /// The notification may be logged and printed.
    pub log: bool,
    /// Handlers may be run for the notification.
    pub execute: bool,
    /// The notification may be forwarded.
    pub forward: bool,
}

impl NotificationActions {
    /// All actions.
    pub const ALL: Self = Self { log: true, execute: true, forward: true };

    /// Returns whether no action is permitted.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Returns the actions that `self` or `other` permits.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            log: self.log || other.log,
            execute: self.execute || other.execute,
            forward: self.forward || other.forward,
        }
    }
}

/// Permits a principal to send notifications. Each condition that is empty or `None` is met by
/// every notification.
#[derive(Clone, Debug)]
pub struct NotificationRule {
    /// The security model that authenticates the principal.
    pub security_model: Option<SecurityModel>,
    /// The securityName of the principal.
    pub security_name: Option<Vec<u8>>,
    /// The minimum security level of the message.
    pub min_level: SecurityLevel,
    /// The sources of the message.
    pub sources: Vec<SourcePrefix>,
    /// The subtree that contains the snmpTrapOID.
    pub subtree: Option<Oid>,
    /// The actions that the rule permits.
    pub actions: NotificationActions,
}

impl NotificationRule {
    /// Returns whether the rule applies to a notification.
    pub(super) fn applies(
        &self,
        principal: &Principal<'_>,
        source: TransportAddress,
        snmp_trap_oid: &[u32],
    ) -> bool {
        self.security_model.is_none_or(|model| model == principal.security_model)
            && self.security_name.as_ref().is_none_or(|name| *name == principal.security_name)
            && self.min_level <= principal.security_level
            && SourcePrefix::any_contains(&self.sources, source)
            && self.subtree.as_ref().is_none_or(|subtree| snmp_trap_oid.starts_with(subtree.arcs()))
    }
}
