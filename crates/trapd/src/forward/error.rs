//! Errors of forwarding.

use std::{error::Error, fmt, io};

use portreeve_smi::ErrorStatus;
use portreeve_snmp_apps::TranslationError;
use portreeve_snmp_manager::RequestError;

/// A destination that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidDestinationError {
    /// A session over SSH, TLS or DTLS needs a key or a certificate.
    NoSessionCredentials,
    /// The transport has no sessions.
    NoSession,
    /// SNMPv1 has no informs.
    InformInV1,
}

impl fmt::Display for InvalidDestinationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSessionCredentials => {
                "SSH, TLS and DTLS need a key or a certificate: add a [[forward]] to portreeve-trapd.toml"
            }
            Self::NoSession => "UDP, TCP and Unix sockets have no sessions: use a user or a community",
            Self::InformInV1 => "SNMPv1 has no informs: forward traps, or use SNMPv2c or SNMPv3",
        })
    }
}

impl Error for InvalidDestinationError {}

/// The reason why a notification was not forwarded. It contains no secrets.
#[derive(Debug)]
pub enum ForwardError {
    /// The notification was received in SNMPv3 or in a session, so that it has no community.
    NoCredentials,
    /// The version of the destination cannot represent the notification.
    Translation(TranslationError),
    /// The message cannot be encoded.
    Unsendable(String),
    /// The destination cannot be reached.
    Unreachable(io::Error),
    /// The destination did not confirm the inform.
    NotConfirmed(RequestError),
    /// The destination refused the inform with this error-status.
    Refused(i32),
    /// The destination did not confirm the inform, but several times the one after it.
    OthersConfirmed,
}

impl ForwardError {
    /// Returns whether the same notification can never be forwarded to the same destination.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::NoCredentials | Self::Translation(_) | Self::Unsendable(_) | Self::OthersConfirmed => true,
            Self::Refused(status) => *status == ErrorStatus::TooBig as i32,
            Self::Unreachable(_) | Self::NotConfirmed(_) => false,
        }
    }
}

impl fmt::Display for ForwardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCredentials => f.write_str(
                "the notification has no community: set a user or a community for the destination",
            ),
            Self::Translation(error) => write!(f, "the notification cannot be translated: {error}"),
            Self::Unsendable(error) => write!(f, "the notification cannot be sent: {error}"),
            Self::Unreachable(error) => write!(f, "the destination cannot be reached: {error}"),
            Self::NotConfirmed(error) => write!(f, "the destination did not confirm the inform: {error}"),
            Self::Refused(status) => {
                write!(f, "the destination refused the inform with error-status {status}")
            }
            Self::OthersConfirmed => {
                f.write_str("the destination did not confirm the inform, but others that were sent after it")
            }
        }
    }
}

impl Error for ForwardError {}
