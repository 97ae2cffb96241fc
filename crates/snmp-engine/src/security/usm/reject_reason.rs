//! Reasons for rejecting received messages, and errors in preparing messages to send.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use portreeve_smi::SecurityLevel;
use portreeve_smi::ber::BufferFullError;

use super::parameters::SecurityParameters;
use super::users::UserKeys;

/// A rejected message, with the data for a Report about it.
pub struct UsmRejectError<'u> {
    /// The reason for the rejection.
    pub reason: UsmRejectReason,
    /// The security parameters of the message; all empty if the reason is
    /// [`UsmRejectReason::ParseError`].
    pub parameters: SecurityParameters,
    /// The user whose name the message contains, if that user exists. The digest proves that the
    /// message comes from that user only if the reason is [`UsmRejectReason::NotInTimeWindow`] or
    /// [`UsmRejectReason::DecryptionError`].
    pub user: Option<&'u Arc<UserKeys>>,
}

/// The reason why a received message is rejected (RFC 3414 §3.2). Each reason has at most one
/// counter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UsmRejectReason {
    /// The security parameters cannot be parsed: snmpInASNParseErrs.
    ParseError,
    /// The authoritative engine is unknown: usmStatsUnknownEngineIDs.
    UnknownEngineId,
    /// The user does not exist on that engine: usmStatsUnknownUserNames.
    UnknownUserName,
    /// The user has no key for the requested level: usmStatsUnsupportedSecLevels.
    UnsupportedSecurityLevel,
    /// The digest does not match the message: usmStatsWrongDigests.
    WrongDigest,
    /// The message is authentic, but outside the time window of this engine:
    /// usmStatsNotInTimeWindows.
    NotInTimeWindow,
    /// The message is authentic, but older than an earlier message of the sending engine. Such a
    /// message is neither counted nor reported.
    PeerNotInTimeWindow,
    /// The message is authentic, but the decrypted octets are not a scopedPDU:
    /// usmStatsDecryptionErrors.
    DecryptionError,
}

impl UsmRejectReason {
    /// Returns the security level of the Report to the sender; `None` if RFC 3414 defines no
    /// Report.
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

/// The reason why a message cannot be sent (RFC 3414 §3.1).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UsmSendError {
    /// unknownSecurityName: the user does not exist on that engine.
    UnknownSecurityName,
    /// unsupportedSecurityLevel: the user has no key for the level.
    UnsupportedSecurityLevel,
    /// encryptionError: the cipher rejected the scopedPDU.
    EncryptionError,
    /// authenticationFailure: the complete message has no room for its digest.
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
            Self::UnknownSecurityName => "the engine ID has no user of this name",
            Self::UnsupportedSecurityLevel => "the user has no key for this security level",
            Self::EncryptionError => "cannot encrypt message",
            Self::AuthenticationFailure => "cannot sign message",
            Self::BufferFull => "message does not fit into its buffer",
        })
    }
}

impl Error for UsmSendError {}
