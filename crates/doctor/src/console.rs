//! Prints the steps as text.

use std::{env, time::Duration};

use portreeve_channel::Fact;

use crate::{finding::Finding, record::StepRecord};

/// Prints each step when it ends.
pub(crate) struct Console {
    ok_sign: &'static str,
    failed_sign: &'static str,
}

impl Console {
    /// Creates the printer. It marks steps with a tick or a cross on a UTF-8 terminal, otherwise
    /// with `ok` or `FAIL`.
    pub(crate) fn new(is_terminal: bool) -> Self {
        let is_utf8 = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
            .is_some_and(|value| value.to_ascii_uppercase().replace('-', "").contains("UTF8"));
        let [ok_sign, failed_sign] =
            if is_terminal && is_utf8 { ["\u{2713}   ", "\u{2717}   "] } else { ["ok  ", "FAIL"] };
        Self { ok_sign, failed_sign }
    }

    pub(crate) fn show(&self, record: &StepRecord) {
        let sign = if record.succeeded { self.ok_sign } else { self.failed_sign };
        let step = format!("{sign} {:<32} {:>9}", record.stage.label(), format_duration(record.duration));
        let facts: Vec<String> = record.facts.iter().map(describe_fact).collect();
        let joined = facts.join(SEPARATOR);
        if BEFORE_FACTS + joined.chars().count() <= WIDTH {
            return drop(portreeve_usage::print(
                std::io::stdout(),
                format_args!("{}\n", format!("{step}  {joined}").trim_end()),
            ));
        }
        let _ = portreeve_usage::print(std::io::stdout(), format_args!("{step}\n"));
        for line in wrap_facts(facts) {
            let _ = portreeve_usage::print(std::io::stdout(), format_args!("{:INDENT$}{line}\n", ""));
        }
    }
}

/// Formats the result of the diagnosis.
pub(crate) fn summary(records: &[StepRecord], finding: Option<&Finding>) -> String {
    let Some(finding) = finding else {
        let total: Duration = records.iter().map(|record| record.duration).sum();
        return format!("\nall {} steps succeeded in {}\n", records.len(), format_duration(total));
    };
    let Finding { stage, cause, hint, neighbors, .. } = finding;
    let mut text = format!("\n{}: {cause}\n", stage.label());
    for sentence in neighbors {
        text += &format!("also: {sentence}\n");
    }
    if let Some(hint) = hint {
        text += &format!("hint: {hint}\n");
    }
    text
}

/// Joins as many facts as fit on a line. A fact is never split: a long fact gets its own line, so
/// that it can be copied.
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

/// Formats a fact, with its name unless the value is self-explanatory.
fn describe_fact(fact: &Fact) -> String {
    if SELF_EXPLANATORY_FACTS.contains(&fact.name) {
        fact.value.clone()
    } else {
        format!("{}: {}", fact.name.replace('-', " "), fact.value)
    }
}

fn format_duration(duration: Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1000.0),
        seconds => format!("{seconds:.2} s"),
    }
}

/// Facts that are printed without their name.
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
/// The separator between facts. A fact may contain commas.
const SEPARATOR: &str = "; ";
/// Maximum number of characters in a line, unless a single fact is longer.
const WIDTH: usize = 80;
/// Number of characters before the facts: the mark, the name of the step and the time.
const BEFORE_FACTS: usize = 49;
/// Number of spaces before facts that are on a line of their own.
const INDENT: usize = 5;
