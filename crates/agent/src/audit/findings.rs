//! What is weak, in the order of its weight.

mod clear;
mod files;
mod kind;
mod rights;
mod targets;
mod users;

use super::{Evidence, grants::Grant};

pub(crate) use kind::Kind;

/// Something that could be better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) weight: Weight,
    pub(crate) kind: Kind,
    /// Whom or what it is about, as long as that keeps its name; empty where there is only one.
    pub(crate) about: String,
    /// Whether it was accepted beforehand.
    pub(crate) is_accepted: bool,
    /// File and line, as far as known.
    pub(crate) place: String,
    pub(crate) what: String,
    pub(crate) cure: String,
}

impl Finding {
    /// By what it is known: its kind, and whom or what it is about.
    pub(crate) fn id(&self) -> String {
        match &*self.about {
            "" => self.kind.word().to_owned(),
            about => format!("{}:{about}", self.kind.word()),
        }
    }

    /// Whether an acceptance means it: a kind alone means all of that kind.
    pub(crate) fn is_meant_by(&self, acceptance: &str) -> bool {
        acceptance == self.kind.word() || acceptance == self.id()
    }
}

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// Worth knowing.
    Note,
    /// Somebody who listens or guesses gets further than they should.
    Weak,
    /// The same, and what they get is to change things or to be somebody.
    Grave,
}

impl Weight {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Weak => "weak",
            Self::Grave => "grave",
        }
    }
}

/// Everything, the gravest first, and in the order of places.
pub(super) fn all(evidence: &Evidence<'_>, grants: &[Grant]) -> Vec<Finding> {
    let mut list = List(Vec::new());
    clear::look(evidence, grants, &mut list);
    users::look(evidence, grants, &mut list);
    rights::look(evidence, grants, &mut list);
    files::look(evidence, &mut list);
    targets::look(evidence, &mut list);
    let mut found = list.0;
    // Stable: what was found in one place stays together.
    found.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    found
}

/// Findings so far.
struct List(Vec<Finding>);

impl List {
    fn add(
        &mut self,
        weight: Weight,
        (kind, about): (Kind, &str),
        place: impl Into<String>,
        what: impl Into<String>,
        cure: impl Into<String>,
    ) {
        let finding = Finding {
            weight,
            kind,
            about: about.to_owned(),
            is_accepted: false,
            place: place.into(),
            what: what.into(),
            cure: cure.into(),
        };
        if !self.0.contains(&finding) {
            self.0.push(finding);
        }
    }
}
