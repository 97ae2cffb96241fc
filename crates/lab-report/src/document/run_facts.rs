//! The facts about a run that its report begins with.

use std::collections::BTreeMap;

use super::Document;
use crate::sample::RunInfo;
use crate::unit::Unit;

impl Document {
    /// Creates a report that begins with the facts about a run. Unknown facts are omitted.
    pub fn for_run(title: impl Into<String>, run: &RunInfo) -> Self {
        let environment = &run.environment;
        let mut document = Self { quick: run.quick, ..Self::new(title) };
        let facts = &mut document.facts;
        let mut fact = |name: &str, value: String| {
            if !value.is_empty() {
                facts.push((name.to_owned(), value));
            }
        };
        fact("Command", run.arguments.join(" "));
        fact("Started", run.started.clone());
        fact("Budget", positive_time(run.budget));
        fact("Duration", run.duration.map_or(String::new(), positive_time));
        fact("Budget exceeded", run.overrun().unwrap_or_default());
        fact("Seed", run.seed.to_string());
        fact("Network", run.topology.clone());
        fact("Processor", environment.cpu.clone());
        fact("Cores", positive(environment.cores));
        fact("Memory", if environment.memory == 0 { String::new() } else { memory(environment.memory) });
        fact("Cryptographic instructions", environment.crypto_instructions.join(", "));
        fact("System", environment.system.clone());
        fact("Kernel", environment.kernel.clone());
        fact("TCP congestion control", environment.congestion_control.clone());
        fact("File system of the agents' state", environment.file_system.clone());
        fact("Commit of the checkout at the start", environment.commit.clone());
        fact("Build IDs", builds(&environment.builds));
        for (program, version) in &environment.versions {
            fact(program, version.clone());
        }
        document
    }
}

/// Returns the begin of each build ID, which is enough to compare two runs.
fn builds(builds: &BTreeMap<String, String>) -> String {
    let short = |id: &String| id.chars().take(BUILD_DIGITS).collect::<String>();
    let builds = builds.iter().map(|(program, id)| format!("{program} {}", short(id)));
    builds.collect::<Vec<_>>().join(", ")
}

fn positive(number: usize) -> String {
    if number == 0 { String::new() } else { number.to_string() }
}

fn positive_time(seconds: f64) -> String {
    if seconds <= 0.0 {
        String::new()
    } else if seconds < 90.0 {
        Unit::Seconds.text(seconds)
    } else {
        format!("{:.0} min", seconds / 60.0)
    }
}

fn memory(bytes: u64) -> String {
    Unit::Bytes.text(bytes as f64)
}

/// The digits of a build ID that are shown.
const BUILD_DIGITS: usize = 12;
