//! Progress reports while a channel is opened.

use crate::ChannelStep;

/// Receives the steps of opening a channel, but cannot influence them. An observer that needs
/// durations measures them itself.
pub trait ChannelObserver: Send + Sync {
    /// A step begins, and the previous one succeeded. With jump hosts, the steps repeat for each
    /// host.
    fn on_step(&self, step: ChannelStep);

    /// Reports a fact about the current step.
    fn on_fact(&self, fact: Fact);
}

/// A fact about a step, without secrets. Text from the peer is escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of the fact: a word by which programs recognize it, the same for all transports.
    pub name: &'static str,
    /// The value of the fact, for display.
    pub value: String,
}

impl Fact {
    /// Creates a fact.
    pub fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into() }
    }
}

/// An observer that ignores all steps and facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoObserver;

impl ChannelObserver for NoObserver {
    fn on_step(&self, _: ChannelStep) {}

    fn on_fact(&self, _: Fact) {}
}
