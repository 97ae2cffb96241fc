//! An experiment: a name, its preparation, its measurements, and its part of the report.
//!
//! ```text
//! prepare ──▶ Prepared ── variants ──▶ in each round: measure(variant) ──▶ samples.jsonl
//!                                                                              │
//! report.html ◀── draw(samples) ◀──────────────────────────────────────────────┘
//! ```
//! `prepare` starts everything that the variants share: namespaces, agents, clients. It is dropped
//! after the last round, which stops what it started. `draw` is pure: it gets only the samples, so
//! that a report can be made again on another machine.

use std::collections::BTreeMap;

use portreeve_lab_report::document::Section;
use portreeve_lab_report::sample::{Message, Variant};
use portreeve_lab_report::samples::Samples;

use super::{Context, Need};
use crate::error::LabError;

/// An experiment of `lab run`.
pub(crate) struct Experiment {
    /// The name on the command line and in `samples.jsonl`.
    pub(crate) name: &'static str,
    /// The heading in the report and in `lab list`.
    pub(crate) title: &'static str,
    /// The tables and figures that it draws again, for example `000 Table 2`. The first word is the
    /// paper's number, by which `lab run` selects it.
    pub(crate) papers: &'static [&'static str],
    /// The requirements of the experiment; without one of them it is unavailable.
    pub(crate) needs: &'static [Need],
    /// True if it can measure the device of `--against`.
    pub(crate) accepts_target: bool,
    /// Starts the topology, agents and clients.
    pub(crate) prepare: fn(&Context) -> Result<Box<dyn Prepared>, Skipped>,
    /// Fills the experiment's section of the report.
    pub(crate) draw: fn(&Samples, &mut Section),
}

impl Experiment {
    /// Returns true if the word is the experiment's name, or the number of one of its papers.
    pub(super) fn matches(&self, word: &str) -> bool {
        self.name == word || self.papers.iter().any(|paper| paper.split(' ').next() == Some(word))
    }
}

/// An experiment whose topology, agents and clients are running.
pub(crate) trait Prepared {
    /// Returns the variants to measure, always in the same order.
    fn variants(&self) -> Vec<Variant>;

    /// Returns variants that cannot be measured, with the reasons, for the report.
    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        Vec::new()
    }

    /// Measures a variant once. After two errors in a row the variant is unavailable and is not
    /// measured again, unless the run resumes.
    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped>;
}

/// The result of one measurement. Units are seconds, octets and counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(super) values: BTreeMap<String, f64>,
    pub(super) series: BTreeMap<String, Vec<f64>>,
    pub(super) messages: Vec<Message>,
    pub(super) skipped: Vec<(String, Skipped)>,
}

impl Outcome {
    /// Adds a value.
    #[must_use]
    pub(crate) fn value(mut self, name: &str, value: f64) -> Self {
        self.values.insert(name.to_owned(), value);
        self
    }

    /// Adds a value if it is known.
    #[must_use]
    pub(crate) fn known(self, name: &str, value: Option<f64>) -> Self {
        match value {
            Some(value) => self.value(name, value),
            None => self,
        }
    }

    /// Adds a series, for example the time of each message.
    #[must_use]
    pub(crate) fn series(mut self, name: &str, series: Vec<f64>) -> Self {
        self.series.insert(name.to_owned(), series);
        self
    }

    /// Adds the messages of a time sequence, which become a record of their own.
    #[must_use]
    pub(crate) fn trace(mut self, messages: Vec<Message>) -> Self {
        self.messages = messages;
        self
    }

    /// Adds a part of the variant that could not be measured.
    #[must_use]
    pub(crate) fn without(mut self, subject: &str, reason: Skipped) -> Self {
        self.skipped.push((subject.to_owned(), reason));
        self
    }
}

/// The reason why an experiment or a variant is not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skipped(pub(crate) String);

impl<E: Into<LabError>> From<E> for Skipped {
    fn from(error: E) -> Self {
        // A hint helps the user who runs the lab, but not the reader of the report.
        let error = error.into();
        Self(error.message().split("\nhint").next().unwrap_or_default().to_owned())
    }
}
