//! The settings of both ends that are measured.

use portreeve_channel_ssh::{TrafficSettings, WindowPolicy};
use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, ProtocolStack};

/// The settings of both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Policy {
    pub(super) client: EndPolicy,
    pub(super) agent: EndPolicy,
}

/// The settings of one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EndPolicy {
    pub(super) nodelay: Nodelay,
    pub(super) window: WindowPolicy,
}

/// The time at which one end sets TCP_NODELAY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nodelay {
    Never,
    AfterLogin,
    FromStart,
}

impl Policy {
    /// Creates a policy with window adjustments when needed.
    const fn nodelay(client: Nodelay, agent: Nodelay) -> Self {
        Self {
            client: EndPolicy { nodelay: client, window: WindowPolicy::WhenNeeded },
            agent: EndPolicy { nodelay: agent, window: WindowPolicy::WhenNeeded },
        }
    }

    /// Creates a policy with TCP_NODELAY from the start.
    const fn window(client: WindowPolicy, agent: WindowPolicy) -> Self {
        Self {
            client: EndPolicy { nodelay: Nodelay::FromStart, window: client },
            agent: EndPolicy { nodelay: Nodelay::FromStart, window: agent },
        }
    }

    /// Returns the variant.
    pub(super) fn variant(self) -> Variant {
        Variant::of([
            ("client_nodelay", self.client.nodelay.name()),
            ("agent_nodelay", self.agent.nodelay.name()),
            ("client_window", window_name(self.client.window)),
            ("agent_window", window_name(self.agent.window)),
        ])
        .and("stack", ProtocolStack::v2c(Carrier::Ssh).id())
    }

    /// Returns the carrier with the client's settings, or the reason why there is none.
    pub(super) fn carrier(self) -> Result<Carrier, &'static str> {
        match (self.client.nodelay, self.client.window) {
            (Nodelay::FromStart, WindowPolicy::WhenNeeded) => Ok(Carrier::Ssh),
            (Nodelay::FromStart, WindowPolicy::EveryMessage) => Ok(Carrier::SshEveryMessage),
            (Nodelay::AfterLogin, WindowPolicy::WhenNeeded) => Ok(Carrier::SshLateNodelay),
            (Nodelay::AfterLogin, WindowPolicy::EveryMessage) => Err("the client has no such setting"),
            (Nodelay::Never, WindowPolicy::WhenNeeded) => Ok(Carrier::SshNagle),
            (Nodelay::Never, WindowPolicy::EveryMessage) => Ok(Carrier::SshNagleEveryMessage),
        }
    }

    /// Returns the settings of the agent's listener, or the reason why it cannot have them.
    pub(super) fn agent(self) -> Result<TrafficSettings, &'static str> {
        let nodelay = match self.agent.nodelay {
            Nodelay::Never => false,
            Nodelay::FromStart => true,
            Nodelay::AfterLogin => return Err("portreeved sets TCP_NODELAY when it accepts a connection"),
        };
        Ok(TrafficSettings { nodelay, window: self.agent.window })
    }
}

impl Nodelay {
    /// Returns the name in variants and tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::AfterLogin => "login",
            Self::FromStart => "start",
        }
    }
}

/// Returns the name of a policy in variants and tables.
pub(super) fn window_name(window: WindowPolicy) -> &'static str {
    match window {
        WindowPolicy::EveryMessage => "each message",
        WindowPolicy::WhenNeeded => "if needed",
    }
}

/// Returns every policy once.
pub(super) fn all() -> Vec<Policy> {
    let mut all = vec![UNOPTIMISED];
    for policy in NODELAY.into_iter().chain(WINDOW) {
        if !all.contains(&policy) {
            all.push(policy);
        }
    }
    all
}

/// The first state of the paper's prototype.
pub(super) const UNOPTIMISED: Policy = {
    let end = EndPolicy { nodelay: Nodelay::Never, window: WindowPolicy::EveryMessage };
    Policy { client: end, agent: end }
};

/// Both optimisations at both ends.
pub(super) const OPTIMISED: Policy = Policy::window(WindowPolicy::WhenNeeded, WindowPolicy::WhenNeeded);

/// TCP_NODELAY at either end, from that of the paper's prototype to its last state.
pub(super) const NODELAY: [Policy; 7] = [
    NEVER,
    Policy::nodelay(Nodelay::AfterLogin, Nodelay::Never),
    Policy::nodelay(Nodelay::FromStart, Nodelay::Never),
    Policy::nodelay(Nodelay::Never, Nodelay::FromStart),
    LATE_AT_BOTH_ENDS,
    LATE,
    OPTIMISED,
];

/// Nagle's algorithm at both ends.
pub(super) const NEVER: Policy = Policy::nodelay(Nodelay::Never, Nodelay::Never);

/// Both ends set TCP_NODELAY after the login, as the paper's prototype first did.
pub(super) const LATE_AT_BOTH_ENDS: Policy = Policy::nodelay(Nodelay::AfterLogin, Nodelay::AfterLogin);

/// The client sets TCP_NODELAY after the login.
pub(super) const LATE: Policy = Policy::nodelay(Nodelay::AfterLogin, Nodelay::FromStart);

/// Window adjustments at either end.
pub(super) const WINDOW: [Policy; 4] = [
    EVERY_MESSAGE,
    Policy::window(WindowPolicy::EveryMessage, WindowPolicy::WhenNeeded),
    Policy::window(WindowPolicy::WhenNeeded, WindowPolicy::EveryMessage),
    OPTIMISED,
];

/// A window adjustment after every message at both ends.
pub(super) const EVERY_MESSAGE: Policy =
    Policy::window(WindowPolicy::EveryMessage, WindowPolicy::EveryMessage);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_late_nodelay_of_the_agent_cannot_be_measured() {
        let all = all();
        assert_eq!(all.len(), 11);
        let missing: Vec<&Policy> =
            all.iter().filter(|policy| policy.carrier().is_err() || policy.agent().is_err()).collect();
        assert_eq!(missing, [&LATE_AT_BOTH_ENDS]);
    }

    #[test]
    fn every_policy_has_its_own_variant() {
        let mut variants: Vec<Variant> = all().into_iter().map(Policy::variant).collect();
        variants.sort();
        variants.dedup();
        assert_eq!(variants.len(), all().len());
    }
}
