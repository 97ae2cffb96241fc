//! Finds the likely cause of a failed request, and a remedy, from everything the session has seen.
//!
//! [`cause`] is the table of causes and their texts. This module selects a cause: from a Report's
//! counter, from the messages that were dropped before a timeout, and from missing replies. Nothing
//! is sent here; [`probe`] contains the additional requests of a [`crate::Client`].

mod cause;
mod evidence;
mod identity;
mod probe;

use std::{fmt, io};

use portreeve_smi::{ErrorStatus, Oid, SecurityLevel};

use crate::{DropReason, RejectReason, RequestError, Session};
pub use cause::Cause;
pub(crate) use evidence::{ClockHistory, Evidence};
pub use identity::SessionIdentity;
pub(crate) use probe::{Probe, ProbeReply};

/// The likely cause of a failure and its remedy. Displayed as one sentence.
///
/// ```
/// use portreeve_snmp_manager::{Cause, Diagnosis};
///
/// let diagnosis = Diagnosis::from(Cause::WrongAuthentication { user: "ops".to_owned() });
/// assert!(diagnosis.to_string().starts_with("wrong authentication pass phrase for user ops"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The likely cause of the failure.
    pub cause: Cause,
    /// The sentence that suggests the remedy.
    pub fix: &'static str,
}

impl Diagnosis {
    /// Explains a failure to reach the agent or to keep the connection; `None` if the system's own
    /// error message is sufficient.
    pub fn from_io(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Some(Cause::PortClosed.into()),
            io::ErrorKind::HostUnreachable => Some(Cause::HostUnreachable.into()),
            io::ErrorKind::NetworkUnreachable => Some(Cause::NetworkUnreachable.into()),
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
                Some(Cause::ConnectionClosed.into())
            }
            _ => None,
        }
    }
}

impl From<Cause> for Diagnosis {
    fn from(cause: Cause) -> Self {
        let fix = cause.fix();
        Self { cause, fix }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.cause, self.fix)
    }
}

impl Session {
    /// Explains why a request of this session received no Response.
    pub fn explain(&self, error: &RequestError) -> Diagnosis {
        match error {
            RequestError::Rejected(refusal) => self.explain_rejection(*refusal),
            RequestError::Timeout(dropped) => self.explain_silence(*dropped),
            RequestError::InvalidRequest(misuse) => Cause::InvalidRequest(*misuse),
            RequestError::NoKeys(engine_id) => Cause::NoKeys { engine_id: *engine_id },
        }
        .into()
    }

    /// Explains an error-status in the Response to a request for `name`; `None` if the status needs
    /// no explanation.
    pub fn explain_status(&self, status: ErrorStatus, name: &[u32]) -> Option<Diagnosis> {
        let identity = self.identity();
        let name = Oid::new(name).unwrap_or_default();
        let cause = match status {
            ErrorStatus::NoSuchName => Cause::NotInView { name, identity },
            ErrorStatus::AuthorizationError => Cause::AccessDenied { identity, context: self.context_name() },
            ErrorStatus::NoAccess => Cause::NoAccess { name, identity },
            ErrorStatus::ReadOnly | ErrorStatus::NotWritable => Cause::NotWritable { name },
            ErrorStatus::TooBig => Cause::TooBig,
            _ => return None,
        };
        Some(cause.into())
    }

    /// Explains why the agent reported that `name` does not exist or has nothing below it.
    pub fn explain_absence(&self, name: &[u32]) -> Diagnosis {
        Cause::NotInView { name: Oid::new(name).unwrap_or_default(), identity: self.identity() }.into()
    }

    fn explain_rejection(&self, refusal: RejectReason) -> Cause {
        let user = || self.identity().name();
        match refusal {
            RejectReason::WrongDigest => Cause::WrongAuthentication { user: user() },
            RejectReason::DecryptionError => Cause::WrongPrivacy { user: user() },
            RejectReason::UnknownUserName => Cause::UnknownUser { user: user() },
            RejectReason::UnsupportedSecurityLevel => {
                Cause::UnsupportedLevel { user: user(), level: self.identity().level() }
            }
            RejectReason::NotInTimeWindow => self.out_of_time(),
            RejectReason::UnknownEngineId if self.is_engine_configured() => Cause::WrongEngineId,
            RejectReason::UnknownEngineId => Cause::EngineIdChanged,
            RejectReason::UnknownContext => Cause::UnknownContext { context: self.context_name() },
            RejectReason::UnavailableContext => Cause::UnavailableContext { context: self.context_name() },
            RejectReason::UnknownPduHandler => Cause::UnknownContextEngine,
            RejectReason::UnknownSecurityModel if self.identity() == SessionIdentity::Transport => {
                Cause::TsmNotSupported
            }
            RejectReason::UnknownSecurityModel => Cause::UsmNotSupported,
            RejectReason::InvalidMessage => Cause::InvalidMessage,
            RejectReason::InvalidCache
            | RejectReason::InadequateSecurityLevel
            | RejectReason::InvalidPrefix => Cause::SessionRejected(refusal),
            RejectReason::Other => Cause::UnknownReport,
        }
    }

    fn explain_silence(&self, dropped: Option<DropReason>) -> Cause {
        if let Some(reason) = dropped {
            return self.explain_drop(reason);
        }
        if self.evidence().has_response() {
            return Cause::StoppedResponding;
        }
        match self.identity() {
            SessionIdentity::Community { .. } => Cause::NoReplyToCommunity,
            SessionIdentity::User { .. } if self.engine_id().is_none() => Cause::NoReplyToDiscovery,
            SessionIdentity::Transport => Cause::NoReplyInSession,
            // The agent reports its clock only for correctly authenticated messages, so encryption
            // must have failed.
            SessionIdentity::User { name, level: SecurityLevel::AuthPriv }
                if self.clock_history().is_some_and(ClockHistory::has_authentic_message) =>
            {
                Cause::NoReplyToEncrypted { user: name }
            }
            SessionIdentity::User { .. } => Cause::NoReplyAfterDiscovery,
        }
    }

    fn out_of_time(&self) -> Cause {
        self.clock_history().map_or(Cause::ClockRejected, |witness| witness.cause(self.engine_id()))
    }

    fn explain_drop(&self, reason: DropReason) -> Cause {
        match reason {
            DropReason::NotInTimeWindow => self.out_of_time(),
            DropReason::UnknownRequest => Cause::LateResponse,
            _ => Cause::Dropped(reason),
        }
    }
}
