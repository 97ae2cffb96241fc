//! Why did a request fail, and what helps? One likely cause in one sentence, from all that the session has seen.
//!
//! [`cause`] is the table of causes with their words. Here it is decided which one it is: from a Report's counter,
//! from the messages that were ignored before a timeout, and from what the agent left out. Nothing is sent here;
//! what a [`crate::Client`] finds out by asking more is in [`probe`].

mod asker;
mod cause;
mod evidence;
mod probe;

use std::{fmt, io};

use portreeve_smi::{ErrorStatus, Oid, SecurityLevel};

use crate::{Ignored, Refusal, RequestError, Session};
pub use asker::Asker;
pub use cause::Cause;
pub(crate) use evidence::{ClockWitness, Evidence};
pub(crate) use probe::{Probe, Sign};

/// What is likely wrong, and what to do about it. As text it is one sentence.
///
/// ```
/// use portreeve_snmp_manager::{Cause, Diagnosis};
///
/// let diagnosis = Diagnosis::from(Cause::WrongAuthentication { user: "ops".to_owned() });
/// assert!(diagnosis.to_string().starts_with("wrong authentication pass phrase for user ops"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// What is likely wrong.
    pub cause: Cause,
    /// What to do about it.
    pub fix: &'static str,
}

impl Diagnosis {
    /// What a failure to reach the agent, or to keep the connection, comes from; `None` where the system's own words
    /// say it all.
    pub fn from_io(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Some(Cause::NothingListens.into()),
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
    /// Why a request of this session has no answer.
    pub fn explain(&self, error: &RequestError) -> Diagnosis {
        match error {
            RequestError::Refused(refusal) => self.refused(*refusal),
            RequestError::Timeout(ignored) => self.silent(*ignored),
            RequestError::Misuse(misuse) => Cause::Misuse(*misuse),
        }
        .into()
    }

    /// Why the agent has answered a request about `name` with this error-status; `None` where the status says it all.
    pub fn explain_status(&self, status: ErrorStatus, name: &[u32]) -> Option<Diagnosis> {
        let asker = self.asker();
        let name = Oid::new(name).unwrap_or_default();
        let cause = match status {
            ErrorStatus::NoSuchName => Cause::NoView { name, asker },
            ErrorStatus::AuthorizationError => Cause::NoRights { asker, context: self.context_name() },
            ErrorStatus::NoAccess => Cause::NoAccess { name, asker },
            ErrorStatus::ReadOnly | ErrorStatus::NotWritable => Cause::NotWritable { name },
            ErrorStatus::TooBig => Cause::TooBig,
            _ => return None,
        };
        Some(cause.into())
    }

    /// Why the agent has said that there is no `name`, or nothing below it.
    pub fn explain_absence(&self, name: &[u32]) -> Diagnosis {
        Cause::NoView { name: Oid::new(name).unwrap_or_default(), asker: self.asker() }.into()
    }

    fn refused(&self, refusal: Refusal) -> Cause {
        let user = || self.asker().name();
        match refusal {
            Refusal::WrongDigest => Cause::WrongAuthentication { user: user() },
            Refusal::DecryptionError => Cause::WrongPrivacy { user: user() },
            Refusal::UnknownUserName => Cause::UnknownUser { user: user() },
            Refusal::UnsupportedSecurityLevel => {
                Cause::LevelNotOffered { user: user(), level: self.asker().level() }
            }
            Refusal::NotInTimeWindow => self.out_of_time(),
            Refusal::UnknownEngineId if self.is_engine_configured() => Cause::OtherEngineId,
            Refusal::UnknownEngineId => Cause::ChangingEngineId,
            Refusal::UnknownContext => Cause::UnknownContext { context: self.context_name() },
            Refusal::UnavailableContext => Cause::UnavailableContext { context: self.context_name() },
            Refusal::UnknownPduHandler => Cause::UnknownContextEngine,
            Refusal::UnknownSecurityModel if self.asker() == Asker::Session => Cause::NoTsm,
            Refusal::UnknownSecurityModel => Cause::NoUsm,
            Refusal::InvalidMessage => Cause::InvalidMessage,
            Refusal::InvalidCache | Refusal::InadequateSecurityLevel | Refusal::InvalidPrefix => {
                Cause::SessionRefused(refusal)
            }
            Refusal::Other => Cause::StrangeReport,
        }
    }

    fn silent(&self, ignored: Option<Ignored>) -> Cause {
        if let Some(ignored) = ignored {
            return self.ignored(ignored);
        }
        if self.evidence().has_answered() {
            return Cause::StoppedAnswering;
        }
        match self.asker() {
            Asker::Community { .. } => Cause::CommunitySilent,
            Asker::User { .. } if self.engine_id().is_none() => Cause::NoEngine,
            Asker::Session => Cause::SilentInSession,
            // The clock is told to whoever signs right: what went wrong after that is the encryption.
            Asker::User { name, level: SecurityLevel::AuthPriv }
                if self.clock_witness().is_some_and(ClockWitness::has_heard) =>
            {
                Cause::SilentOnEncrypted { user: name }
            }
            Asker::User { .. } => Cause::SilentAfterDiscovery,
        }
    }

    fn out_of_time(&self) -> Cause {
        self.clock_witness().map_or(Cause::ClockRefused, |witness| witness.cause(self.engine_id()))
    }

    fn ignored(&self, ignored: Ignored) -> Cause {
        match ignored {
            Ignored::NotInTimeWindow => self.out_of_time(),
            Ignored::UnknownRequest => Cause::TooLate,
            _ => Cause::Ignored(ignored),
        }
    }
}
