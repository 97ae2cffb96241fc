//! Why a request has no answer, and whose fault it is.

use std::fmt;

use portreeve_smi::SecurityLevel;

/// Why a request ended without a Response. Nothing secret is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// Network or peer: no acceptable answer came. Names the last message that was not taken for it, if any came.
    Timeout(Option<DropReason>),
    /// Peer: it refused the request with a Report.
    Rejected(RejectReason),
    /// Caller: the request cannot be expressed.
    InvalidRequest(InvalidRequestError),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout(None) => f.write_str("no answer came in time"),
            Self::Timeout(Some(ignored)) => {
                write!(f, "no acceptable answer came in time; the last message was ignored: {ignored}")
            }
            Self::Rejected(refusal) => refusal.fmt(f),
            Self::InvalidRequest(misuse) => misuse.fmt(f),
        }
    }
}

impl std::error::Error for RequestError {}

/// What a Report said (RFC 3412 §7.2, RFC 3413 §3.2, RFC 3414 §3.2, §5, RFC 5591 §5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// usmStatsUnsupportedSecLevels
    UnsupportedSecurityLevel,
    /// usmStatsNotInTimeWindows, again after the clocks were synchronised.
    NotInTimeWindow,
    /// usmStatsUnknownUserNames
    UnknownUserName,
    /// usmStatsUnknownEngineIDs, again after the engine was discovered.
    UnknownEngineId,
    /// usmStatsWrongDigests
    WrongDigest,
    /// usmStatsDecryptionErrors
    DecryptionError,
    /// snmpUnknownSecurityModels
    UnknownSecurityModel,
    /// snmpInvalidMsgs
    InvalidMessage,
    /// snmpUnknownPDUHandlers
    UnknownPduHandler,
    /// snmpUnavailableContexts
    UnavailableContext,
    /// snmpUnknownContexts
    UnknownContext,
    /// snmpTsmInvalidCaches
    InvalidCache,
    /// snmpTsmInadequateSecurityLevels
    InadequateSecurityLevel,
    /// snmpTsmUnknownPrefixes, snmpTsmInvalidPrefixes
    InvalidPrefix,
    /// A counter that no RFC names.
    Other,
}

impl fmt::Display for RejectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnsupportedSecurityLevel => "the agent does not offer this user the security level asked for",
            Self::NotInTimeWindow => "the agent's clock does not agree with the one it has just told",
            Self::UnknownUserName => "the agent does not know this user",
            Self::UnknownEngineId => "the agent does not answer for this engine ID",
            Self::WrongDigest => {
                "the agent found the authentication wrong: pass phrase or protocol differ from what it has"
            }
            Self::DecryptionError => {
                "the agent could not decrypt the request: privacy pass phrase or protocol differ from what it has"
            }
            Self::UnknownSecurityModel => "the agent does not support this security model",
            Self::InvalidMessage => "the agent found the message invalid",
            Self::UnknownPduHandler => "the agent does not handle such requests for this context engine ID",
            Self::UnavailableContext => "the agent's context is not available now",
            Self::UnknownContext => "the agent does not have this context",
            Self::InvalidCache => "the agent's session does not tell it who asks",
            Self::InadequateSecurityLevel => "the agent's session protects less than the request asks for",
            Self::InvalidPrefix => "the agent's prefixes of securityNames do not fit this transport",
            Self::Other => "the agent refused the request with a report of its own making",
        })
    }
}

/// What a caller asked for that cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidRequestError {
    /// SNMPv1 has no GetBulkRequest.
    BulkInV1,
    /// SNMPv1 has no Counter64.
    Counter64InV1,
    /// The message would exceed what may be sent.
    TooLong,
}

impl fmt::Display for InvalidRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BulkInV1 => "SNMPv1 has no GetBulk request",
            Self::Counter64InV1 => "SNMPv1 has no Counter64",
            Self::TooLong => "the request is too long for one message",
        })
    }
}

/// Why a message that arrived was not taken for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// It is no SNMP message.
    Malformed,
    /// Its SNMP version is not the request's.
    WrongVersion,
    /// Its community is not the request's.
    WrongCommunity,
    /// It is neither a Response nor a Report.
    NotAResponse,
    /// Its msgID or request-id belongs to no request on its way.
    UnknownRequest,
    /// It answers about other objects than those asked for.
    WrongObjects,
    /// Its security model is not the request's.
    WrongSecurityModel,
    /// It comes from another engine or is about another context.
    WrongEngine,
    /// Its user is not the request's.
    WrongUser,
    /// It is protected at this level, below the request's.
    LowerSecurityLevel(SecurityLevel),
    /// Its digest is wrong.
    WrongDigest,
    /// It is outside the time window.
    NotInTimeWindow,
    /// It cannot be decrypted.
    NotDecryptable,
    /// Its engine ID has not 5 to 32 octets.
    InvalidEngineIdLength,
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "it is not a valid SNMP message",
            Self::WrongVersion => "it has another SNMP version",
            Self::WrongCommunity => "it has another community",
            Self::NotAResponse => "it is not a response",
            Self::UnknownRequest => "it answers a request that was not made",
            Self::WrongObjects => "it answers about other objects than those asked for",
            Self::WrongSecurityModel => "it uses another security model",
            Self::WrongEngine => "it comes from another engine or context",
            Self::WrongUser => "it is for another user",
            Self::LowerSecurityLevel(level) => {
                return write!(f, "it is protected at {level} only, less than the request");
            }
            Self::WrongDigest => "its authentication is wrong",
            Self::NotInTimeWindow => "it is too old, or the agent's clock has been set back",
            Self::NotDecryptable => "it cannot be decrypted",
            Self::InvalidEngineIdLength => "its engine ID does not have 5 to 32 octets",
        })
    }
}
