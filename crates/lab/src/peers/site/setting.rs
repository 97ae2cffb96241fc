//! The properties of a site: its interfaces, and the cores of client and agent.

use portreeve_channel_ssh::TrafficSettings;
use portreeve_lab_tls::Protection;

use crate::less_protection;
use crate::peers::{AGENT_CORE, MANAGER_CORE};

/// The properties of a site.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiteOptions {
    /// The number of the agent's interfaces; `None` if it does not matter.
    pub(crate) rows: Option<usize>,
    /// Our agent has NETCONF and the module `stair`.
    pub(crate) stair: bool,
    pub(crate) setting: Setting,
    /// The settings of our agent's SSH listener.
    pub(crate) ssh: TrafficSettings,
    /// Additional variables in the environment of agent and client.
    pub(crate) environment: Environment,
    /// The protection of TLS, if it is not that of portreeved.
    pub(crate) protection: Option<Protection>,
}

impl SiteOptions {
    /// Returns the additional variables in the environment of agent and client.
    pub(crate) fn environment(self) -> Environment {
        self.protection.map_or(self.environment, less_protection::environment)
    }
}

/// Names and values of variables.
pub(crate) type Environment = &'static [(&'static str, &'static str)];

/// The cores of client and agent, and the agent's speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Setting {
    /// Each on a core of its own, with real-time priority.
    #[default]
    Pinned,
    /// As the scheduler decides.
    Unpinned,
    /// The agent gets a part of a core. It has no real-time priority, to which quotas do not apply.
    Slow,
}

impl Setting {
    /// Returns the name in variants.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Unpinned => "unpinned",
            Self::Slow => "slow",
        }
    }

    pub(super) fn manager_core(self) -> Option<usize> {
        (self != Self::Unpinned).then_some(MANAGER_CORE)
    }

    pub(super) fn agent_core(self) -> Option<usize> {
        (self == Self::Pinned).then_some(AGENT_CORE)
    }
}

/// The part of a core that a slow agent gets.
pub(crate) const SLOW_CORES: f64 = 0.1;
