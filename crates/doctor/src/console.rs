//! The steps as lines for people.

use std::{env, time::Duration};

use portreeve_channel::Fact;

use crate::{finding::Finding, record::StepRecord};

/// Shows each step when it has ended.
pub(crate) struct Console {
    ok_sign: &'static str,
    failed_sign: &'static str,
}

impl Console {
    /// A terminal that has them is shown a tick and a cross.
    pub(crate) fn new(is_terminal: bool) -> Self {
        let has_signs = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
            .is_some_and(|value| value.to_ascii_uppercase().replace('-', "").contains("UTF8"));
        let [well, failed] =
            if is_terminal && has_signs { ["\u{2713}   ", "\u{2717}   "] } else { ["ok  ", "FAIL"] };
        Self { ok_sign: well, failed_sign: failed }
    }

    #[allow(clippy::print_stdout, reason = "this is what the program is for")]
    pub(crate) fn show(&self, record: &StepRecord) {
        let sign = if record.succeeded { self.ok_sign } else { self.failed_sign };
        let step = format!("{sign} {:<32} {:>9}", record.stage.label(), shown(record.duration));
        let facts: Vec<String> = record.facts.iter().map(describe_fact).collect();
        let together = facts.join(SEPARATOR);
        if BEFORE_FACTS + together.chars().count() <= WIDTH {
            return println!("{}", format!("{step}  {together}").trim_end());
        }
        println!("{step}");
        for line in wrap_facts(facts) {
            println!("{:INDENT$}{line}", "");
        }
    }
}

/// What is said in the end.
pub(crate) fn summary(records: &[StepRecord], finding: Option<&Finding>) -> String {
    let Some(finding) = finding else {
        let all: Duration = records.iter().map(|record| record.duration).sum();
        return format!("\nall is well: {} steps in {}\n", records.len(), shown(all));
    };
    let Finding { stage, cause, hint: cure, neighbors: surroundings, .. } = finding;
    let mut text = format!("\n{}: {cause}\n", stage.label());
    for sentence in surroundings {
        text += &format!("also: {sentence}\n");
    }
    if let Some(cure) = cure {
        text += &format!("hint: {cure}\n");
    }
    text
}

/// As many facts in a line as fit; a long one has its own, and is never broken, so that it can be copied.
fn wrap_facts(facts: Vec<String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if INDENT + line.chars().count() + SEPARATOR.len() + fact.chars().count() <= WIDTH => {
                line.push_str(SEPARATOR);
                line.push_str(&fact);
            }
            _ => lines.push(fact),
        }
    }
    lines
}

/// Where it is not plain what a fact is about, its name says so.
fn describe_fact(fact: &Fact) -> String {
    if SELF_EXPLANATORY_FACTS.contains(&fact.name) {
        fact.value.clone()
    } else {
        format!("{}: {}", fact.name.replace('-', " "), fact.value)
    }
}

fn shown(took: Duration) -> String {
    match took.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1000.0),
        seconds => format!("{seconds:.2} s"),
    }
}

/// Facts that speak for themselves.
const SELF_EXPLANATORY_FACTS: [&str; 10] = [
    "address",
    "connected",
    "version",
    "cipher",
    "engine-id",
    "key-exchange",
    "host-key",
    "host-key-known",
    "server-version",
    "subsystem",
];
/// Between facts in a line, in which commas may stand.
const SEPARATOR: &str = "; ";
/// Characters of a line, but for a fact that is longer.
const WIDTH: usize = 80;
/// Characters in front of facts: sign, step and time; or, where these would not fit behind them, blanks below.
const BEFORE_FACTS: usize = 49;
const INDENT: usize = 5;
