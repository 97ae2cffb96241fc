//! A received notification and its origin, as far as they are printed.

use portreeve_smi::{MessageProcessingModel, SecurityModel};
use portreeve_snmp_message::{TrapV1, VarBinds};

/// A received notification.
#[derive(Clone, Copy, Debug)]
pub struct Notification<'a> {
    /// The kind, with the variables.
    pub kind: NotificationKind<'a>,
    /// The version of the message.
    pub version: MessageProcessingModel,
    /// The principal.
    pub security: Security<'a>,
    /// The contextEngineID of SNMPv3; otherwise empty.
    pub context_engine_id: &'a [u8],
    /// The origin.
    pub source: Source<'a>,
    /// The time of receipt.
    pub received: ReceptionTime,
}

/// The kind of a notification.
#[derive(Clone, Copy, Debug)]
pub enum NotificationKind<'a> {
    /// The trap of SNMPv1.
    TrapV1(TrapV1<'a>),
    /// The trap of SNMPv2c and SNMPv3.
    Trap(VarBinds<'a>),
    /// An inform.
    Inform(VarBinds<'a>),
}

impl<'a> NotificationKind<'a> {
    /// Returns the variables.
    pub fn var_binds(&self) -> VarBinds<'a> {
        match self {
            Self::TrapV1(trap) => trap.var_binds,
            Self::Trap(var_binds) | Self::Inform(var_binds) => *var_binds,
        }
    }
}

/// The principal of a notification.
#[derive(Clone, Copy)]
pub enum Security<'a> {
    /// A community. It is printed, as in Net-SNMP.
    Community(&'a [u8]),
    /// A user of USM or of a secure session.
    User {
        /// The security model.
        model: SecurityModel,
        /// The securityName.
        name: &'a [u8],
        /// The contextName.
        context_name: &'a [u8],
    },
}

/// Omits the community, which is a secret.
impl std::fmt::Debug for Security<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Community(_) => f.write_str("Community"),
            Self::User { model, name, .. } => write!(f, "User({model:?}, {})", name.escape_ascii()),
        }
    }
}

/// The origin of a notification.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The transport and the addresses of both ends: `UDP: [192.0.2.1]:4000->[192.0.2.9]:162`.
    pub addresses: &'a str,
    /// The host name of the sender; its addresses if the name is unknown.
    pub host: &'a str,
    /// The host name of the address in a trap of SNMPv1, if it is known.
    pub agent_host: Option<&'a str>,
}

/// The time at which a notification was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceptionTime {
    /// The seconds since 1970.
    pub unix: u64,
    /// The local time.
    pub local: CalendarTime,
    /// The time in UTC.
    pub utc: CalendarTime,
}

/// A date and a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarTime {
    /// The year.
    pub year: u32,
    /// The month, from 1.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
    /// The hour, 0 to 23.
    pub hour: u32,
    /// The minute.
    pub minute: u32,
    /// The second, 0 to 60.
    pub second: u32,
}
