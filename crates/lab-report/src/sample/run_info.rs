//! The contents of `run.json`: the plan of a run and its environment.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The plan of a run, and the machine that it ran on.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct RunInfo {
    /// Names of the planned experiments, in the order of the report.
    pub experiments: Vec<String>,
    /// Seed of the order of variants and of all other choices.
    pub seed: u64,
    /// Planned duration in seconds.
    pub budget: f64,
    /// Requested number of rounds. `None` if it follows from the budget.
    pub repeat: Option<usize>,
    /// Reduced parameters and few rounds, for tests of the lab itself.
    pub quick: bool,
    /// The arguments of the command.
    pub arguments: Vec<String>,
    /// Start of the run in UTC, as in RFC 3339.
    pub started: String,
    /// Duration of the run in seconds, with all its resumptions. `None` until the run ends.
    pub duration: Option<f64>,
    /// Number of rounds of each experiment, as soon as it is known.
    pub rounds: BTreeMap<String, usize>,
    /// Description of the network between manager and agent.
    pub topology: String,
    /// Address of the measured device. Empty if the lab measured its own agents.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub device: String,
    /// The machine and its programs.
    pub environment: Environment,
}

/// The machine that a run used, and the versions of its programs.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Environment {
    /// Release of the kernel.
    pub kernel: String,
    /// Name of the operating system.
    pub system: String,
    /// Model of the processor.
    pub cpu: String,
    /// Number of processors.
    pub cores: usize,
    /// Size of the memory in bytes.
    pub memory: u64,
    /// Congestion control of TCP.
    pub congestion_control: String,
    /// Type of the file system with the state of the agents, such as `ext4`.
    pub file_system: String,
    /// Cryptographic instructions of the processor.
    pub crypto_instructions: Vec<String>,
    /// Versions of the measured programs and their libraries, by name.
    pub versions: BTreeMap<String, String>,
    /// The commit of the checkout when the run began. Programs may have been built from another
    /// one: `builds` identifies them.
    pub commit: String,
    /// Build IDs of our programs, by name, in hexadecimal digits.
    pub builds: BTreeMap<String, String>,
}

impl RunInfo {
    /// Parses `run.json`.
    ///
    /// # Errors
    ///
    /// If the text is not JSON with the members of a plan. The text of the error has the position.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Returns a sentence if the run took clearly more time than its budget. `None` if it did not,
    /// without a budget, and before the end.
    pub fn overrun(&self) -> Option<String> {
        let duration =
            self.duration.filter(|duration| self.budget > 0.0 && *duration > TOLERANCE * self.budget)?;
        let at_minimum = self.rounds.values().filter(|rounds| **rounds <= MIN_ROUNDS).count();
        let total = self.rounds.len();
        Some(format!(
            "The run took {:.1} times its budget: {at_minimum} of {total} experiments have {MIN_ROUNDS} rounds, which \
             is the minimum for any budget.",
            duration / self.budget
        ))
    }

    /// Formats the plan as indented JSON with a final line feed.
    pub fn to_json(&self) -> String {
        let finite = |seconds: f64| if seconds.is_finite() { seconds } else { 0.0 };
        let mut info = self.clone();
        info.budget = finite(info.budget);
        info.duration = info.duration.map(finite);
        let mut text = serde_json::to_string_pretty(&info).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The minimum number of rounds of an experiment whose rounds follow from a budget.
pub const MIN_ROUNDS: usize = 3;

/// The part of the budget that a run may take without exceeding it: the duration of rounds is an
/// estimate.
const TOLERANCE: f64 = 1.05;
