//! One step and its result.

use std::time::Duration;

use portreeve_channel::{ChannelStep, Fact};

/// A step of the diagnosis. The variants are in the order in which the steps happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// A step in which the session is opened: connecting, the handshake, or authentication.
    Channel(ChannelStep),
    /// Discovering the engine ID of the agent.
    Engine,
    /// Authenticating to the engine.
    User,
    /// Reading the system group.
    Read,
}

impl Stage {
    /// Returns the stable name for `--json`.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Channel(ChannelStep::Resolve) => "resolve",
            Self::Channel(ChannelStep::Connect) => "connect",
            Self::Channel(ChannelStep::Negotiate) => "negotiate",
            Self::Channel(ChannelStep::ServerIdentity) => "server-identity",
            Self::Channel(ChannelStep::ClientIdentity) => "client-identity",
            Self::Channel(ChannelStep::Subsystem) => "subsystem",
            Self::Channel(ChannelStep::Data) => "data",
            Self::Engine => "engine",
            Self::User => "user",
            Self::Read => "read",
        }
    }

    /// Returns the name to print.
    pub(crate) fn label(self) -> String {
        match self {
            Self::Channel(step) => step.to_string(),
            Self::Engine => "discovering the SNMP engine".to_owned(),
            Self::User => "authenticating the user".to_owned(),
            Self::Read => "reading the system group".to_owned(),
        }
    }
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepRecord {
    pub(crate) stage: Stage,
    pub(crate) succeeded: bool,
    pub(crate) duration: Duration,
    pub(crate) facts: Vec<Fact>,
}
