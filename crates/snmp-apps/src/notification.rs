//! Notifications from SNMPv1 to SNMPv2 and back (RFC 3584 §3).
//!
//! The message is parsed when we get here. Which application translates is the caller's to say, for a proxy forwarder
//! keeps in variables what the other version has no field for. Sending, and counting what cannot be translated, are
//! the caller's too.

mod to_v1;
mod to_v2;

use std::fmt;

use portreeve_mib::{
    Object,
    modules::snmpv2_mib::{COLD_START, SNMP_TRAPS},
};
use portreeve_smi::{OidBuf, OidRef};

pub use to_v1::{AgentAddress, NotificationV1};
pub use to_v2::NotificationV2;

/// Why a received notification has no form in the other version. It is to be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranslationError {
    /// generic-trap is none of the seven.
    UnknownGenericTrap,
    /// specific-trap is negative: no sub-identifier can be.
    NegativeSpecificTrap,
    /// The enterprise is no identifier of two arcs or more.
    EnterpriseTooShort,
    /// The enterprise has no limits for the two arcs that make it an snmpTrapOID.
    EnterpriseTooLong,
    /// The first variable is not sysUpTime.0 with a TimeTicks.
    NoSysUpTime,
    /// The second variable is not snmpTrapOID.0 with an OBJECT IDENTIFIER.
    NoSnmpTrapOid,
    /// snmpTrapOID without its last arcs is no identifier.
    SnmpTrapOidTooShort,
    /// snmpTrapOID's last arc is above 2³¹-1, as no specific-trap can be.
    SpecificTrapTooLarge,
    /// A variable is a Counter64, which SNMPv1 does not know.
    Counter64,
    /// A variable has an exception in place of its value.
    Exception,
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownGenericTrap => "the generic-trap is none of SNMPv1's",
            Self::NegativeSpecificTrap => "the specific-trap is negative",
            Self::EnterpriseTooShort => "the enterprise is too short for an object identifier",
            Self::EnterpriseTooLong => "the enterprise leaves no limits for the number of its trap",
            Self::NoSysUpTime => "the first variable is not sysUpTime.0",
            Self::NoSnmpTrapOid => "the second variable is not snmpTrapOID.0",
            Self::SnmpTrapOidTooShort => "the snmpTrapOID is too short to name an enterprise",
            Self::SpecificTrapTooLarge => "the snmpTrapOID ends in a number too large for SNMPv1",
            Self::Counter64 => "a variable is a Counter64",
            Self::Exception => "a variable has no value",
        })
    }
}

impl std::error::Error for TranslationError {}

/// The only instance of a scalar.
fn instance(scalar: &Object) -> OidBuf {
    let mut name = scalar.oid();
    // Definitions are far shorter than the bound.
    let _ = name.push(0);
    name
}

fn is_instance(name: &OidRef<'_>, scalar: &Object) -> bool {
    matches!(name.to_buf().split_last(), Some((0, object)) if object == scalar.arcs())
}

/// The snmpTrapOID of coldStart (0) to egpNeighborLoss (5).
fn standard_trap_oid(generic: i32) -> Option<OidBuf> {
    let generic = u32::try_from(generic).ok().filter(|generic| STANDARD_TRAPS.contains(generic))?;
    let mut oid = SNMP_TRAPS.oid();
    oid.push(COLD_START.number() + generic).ok()?;
    Some(oid)
}

/// The generic-trap of an snmpTrapOID that has one.
fn generic_trap(snmp_trap_oid: &[u32]) -> Option<i32> {
    let (number, parent) = snmp_trap_oid.split_last()?;
    let generic = number.checked_sub(COLD_START.number())?;
    let standard = parent == SNMP_TRAPS.arcs() && STANDARD_TRAPS.contains(&generic);
    standard.then_some(generic).and_then(|generic| i32::try_from(generic).ok())
}

/// The values of generic-trap below enterpriseSpecific: each has its snmpTrapOID, in the same order.
const STANDARD_TRAPS: std::ops::RangeInclusive<u32> = 0..=5;

/// generic-trap of a trap that its enterprise has numbered.
const ENTERPRISE_SPECIFIC: i32 = 6;

#[cfg(test)]
mod tests;
