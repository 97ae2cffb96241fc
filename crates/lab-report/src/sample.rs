//! The records of `samples.jsonl`: one JSON object for each line.
//!
//! Values have SI units: seconds, octets, counts.

mod line;
mod run_info;
mod variant;

pub use line::{MAX_LINE, SampleError, SampleReason, parse_lines};
pub use run_info::{Environment, MIN_ROUNDS, RunInfo};
pub use variant::Variant;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One line of `samples.jsonl`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// The values of one variant in one round.
    Sample(Sample),
    /// A variant that could not be measured.
    Unavailable(Unavailable),
    /// The measured noise of the machine in one round.
    Noise(Noise),
    /// The messages of one session.
    Trace(Trace),
}

/// The values that an experiment measured for one variant in one round.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Sample {
    /// Name of the experiment.
    pub experiment: String,
    /// The measured variant.
    #[serde(default)]
    pub variant: Variant,
    /// Number of the round, from 0.
    #[serde(default)]
    pub round: usize,
    /// Duration of the measurement in seconds, including its preparation. `None` in runs of older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Values by name.
    #[serde(default)]
    pub values: BTreeMap<String, f64>,
    /// Lists of values by name, such as the time of each message of a session.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub series: BTreeMap<String, Vec<f64>>,
}

/// A variant, or all variants with these values, that could not be measured.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Unavailable {
    /// Name of the experiment.
    pub experiment: String,
    /// The axes that the reason applies to. Empty for the whole experiment.
    #[serde(default)]
    pub variant: Variant,
    /// The reason, for the reader of the report.
    pub reason: String,
}

/// The noise of the machine, measured once for each round.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Noise {
    /// Name of the experiment during which it was measured.
    pub experiment: String,
    /// Number of the round, from 0.
    #[serde(default)]
    pub round: usize,
    /// Values by name.
    pub values: BTreeMap<String, f64>,
}

/// The messages of one session, in the order of their times.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Trace {
    /// Name of the experiment.
    pub experiment: String,
    /// The observed variant.
    #[serde(default)]
    pub variant: Variant,
    /// The messages.
    pub messages: Vec<Message>,
}

/// One message between two participants.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Message {
    /// Seconds since the first message.
    pub at: f64,
    /// The participant that sent the message.
    pub from: String,
    /// The participant that received the message.
    pub to: String,
    /// Size of the frame in octets.
    pub octets: u64,
    /// Short description of the message.
    pub label: String,
}

impl Sample {
    /// Creates a sample without values.
    pub fn new(experiment: impl Into<String>, variant: Variant, round: usize) -> Self {
        let experiment = experiment.into();
        Self { experiment, variant, round, duration: None, values: BTreeMap::new(), series: BTreeMap::new() }
    }

    /// Adds or replaces a value. A value that is not finite is not a measurement: it is omitted.
    #[must_use]
    pub fn value(mut self, name: impl Into<String>, value: f64) -> Self {
        if value.is_finite() {
            self.values.insert(name.into(), value);
        }
        self
    }

    /// Adds or replaces a list of values.
    #[must_use]
    pub fn list(mut self, name: impl Into<String>, values: Vec<f64>) -> Self {
        self.series.insert(name.into(), values);
        self
    }
}

#[cfg(test)]
mod tests;
