//! What Net-SNMP's commands and ours said, made comparable.

use std::path::PathBuf;

use super::{Said, find_program};

/// Where Net-SNMP's commands are, or a note that the test is skipped.
pub fn commands() -> Option<PathBuf> {
    Some(find_program("snmpget")?.parent()?.to_owned())
}

/// Usage texts differ on purpose, and so do hints and the program's name.
pub fn comparable(mut said: Said, verb: &str) -> Said {
    if let Some(usage) = said.stderr.find("USAGE:").or_else(|| said.stderr.find("Usage:")) {
        said.stderr.truncate(usage);
    }
    let lines = said.stderr.lines().filter(|line| !line.starts_with("hint:"));
    said.stderr = lines
        .map(|line| line.replace(&format!("portreeve {verb}:"), &format!("snmp{verb}:")) + "\n")
        .collect();
    said
}

pub fn first_difference(theirs: &Said, ours: &Said) -> String {
    let lines = |said: &Said| {
        let all = format!("exit code {:?}\n{}\n{}", said.code, said.stdout, said.stderr);
        all.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (theirs, ours) = (lines(theirs), lines(ours));
    let at = theirs.iter().zip(&ours).position(|(a, b)| a != b).unwrap_or(theirs.len().min(ours.len()));
    format!("  Net-SNMP:  {:?}\n  portreeve: {:?}", theirs.get(at), ours.get(at))
}
