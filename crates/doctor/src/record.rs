//! One step that was taken, and how it went.

use std::time::Duration;

use portreeve_channel::{ChannelStep, Fact};

/// A step on the way to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Of the channel.
    Channel(ChannelStep),
    /// Learning which SNMP engine answers.
    Engine,
    /// Being known to it.
    User,
    /// Being answered.
    Read,
}

impl Stage {
    /// The word for programs, which stays as it is.
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
            Self::Read => "answer",
        }
    }

    /// For people.
    pub(crate) fn label(self) -> String {
        match self {
            Self::Channel(step) => step.to_string(),
            Self::Engine => "finding the SNMP engine".to_owned(),
            Self::User => "being known to it".to_owned(),
            Self::Read => "asking for the system group".to_owned(),
        }
    }
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepRecord {
    pub(crate) stage: Stage,
    pub(crate) succeeded: bool,
    pub(crate) duration: Duration,
    pub(crate) facts: Vec<Fact>,
}
