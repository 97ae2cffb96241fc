//! The reasons for rejecting a received message, and one table of their consequences.

use portreeve_mib::{
    Object,
    modules::{mpd_mib, target_mib, tsm_mib, usm_mib},
};
use portreeve_smi::SecurityLevel;

use crate::{security::usm::UsmRejectReason, statistics::Counter};

/// The reason why a received message was not passed to an application, or why an application
/// rejected it as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// The message is not valid BER, or not a valid message of its SNMP version.
    Malformed,
    /// No message processing model supports the version.
    BadVersion,
    /// The community does not exist, or may not be used from this origin.
    BadCommunityName,
    /// No security model has this msgSecurityModel.
    UnknownSecurityModel,
    /// The flags require privacy without authentication.
    InvalidMessage,
    /// The User-based Security Model rejected the message.
    Usm(UsmRejectReason),
    /// The Transport Security Model rejected the message.
    Tsm(TsmRejectReason),
    /// No application serves this PDU type for this contextEngineID.
    UnknownPduHandler,
    /// The message is a response or Report without a pending request.
    Unexpected,
    /// The context does not exist.
    UnknownContext,
    /// The context exists but is currently unavailable.
    UnavailableContext,
    /// Even an error response is larger than the peer accepts.
    ResponseTooBig,
}

/// The reason why the Transport Security Model rejected a message (RFC 5591 §5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TsmRejectReason {
    /// The transport did not authenticate the peer.
    InvalidCache,
    /// The security level of the session is lower than the level that the message claims.
    InadequateSecurityLevel,
    /// No prefix is defined for the transport, but the configuration requires prefixes.
    UnknownPrefix,
}

/// The counter to increment and the Report to send for a reject reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// The counter to increment; `None` if the RFC defines none.
    pub counter: Option<Counter>,
    /// The Report to send, if the message allows one.
    pub report: Option<ReportSpec>,
}

/// A Report to be sent: the counter that it contains, and its security level.
#[derive(Clone, Copy, Debug)]
pub struct ReportSpec {
    /// The definition of the counter's object.
    pub object: &'static Object,
    /// The counter whose value is reported.
    pub counter: Counter,
    /// The security level of the Report; `None` for the level of the rejected message.
    pub level: Option<SecurityLevel>,
}

impl PartialEq for ReportSpec {
    fn eq(&self, other: &Self) -> bool {
        self.counter == other.counter && self.level == other.level
    }
}

impl Eq for ReportSpec {}

impl RejectReason {
    /// Returns true if the message was not properly authenticated (authenticationFailure, RFC
    /// 3418). An unknown engine ID does not count: a manager discovers the engine ID with it.
    pub fn is_authentication_failure(self) -> bool {
        match self {
            Self::BadCommunityName => true,
            Self::Usm(reason) => matches!(
                reason,
                UsmRejectReason::UnknownUserName
                    | UsmRejectReason::WrongDigest
                    | UsmRejectReason::DecryptionError
                    | UsmRejectReason::UnsupportedSecurityLevel
            ),
            Self::Tsm(reason) => reason == TsmRejectReason::InvalidCache,
            _ => false,
        }
    }

    /// Returns true for the rejections with which a sender discovers the ID and the clock of this
    /// engine (RFC 3414 §4).
    pub fn is_discovery(self) -> bool {
        matches!(self, Self::Usm(UsmRejectReason::UnknownEngineId | UsmRejectReason::NotInTimeWindow))
    }

    /// Returns the counter of this reason and the Report to send.
    pub fn consequence(self) -> Consequence {
        let silent = |counter| Consequence { counter: Some(counter), report: None };
        let reported = |counter, object| Consequence {
            counter: Some(counter),
            report: Some(ReportSpec { object, counter, level: None }),
        };
        match self {
            //= rfc3412#7.2-2
            Self::Malformed => silent(Counter::SnmpInAsnParseErrs),
            Self::BadVersion => silent(Counter::SnmpInBadVersions),
            //= rfc3584#5.2.1-p1
            Self::BadCommunityName => silent(Counter::SnmpInBadCommunityNames),
            //= rfc3412#7.2-4
            Self::UnknownSecurityModel => silent(Counter::SnmpUnknownSecurityModels),
            //= rfc3412#7.2-5d
            Self::InvalidMessage => silent(Counter::SnmpInvalidMsgs),
            Self::Usm(reason) => usm(reason),
            Self::Tsm(reason) => tsm(reason),
            Self::UnknownPduHandler => {
                reported(Counter::SnmpUnknownPduHandlers, &mpd_mib::SNMP_UNKNOWN_PDU_HANDLERS)
            }
            //= rfc3412#7.2-10a
            Self::Unexpected => Consequence { counter: Some(Counter::SnmpUnknownPduHandlers), report: None },
            //= rfc3413#3.2-5-p3
            Self::UnknownContext => {
                reported(Counter::SnmpUnknownContexts, &target_mib::SNMP_UNKNOWN_CONTEXTS)
            }
            //= rfc3413#3.2-5-p4
            Self::UnavailableContext => {
                reported(Counter::SnmpUnavailableContexts, &target_mib::SNMP_UNAVAILABLE_CONTEXTS)
            }
            Self::ResponseTooBig => silent(Counter::SnmpSilentDrops),
        }
    }
}

/// Only a level above that of the session causes a Report, because its sender has a session and can
/// retry with a lower level.
fn tsm(reason: TsmRejectReason) -> Consequence {
    let silent = |counter| Consequence { counter: Some(counter), report: None };
    match reason {
        //= rfc5591#5.2-2
        TsmRejectReason::InvalidCache => silent(Counter::SnmpTsmInvalidCaches),
        //= rfc5591#5.2-3
        TsmRejectReason::UnknownPrefix => silent(Counter::SnmpTsmUnknownPrefixes),
        //= rfc5591#5.2-4
        TsmRejectReason::InadequateSecurityLevel => {
            let counter = Counter::SnmpTsmInadequateSecurityLevels;
            let object = &tsm_mib::SNMP_TSM_INADEQUATE_SECURITY_LEVELS;
            let level = Some(SecurityLevel::NoAuthNoPriv);
            Consequence { counter: Some(counter), report: Some(ReportSpec { object, counter, level }) }
        }
    }
}

fn usm(reason: UsmRejectReason) -> Consequence {
    let (counter, object) = match reason {
        //= rfc3414#3.2-1
        UsmRejectReason::ParseError => {
            return Consequence { counter: Some(Counter::SnmpInAsnParseErrs), report: None };
        }
        //= rfc3414#3.2-7b2
        UsmRejectReason::PeerNotInTimeWindow => return Consequence { counter: None, report: None },
        //= rfc3414#3.2-3b
        UsmRejectReason::UnknownEngineId => {
            (Counter::UsmStatsUnknownEngineIds, &usm_mib::USM_STATS_UNKNOWN_ENGINE_IDS)
        }
        //= rfc3414#3.2-4
        UsmRejectReason::UnknownUserName => {
            (Counter::UsmStatsUnknownUserNames, &usm_mib::USM_STATS_UNKNOWN_USER_NAMES)
        }
        //= rfc3414#3.2-5
        UsmRejectReason::UnsupportedSecurityLevel => {
            (Counter::UsmStatsUnsupportedSecLevels, &usm_mib::USM_STATS_UNSUPPORTED_SEC_LEVELS)
        }
        //= rfc3414#3.2-6a
        UsmRejectReason::WrongDigest => (Counter::UsmStatsWrongDigests, &usm_mib::USM_STATS_WRONG_DIGESTS),
        //= rfc3414#3.2-7a
        UsmRejectReason::NotInTimeWindow => {
            (Counter::UsmStatsNotInTimeWindows, &usm_mib::USM_STATS_NOT_IN_TIME_WINDOWS)
        }
        //= rfc3414#3.2-8a
        UsmRejectReason::DecryptionError => {
            (Counter::UsmStatsDecryptionErrors, &usm_mib::USM_STATS_DECRYPTION_ERRORS)
        }
    };
    let report = reason.report_level().map(|level| ReportSpec { object, counter, level: Some(level) });
    Consequence { counter: Some(counter), report }
}

#[cfg(test)]
mod tests;
