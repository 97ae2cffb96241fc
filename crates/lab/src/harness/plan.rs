//! The plan of a run, `run.json`: it is written before the first measurement, and must not change
//! when the run resumes.

use std::time::{SystemTime, UNIX_EPOCH};

use portreeve_lab_report::sample::{Environment, RunInfo};

use super::Effort;
use super::budget::Budget;
use super::run_options::RunOptions;

/// Returns the plan of a new run.
pub(super) fn plan(options: &RunOptions, seed: u64, environment: Environment, topology: &str) -> RunInfo {
    RunInfo {
        experiments: options.experiments.iter().map(|experiment| experiment.name.to_owned()).collect(),
        seed,
        budget: match options.budget {
            Budget::Time(time) => time.as_secs_f64(),
            Budget::Rounds(_) => 0.0,
        },
        repeat: match options.budget {
            Budget::Time(_) => None,
            Budget::Rounds(rounds) => Some(rounds),
        },
        quick: options.effort == Effort::Quick,
        arguments: options.canonical(seed),
        started: utc_now(),
        topology: topology.to_owned(),
        device: options.against.as_ref().map_or(String::new(), |against| against.address.to_string()),
        environment,
        ..RunInfo::default()
    }
}

/// Returns the first difference between the plan of an existing run and a new one, which prevents
/// the run from resuming.
pub(super) fn difference(existing: &RunInfo, new: &RunInfo) -> Option<String> {
    if existing.arguments != new.arguments {
        return Some(format!("it was started as `portreeve lab {}`", existing.arguments.join(" ")));
    }
    let facts = |info: &RunInfo| {
        let environment = &info.environment;
        [
            ("kernel", environment.kernel.clone()),
            ("processor", environment.cpu.clone()),
            ("number of cores", environment.cores.to_string()),
            ("commit", environment.commit.clone()),
            ("congestion control", environment.congestion_control.clone()),
            ("build of our programs", format!("{:?}", environment.builds)),
            ("file system of the state", environment.file_system.clone()),
            ("program versions", format!("{:?}", environment.versions)),
            ("network", info.topology.clone()),
            ("device's address", info.device.clone()),
        ]
    };
    let different = facts(existing).into_iter().zip(facts(new)).find(|(old, new)| old != new);
    different.map(|((name, old), (_, new))| format!("its {name} is {old}, not {new}"))
}

/// Returns a seed for a run whose user has not chosen one.
pub(super) fn new_seed() -> u64 {
    // Short enough to be typed.
    now().as_nanos() as u64 % 1_000_000
}

/// Returns the time in UTC, as in RFC 3339.
pub(super) fn utc_now() -> String {
    utc(now().as_secs())
}

fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // The calendar repeats every 400 years. A year that begins in March has its leap day at its
    // end.
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests;
