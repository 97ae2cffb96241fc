//! What is wrong, and what to do about it.

use portreeve_channel::{ChannelError, Step};
use portreeve_snmp_manager::{Cause, Diagnosis};

use crate::record::Stage;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The step that failed.
    pub(crate) stage: Stage,
    /// What is wrong: a clause without a full stop.
    pub(crate) cause: String,
    /// What to do about it.
    pub(crate) cure: Option<String>,
    /// Whether it is not plain who is there, so that looking around may help.
    pub(crate) is_unclear: bool,
    /// What was found by looking around: sentences.
    pub(crate) surroundings: Vec<String>,
}

impl Finding {
    pub(crate) fn new(stage: Stage, cause: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            stage,
            cause: cause.into(),
            cure: Some(cure.into()),
            is_unclear: false,
            surroundings: Vec::new(),
        }
    }

    /// What SNMP's own table of causes says.
    pub(crate) fn diagnosed(stage: Stage, diagnosis: &Diagnosis) -> Self {
        let is_unclear = matches!(
            diagnosis.cause,
            Cause::NothingListens | Cause::CommunitySilent | Cause::NoEngine | Cause::ConnectionClosed
        );
        Self { is_unclear, ..Self::new(stage, diagnosis.cause.to_string(), diagnosis.fix) }
    }
}

impl From<ChannelError> for Finding {
    fn from(error: ChannelError) -> Self {
        let ChannelError { step, cause, cure } = error;
        let is_unclear = matches!(step, Step::Connect | Step::Negotiate | Step::Data);
        let cure = cure.or_else(|| (step == Step::Resolve).then(|| NO_ADDRESS.to_owned()));
        Self { stage: Stage::Channel(step), cause, cure, is_unclear, surroundings: Vec::new() }
    }
}

/// What helps where nothing comes back.
pub(crate) const FIREWALL: &str = "check the address, that the host is up, and firewalls between";
/// What helps where a name has no address.
pub(crate) const NO_ADDRESS: &str =
    "check how the name is spelled, and that it has an address of the family asked for";
