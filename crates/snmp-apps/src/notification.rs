//! Notifications: the originator's choice of recipients (RFC 3413 §3.3), the queue of one inform
//! target, the receiver (RFC 3413 §3.4), and translation from SNMPv1 to SNMPv2 and back (RFC 3584
//! §3).
//!
//! For a translation, the caller parses the message. It also specifies if a proxy forwarder
//! translates the notification: a proxy forwarder keeps the fields that the other version lacks, as
//! variables. The caller also sends the result and counts notifications that cannot be translated.

mod inform_queue;
mod originator;
mod receiver;
mod to_v1;
mod to_v2;

use std::fmt;

use portreeve_mib::{
    Object,
    modules::snmpv2_mib::{COLD_START, SNMP_TRAPS},
};
use portreeve_smi::{OidBuf, OidRef};

pub use inform_queue::{InformQueue, QueueEntry, QueueFullError, QueueLimits, QueueStatus};
pub use originator::{
    InvalidNotificationError, Notification, Recipient, Recipients, Withheld, WithheldReason, recipient_named,
    recipients,
};
pub use receiver::{
    AcceptedNotification, NotificationActions, NotificationReceiver, NotificationRule,
    PendingAcknowledgement, ReceivedNotification, RefusedReason, SourceCounts, StoreResult,
};
pub use to_v1::{AgentAddress, NotificationV1};
pub use to_v2::NotificationV2;

/// The reason why a received notification cannot be translated. The notification must be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranslationError {
    /// generic-trap is not one of the seven defined values (0 to 6).
    UnknownGenericTrap,
    /// specific-trap is negative, so that it cannot become a sub-identifier.
    NegativeSpecificTrap,
    /// The enterprise is not an identifier of two arcs or more.
    EnterpriseTooShort,
    /// The enterprise has no room for the two arcs that turn it into an snmpTrapOID.
    EnterpriseTooLong,
    /// The first variable is not sysUpTime.0 of type TimeTicks.
    NoSysUpTime,
    /// The second variable is not snmpTrapOID.0 of type OBJECT IDENTIFIER.
    NoSnmpTrapOid,
    /// snmpTrapOID is too short to contain an enterprise of at least two arcs.
    SnmpTrapOidTooShort,
    /// The last arc of snmpTrapOID is above 2³¹-1 and cannot become a specific-trap.
    SpecificTrapTooLarge,
    /// A variable has the type Counter64, which does not exist in SNMPv1.
    Counter64,
    /// A variable contains an exception instead of a value.
    Exception,
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownGenericTrap => "unknown generic-trap",
            Self::NegativeSpecificTrap => "negative specific-trap",
            Self::EnterpriseTooShort => "enterprise is too short for an object identifier",
            Self::EnterpriseTooLong => "enterprise is too long to append the trap number",
            Self::NoSysUpTime => "first variable is not sysUpTime.0",
            Self::NoSnmpTrapOid => "second variable is not snmpTrapOID.0",
            Self::SnmpTrapOidTooShort => "snmpTrapOID is too short to contain an enterprise",
            Self::SpecificTrapTooLarge => "last arc of snmpTrapOID is too large for SNMPv1",
            Self::Counter64 => "variable of type Counter64",
            Self::Exception => "variable without a value",
        })
    }
}

impl std::error::Error for TranslationError {}

/// Returns the name of the only instance of a scalar.
fn instance(scalar: &Object) -> OidBuf {
    let mut name = scalar.oid();
    // Ignore the error: identifiers of definitions are far shorter than the limit.
    let _ = name.push(0);
    name
}

fn is_instance(name: &OidRef<'_>, scalar: &Object) -> bool {
    matches!(name.to_buf().split_last(), Some((0, object)) if object == scalar.arcs())
}

/// Returns the snmpTrapOID of coldStart (0) to egpNeighborLoss (5).
fn standard_trap_oid(generic: i32) -> Option<OidBuf> {
    let generic = u32::try_from(generic).ok().filter(|generic| STANDARD_TRAPS.contains(generic))?;
    let mut oid = SNMP_TRAPS.oid();
    oid.push(COLD_START.number() + generic).ok()?;
    Some(oid)
}

/// Returns the generic-trap of a standard snmpTrapOID; `None` for any other snmpTrapOID.
fn generic_trap(snmp_trap_oid: &[u32]) -> Option<i32> {
    let (number, parent) = snmp_trap_oid.split_last()?;
    let generic = number.checked_sub(COLD_START.number())?;
    let standard = parent == SNMP_TRAPS.arcs() && STANDARD_TRAPS.contains(&generic);
    standard.then_some(generic).and_then(|generic| i32::try_from(generic).ok())
}

/// The values of generic-trap below enterpriseSpecific. Each has its own snmpTrapOID, in the same
/// order.
const STANDARD_TRAPS: std::ops::RangeInclusive<u32> = 0..=5;

/// The value of generic-trap for a trap whose number is assigned by its enterprise.
const ENTERPRISE_SPECIFIC: i32 = 6;

#[cfg(test)]
mod tests;
