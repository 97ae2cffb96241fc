//! Reasons why a request received no Response, grouped by the side at fault.

use std::fmt;

use portreeve_smi::EngineId;

use crate::DropReason;

/// The reason why a request ended without a Response. It contains no secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// Network or peer: no acceptable Response arrived in time. Contains the drop reason of the
    /// last message that was received and dropped, if there was one.
    Timeout(Option<DropReason>),
    /// Peer: it rejected the request with a Report.
    Rejected(RejectReason),
    /// Caller: the request cannot be encoded for this session.
    InvalidRequest(InvalidRequestError),
    /// Caller: the user has no keys for the engine that was discovered.
    NoKeys(EngineId),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout(None) => f.write_str("no response arrived in time"),
            Self::Timeout(Some(ignored)) => {
                write!(f, "no acceptable response arrived in time; the last message was dropped: {ignored}")
            }
            Self::Rejected(refusal) => refusal.fmt(f),
            Self::InvalidRequest(misuse) => misuse.fmt(f),
            Self::NoKeys(id) => write!(f, "the user has no keys for the engine {id}"),
        }
    }
}

impl std::error::Error for RequestError {}

/// The cause that a Report indicates (RFC 3412 §7.2, RFC 3413 §3.2, RFC 3414 §3.2, §5, RFC 5591
/// §5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// The counter usmStatsUnsupportedSecLevels: the user does not support the security level.
    UnsupportedSecurityLevel,
    /// The counter usmStatsNotInTimeWindows, although the clocks were synchronized before.
    NotInTimeWindow,
    /// The counter usmStatsUnknownUserNames: the engine does not know the user.
    UnknownUserName,
    /// The counter usmStatsUnknownEngineIDs, although the engine ID was discovered before.
    UnknownEngineId,
    /// The counter usmStatsWrongDigests: the authentication digest is wrong.
    WrongDigest,
    /// The counter usmStatsDecryptionErrors: the engine could not decrypt the message.
    DecryptionError,
    /// The counter snmpUnknownSecurityModels: the engine does not support the security model.
    UnknownSecurityModel,
    /// The counter snmpInvalidMsgs: the message is invalid.
    InvalidMessage,
    /// The counter snmpUnknownPDUHandlers: the agent does not serve this kind of request for the
    /// context engine ID.
    UnknownPduHandler,
    /// The counter snmpUnavailableContexts: the context exists but is not available.
    UnavailableContext,
    /// The counter snmpUnknownContexts: the context does not exist.
    UnknownContext,
    /// The counter snmpTsmInvalidCaches: the agent has no authenticated identity for the session.
    InvalidCache,
    /// The counter snmpTsmInadequateSecurityLevels: the session does not provide the security
    /// level.
    InadequateSecurityLevel,
    /// The counter snmpTsmUnknownPrefixes or snmpTsmInvalidPrefixes: the prefix of the agent's
    /// securityName does not match the transport.
    InvalidPrefix,
    /// A counter that this crate does not know.
    Other,
}

impl fmt::Display for RejectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnsupportedSecurityLevel => {
                "the agent does not allow the requested security level for this user"
            }
            Self::NotInTimeWindow => "the agent rejected the engine time that it had just reported",
            Self::UnknownUserName => "the agent does not have this user",
            Self::UnknownEngineId => "the agent does not have this engine ID",
            Self::WrongDigest => {
                "wrong authentication pass phrase or protocol: the agent rejected the digest of the request"
            }
            Self::DecryptionError => {
                "wrong privacy pass phrase or protocol: the agent could not decrypt the request"
            }
            Self::UnknownSecurityModel => "the agent does not support this security model",
            Self::InvalidMessage => "the agent rejected the message as invalid",
            Self::UnknownPduHandler => {
                "the agent does not support this kind of request for this context engine ID"
            }
            Self::UnavailableContext => "the context is currently not available on the agent",
            Self::UnknownContext => "the agent does not have this context",
            Self::InvalidCache => "the agent has no authenticated identity for this session",
            Self::InadequateSecurityLevel => {
                "the session's security level is lower than the request requires"
            }
            Self::InvalidPrefix => "the agent's securityName prefix does not match this transport",
            Self::Other => "the agent rejected the request with a Report whose counter is unknown",
        })
    }
}

/// The reason why a caller's request cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidRequestError {
    /// The operation is GetBulk, which SNMPv1 does not have.
    BulkInV1,
    /// A value is a Counter64, which SNMPv1 does not have.
    Counter64InV1,
    /// The operation is Inform, which SNMPv1 does not have.
    InformInV1,
    /// The trap has the form of SNMPv2, but its message would be one of SNMPv1.
    TrapV2InV1,
    /// The trap has the form of SNMPv1, but its message would not be one of SNMPv1.
    TrapV1InV2,
    /// The message would exceed the maximum message size.
    TooLong,
}

impl fmt::Display for InvalidRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BulkInV1 => "SNMPv1 has no GetBulk request",
            Self::Counter64InV1 => "SNMPv1 has no Counter64",
            Self::InformInV1 => "SNMPv1 has no Inform request",
            Self::TrapV2InV1 => "SNMPv1 has no SNMPv2 trap",
            Self::TrapV1InV2 => "only SNMPv1 has a trap of this form",
            Self::TooLong => "the request is too long for one message",
        })
    }
}

impl std::error::Error for InvalidRequestError {}
