//! What is wrong, and what to do about it.

use portreeve_channel::{ChannelError, ChannelStep};
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
    pub(crate) hint: Option<String>,
    /// Whether it is not plain who is there, so that looking around may help.
    pub(crate) is_peer_unclear: bool,
    /// What was found by looking around: sentences.
    pub(crate) neighbors: Vec<String>,
}

impl Finding {
    pub(crate) fn new(stage: Stage, cause: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            stage,
            cause: cause.into(),
            hint: Some(cure.into()),
            is_peer_unclear: false,
            neighbors: Vec::new(),
        }
    }

    /// What SNMP's own table of causes says.
    pub(crate) fn diagnosed(stage: Stage, diagnosis: &Diagnosis) -> Self {
        let is_unclear = matches!(
            diagnosis.cause,
            Cause::PortClosed
                | Cause::NoReplyToCommunity
                | Cause::NoReplyToDiscovery
                | Cause::ConnectionClosed
        );
        Self { is_peer_unclear: is_unclear, ..Self::new(stage, diagnosis.cause.to_string(), diagnosis.fix) }
    }
}

impl From<ChannelError> for Finding {
    fn from(error: ChannelError) -> Self {
        let ChannelError { step, cause, hint: cure } = error;
        let is_unclear = matches!(step, ChannelStep::Connect | ChannelStep::Negotiate | ChannelStep::Data);
        let cure = cure.or_else(|| (step == ChannelStep::Resolve).then(|| NO_ADDRESS_HINT.to_owned()));
        Self {
            stage: Stage::Channel(step),
            cause,
            hint: cure,
            is_peer_unclear: is_unclear,
            neighbors: Vec::new(),
        }
    }
}

/// What helps where nothing comes back.
pub(crate) const FIREWALL_HINT: &str = "check the address, that the host is up, and firewalls between";
/// What helps where a name has no address.
pub(crate) const NO_ADDRESS_HINT: &str =
    "check how the name is spelled, and that it has an address of the family asked for";
