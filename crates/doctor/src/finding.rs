//! The cause of a failure and a hint.

use portreeve_channel::{ChannelError, ChannelStep};
use portreeve_snmp_manager::{Cause, Diagnosis};

use crate::record::Stage;

/// The step that failed, the cause and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The step that failed.
    pub(crate) stage: Stage,
    /// The cause: a clause without a full stop.
    pub(crate) cause: String,
    /// A suggestion for the user.
    pub(crate) hint: Option<String>,
    /// True if it is unclear whether the peer is an agent, so that probing other ports and
    /// protocols may help.
    pub(crate) is_peer_unclear: bool,
    /// The services found by probing, one sentence each.
    pub(crate) neighbors: Vec<String>,
}

impl Finding {
    pub(crate) fn new(stage: Stage, cause: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            stage,
            cause: cause.into(),
            hint: Some(hint.into()),
            is_peer_unclear: false,
            neighbors: Vec::new(),
        }
    }

    /// Creates a finding from a diagnosis of the SNMP client.
    pub(crate) fn diagnosed(stage: Stage, diagnosis: &Diagnosis) -> Self {
        let is_peer_unclear = matches!(
            diagnosis.cause,
            Cause::PortClosed
                | Cause::NoReplyToCommunity
                | Cause::NoReplyToDiscovery
                | Cause::ConnectionClosed
        );
        Self { is_peer_unclear, ..Self::new(stage, diagnosis.cause.to_string(), diagnosis.fix) }
    }
}

impl From<ChannelError> for Finding {
    fn from(error: ChannelError) -> Self {
        let ChannelError { step, cause, hint, reason: _ } = error;
        let is_peer_unclear =
            matches!(step, ChannelStep::Connect | ChannelStep::Negotiate | ChannelStep::Data);
        let hint = hint.or_else(|| (step == ChannelStep::Resolve).then(|| NO_ADDRESS_HINT.to_owned()));
        Self { stage: Stage::Channel(step), cause, hint, is_peer_unclear, neighbors: Vec::new() }
    }
}

/// The hint if the host does not respond.
pub(crate) const FIREWALL_HINT: &str =
    "check that the address is correct, that the host is up, and that no firewall drops the packets";
/// The hint if a name cannot be resolved.
pub(crate) const NO_ADDRESS_HINT: &str =
    "check the spelling of the name, and check that it has an address of the requested family (IPv4 or IPv6)";
