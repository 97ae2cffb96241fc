//! Who hears how a channel comes about, step by step.

use crate::Step;

/// Hears of the steps as they are taken. What it does changes nothing; how long a step took is its own to measure.
pub trait Observer: Send + Sync {
    /// A step begins, and the one before it went well. Steps begin anew for each host on the way.
    fn begins(&self, step: Step);

    /// Something was found in the step that began last.
    fn finds(&self, fact: Fact);
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
pub struct Unobserved;

impl Observer for Unobserved {
    fn begins(&self, _: Step) {}

    fn finds(&self, _: Fact) {}
}
