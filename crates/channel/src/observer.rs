//! Who hears how a channel comes about, step by step.

use crate::ChannelStep;

/// Hears of the steps as they are taken. What it does changes nothing; how long a step took is its own to measure.
pub trait ChannelObserver: Send + Sync {
    /// A step begins, and the one before it went well. Steps begin anew for each host on the way.
    fn on_step(&self, step: ChannelStep);

    /// Something was found in the step that began last.
    fn on_fact(&self, fact: Fact);
}

/// Something that was found on the way: without secrets, with what the peer said already escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about: a word for programs, the same whatever the transport.
    pub name: &'static str,
    /// What was found, for people.
    pub value: String,
}

impl Fact {
    /// A fact.
    pub fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into() }
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoObserver;

impl ChannelObserver for NoObserver {
    fn on_step(&self, _: ChannelStep) {}

    fn on_fact(&self, _: Fact) {}
}
