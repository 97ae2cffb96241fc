//! The findings, ordered by severity.

mod clear;
mod files;
mod kind;
mod netconf;
mod rights;
mod targets;
mod users;

use super::{AuditInput, grants::Grant};

pub(crate) use kind::FindingKind;

/// A weakness, or a note about the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) kind: FindingKind,
    /// Subject of the finding, for example a user name; empty if the kind has only one possible
    /// subject.
    pub(crate) subject: String,
    /// True if a value of `--allow` accepts the finding.
    pub(crate) is_accepted: bool,
    /// The file and line of the finding, if known.
    pub(crate) location: String,
    pub(crate) description: String,
    pub(crate) hint: String,
}

impl Finding {
    /// Returns the identifier: the kind and the subject.
    pub(crate) fn id(&self) -> String {
        match &*self.subject {
            "" => self.kind.name().to_owned(),
            subject => format!("{}:{subject}", self.kind.name()),
        }
    }

    /// Returns true if an `--allow` value matches: the identifier, or the kind alone.
    pub(crate) fn matches(&self, acceptance: &str) -> bool {
        acceptance == self.kind.name() || acceptance == self.id()
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Information that is not a weakness.
    Note,
    /// An eavesdropper or attacker can read more than intended.
    Weak,
    /// An attacker can change values or impersonate a user.
    Critical,
}

impl Severity {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Weak => "weak",
            Self::Critical => "critical",
        }
    }
}

/// Returns all findings, ordered by severity; findings of equal severity stay in the order of the
/// checks.
pub(super) fn all(input: &AuditInput<'_>, grants: &[Grant]) -> Vec<Finding> {
    let mut list = Findings(Vec::new());
    clear::check(input, grants, &mut list);
    users::check(input, grants, &mut list);
    rights::check(input, grants, &mut list);
    files::check(input, &mut list);
    netconf::check(input, grants, &mut list);
    targets::check(input, &mut list);
    let mut found = list.0;
    // The sort is stable, so that findings of one check stay together.
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    found
}

/// The findings so far.
struct Findings(Vec<Finding>);

impl Findings {
    fn add(
        &mut self,
        severity: Severity,
        (kind, subject): (FindingKind, &str),
        location: impl Into<String>,
        description: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let finding = Finding {
            severity,
            kind,
            subject: subject.to_owned(),
            is_accepted: false,
            location: location.into(),
            description: description.into(),
            hint: hint.into(),
        };
        if !self.0.contains(&finding) {
            self.0.push(finding);
        }
    }
}
