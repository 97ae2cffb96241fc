//! One step that was taken, and how it went.

use std::time::Duration;

use portreeve_channel::{Fact, Step};

/// A step on the way to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Of the channel.
    Channel(Step),
    /// Learning which SNMP engine answers.
    Engine,
    /// Being known to it.
    User,
    /// Being answered.
    Answer,
}

impl Stage {
    /// The word for programs, which stays as it is.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Channel(Step::Resolve) => "resolve",
            Self::Channel(Step::Connect) => "connect",
            Self::Channel(Step::Negotiate) => "negotiate",
            Self::Channel(Step::ServerIdentity) => "server-identity",
            Self::Channel(Step::ClientIdentity) => "client-identity",
            Self::Channel(Step::Subsystem) => "subsystem",
            Self::Channel(Step::Data) => "data",
            Self::Engine => "engine",
            Self::User => "user",
            Self::Answer => "answer",
        }
    }

    /// For people.
    pub(crate) fn shown(self) -> String {
        match self {
            Self::Channel(step) => step.to_string(),
            Self::Engine => "finding the SNMP engine".to_owned(),
            Self::User => "being known to it".to_owned(),
            Self::Answer => "asking for the system group".to_owned(),
        }
    }
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) stage: Stage,
    pub(crate) went_well: bool,
    pub(crate) took: Duration,
    pub(crate) facts: Vec<Fact>,
}
