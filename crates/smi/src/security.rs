//! Security levels, security models and message processing models (RFC 3411 §3.4.3, §5).

use std::{fmt, str::FromStr};

/// The protection of a message, ordered from the weakest to the strongest level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SecurityLevel {
    /// Neither authenticated nor encrypted.
    NoAuthNoPriv = 1,
    /// Authenticated but not encrypted.
    AuthNoPriv = 2,
    /// Authenticated and encrypted.
    AuthPriv = 3,
}

impl SecurityLevel {
    /// Returns the level with this number in a MIB.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::NoAuthNoPriv),
            2 => Some(Self::AuthNoPriv),
            3 => Some(Self::AuthPriv),
            _ => None,
        }
    }

    /// Returns whether messages carry a digest.
    pub fn is_authenticated(self) -> bool {
        self >= Self::AuthNoPriv
    }

    /// Returns whether messages are encrypted.
    pub fn is_private(self) -> bool {
        self == Self::AuthPriv
    }

    /// Returns the RFC's spelling, such as `authPriv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoAuthNoPriv => "noAuthNoPriv",
            Self::AuthNoPriv => "authNoPriv",
            Self::AuthPriv => "authPriv",
        }
    }
}

impl fmt::Display for SecurityLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SecurityLevel {
    type Err = ();

    /// Parses the RFC's spelling or the short one (`nanp`, `anp`, `ap`), ignoring case.
    fn from_str(text: &str) -> Result<Self, ()> {
        [
            (Self::NoAuthNoPriv, "noAuthNoPriv", "nanp"),
            (Self::AuthNoPriv, "authNoPriv", "anp"),
            (Self::AuthPriv, "authPriv", "ap"),
        ]
        .into_iter()
        .find(|(_, name, short)| text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(short))
        .map(|(level, ..)| level)
        .ok_or(())
    }
}

/// SnmpSecurityModel: the number of the security model that authenticates a securityName.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecurityModel(pub u32);

impl SecurityModel {
    /// Any model; used only in access entries.
    pub const ANY: Self = Self(0);
    /// SNMPv1 communities.
    pub const SNMP_V1: Self = Self(1);
    /// SNMPv2c communities.
    pub const SNMP_V2C: Self = Self(2);
    /// The User-based Security Model (RFC 3414).
    pub const USM: Self = Self(3);
    /// The Transport Security Model (RFC 5591).
    pub const TSM: Self = Self(4);
}

impl fmt::Display for SecurityModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ANY => f.write_str("any"),
            Self::SNMP_V1 => f.write_str("v1"),
            Self::SNMP_V2C => f.write_str("v2c"),
            Self::USM => f.write_str("usm"),
            Self::TSM => f.write_str("tsm"),
            Self(other) => write!(f, "{other}"),
        }
    }
}

/// SnmpMessageProcessingModel: the SNMP version of messages. The discriminants are the `version` on
/// the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum MessageProcessingModel {
    /// SNMPv1 (RFC 1157).
    V1 = 0,
    /// SNMPv2c (RFC 1901).
    V2c = 1,
    /// SNMPv3 (RFC 3412).
    V3 = 3,
}
