//! The reasons why received messages are dropped.

use std::fmt;

use portreeve_smi::SecurityLevel;
use portreeve_snmp_engine::statistics::Counter;

/// The reason why a received message was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// The message is not a valid SNMP message.
    Malformed,
    /// The number of the SNMP version is not known.
    UnknownVersion,
    /// The SNMP version differs from the request's.
    WrongVersion,
    /// The community differs from the request's.
    WrongCommunity,
    /// The message is neither a Response nor a Report.
    NotAResponse,
    /// The msgID or request-id does not belong to any request in flight.
    UnknownRequest,
    /// The objects differ from the requested ones.
    WrongObjects,
    /// The security model differs from the request's.
    WrongSecurityModel,
    /// The flags of the message require privacy without authentication.
    InvalidFlags,
    /// The message comes from another engine.
    WrongEngine,
    /// The message concerns another context.
    WrongContext,
    /// The user differs from the request's.
    WrongUser,
    /// The user has no keys for the security level of the message.
    UnsupportedLevel,
    /// The security level of the message is lower than the request's. The contained value is the
    /// level of the message.
    LowerSecurityLevel(SecurityLevel),
    /// The authentication digest is wrong.
    WrongDigest,
    /// The message is outside the time window.
    NotInTimeWindow,
    /// The message cannot be decrypted.
    NotDecryptable,
    /// The engine ID does not have 5 to 32 octets.
    InvalidEngineIdLength,
}

impl DropReason {
    /// Returns the counter that an engine must increment when it drops a message for this reason;
    /// `None` if the RFCs define none. A program that is not an engine need not count.
    pub fn counter(self) -> Option<Counter> {
        Some(match self {
            //= rfc3412#7.2-2
            //= rfc3412#7.2-7
            //= rfc3414#3.2-1
            Self::Malformed => Counter::SnmpInAsnParseErrs,
            Self::UnknownVersion => Counter::SnmpInBadVersions,
            //= rfc3584#5.2.1-p1
            Self::WrongCommunity => Counter::SnmpInBadCommunityNames,
            //= rfc3412#7.2-4
            Self::WrongSecurityModel => Counter::SnmpUnknownSecurityModels,
            //= rfc3412#7.2-5d
            Self::InvalidFlags => Counter::SnmpInvalidMsgs,
            // No application waits for the message (RFC 3412 §4.2.2.2).
            //= rfc3412#7.2-10a
            Self::WrongVersion | Self::NotAResponse | Self::UnknownRequest => Counter::SnmpUnknownPduHandlers,
            //= rfc3414#3.2-3b
            Self::WrongEngine | Self::InvalidEngineIdLength => Counter::UsmStatsUnknownEngineIds,
            //= rfc3414#3.2-4
            Self::WrongUser => Counter::UsmStatsUnknownUserNames,
            //= rfc3414#3.2-5
            Self::UnsupportedLevel => Counter::UsmStatsUnsupportedSecLevels,
            //= rfc3414#3.2-6a
            Self::WrongDigest => Counter::UsmStatsWrongDigests,
            //= rfc3414#3.2-8a
            Self::NotDecryptable => Counter::UsmStatsDecryptionErrors,
            // The comparison with the request has no counter, and neither has the time window of an
            // engine that is not authoritative.
            //= rfc3412#7.2-12b
            //= rfc3414#3.2-7b2
            Self::WrongObjects | Self::WrongContext | Self::LowerSecurityLevel(_) | Self::NotInTimeWindow => {
                return None;
            }
        })
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not a valid SNMP message",
            Self::UnknownVersion => "the SNMP version is not known",
            Self::WrongVersion => "the SNMP version differs from that of the request",
            Self::WrongCommunity => "the community differs from that of the request",
            Self::NotAResponse => "the message is not a response",
            Self::UnknownRequest => "the message does not match any request",
            Self::WrongObjects => "the objects in the message differ from the requested objects",
            Self::WrongSecurityModel => "the security model differs from that of the request",
            Self::InvalidFlags => "the flags of the message require privacy without authentication",
            Self::WrongEngine => "the message comes from another engine",
            Self::WrongContext => "the message concerns another context",
            Self::WrongUser => "the user differs from that of the request",
            Self::UnsupportedLevel => "the user has no keys for the security level of the message",
            Self::LowerSecurityLevel(level) => {
                return write!(f, "the security level {level} is lower than that of the request");
            }
            Self::WrongDigest => "the authentication digest is wrong",
            Self::NotInTimeWindow => "the message is too old, or the agent's clock has been set back",
            Self::NotDecryptable => "the message cannot be decrypted",
            Self::InvalidEngineIdLength => "the engine ID does not have 5 to 32 octets",
        })
    }
}
