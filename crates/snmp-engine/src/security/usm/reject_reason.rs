//! What can be wrong with a message, received or to be sent.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use portreeve_smi::SecurityLevel;
use portreeve_smi::ber::BufferFullError;

use super::parameters::SecurityParameters;
use super::users::UserKeys;

/// A received message that is not passed on, with what a Report about it is made from.
pub struct UsmRejection<'u> {
    /// What was wrong.
    pub reason: UsmRejectReason,
    /// The message's security parameters; all empty after [`UsmRejectReason::ParseError`].
    pub parameters: SecurityParameters,
    /// The user it claimed to come from, if there is one. Only after [`UsmRejectReason::NotInTimeWindow`] and
    /// [`UsmRejectReason::DecryptionError`] is it proven that it did.
    pub user: Option<&'u Arc<UserKeys>>,
}

/// Why a received message is not passed on (RFC 3414 §3.2). Each has one counter, or none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UsmRejectReason {
    /// The security parameters do not parse: snmpInASNParseErrs.
    ParseError,
    /// Meant for, or coming from, an engine that is not known here: usmStatsUnknownEngineIDs.
    UnknownEngineId,
    /// No such user on that engine: usmStatsUnknownUserNames.
    UnknownUserName,
    /// The user has no key for the level asked for: usmStatsUnsupportedSecLevels.
    UnsupportedSecurityLevel,
    /// The digest is not the message's: usmStatsWrongDigests.
    WrongDigest,
    /// Authentic, but outside our own time window: usmStatsNotInTimeWindows.
    NotInTimeWindow,
    /// Authentic, but older than what the sending engine sent before. Neither counted nor reported.
    PeerNotInTimeWindow,
    /// Authentic, but what was decrypted is no scopedPDU: usmStatsDecryptionErrors.
    DecryptionError,
}

impl UsmRejectReason {
    /// The security level of the Report that tells the sender; `None` where RFC 3414 sends none.
    pub fn report_level(self) -> Option<SecurityLevel> {
        match self {
            Self::ParseError | Self::PeerNotInTimeWindow => None,
            //= rfc3414#3.2-7a
            Self::NotInTimeWindow => Some(SecurityLevel::AuthNoPriv),
            Self::UnknownEngineId
            | Self::UnknownUserName
            | Self::UnsupportedSecurityLevel
            | Self::WrongDigest
            | Self::DecryptionError => Some(SecurityLevel::NoAuthNoPriv),
        }
    }
}

/// Why a message of our own cannot be sent (RFC 3414 §3.1).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UsmSendError {
    /// unknownSecurityName: no such user on that engine.
    UnknownSecurityName,
    /// unsupportedSecurityLevel: the user has no key for it.
    UnsupportedSecurityLevel,
    /// encryptionError: the cipher refused the scopedPDU.
    EncryptionError,
    /// authenticationFailure: the finished message has no place for its digest.
    AuthenticationFailure,
    /// The buffer has no room for the security parameters or the padding.
    BufferFull,
}

impl From<BufferFullError> for UsmSendError {
    fn from(_: BufferFullError) -> Self {
        Self::BufferFull
    }
}

impl fmt::Display for UsmSendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownSecurityName => "no such user is known for that engine",
            Self::UnsupportedSecurityLevel => "the user has no key for that security level",
            Self::EncryptionError => "the message cannot be encrypted",
            Self::AuthenticationFailure => "the message cannot be signed",
            Self::BufferFull => "the message does not fit its buffer",
        })
    }
}

impl Error for UsmSendError {}
