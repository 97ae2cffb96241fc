//! Normalizes and compares the output of Net-SNMP and of this command.

use std::path::PathBuf;

use super::{CommandOutput, find_program};

/// Returns the directory of the Net-SNMP commands. If they are not installed, prints that the test
/// is skipped.
pub fn commands() -> Option<PathBuf> {
    Some(find_program("snmpget")?.parent()?.to_owned())
}

/// Removes usage texts and hints, which differ on purpose, and replaces the name of the program by
/// a common one.
pub fn normalize(mut output: CommandOutput, verb: &str) -> CommandOutput {
    if let Some(usage) = output.stderr.find("USAGE:").or_else(|| output.stderr.find("Usage:")) {
        output.stderr.truncate(usage);
    }
    let lines = output.stderr.lines().filter(|line| !line.starts_with("hint:"));
    output.stderr = lines
        .map(|line| line.replace(&format!("portreeve {verb}:"), &format!("snmp{verb}:")) + "\n")
        .collect();
    output
}

pub fn first_difference(expected: &CommandOutput, actual: &CommandOutput) -> String {
    let lines = |output: &CommandOutput| {
        let all = format!("exit code {:?}\n{}\n{}", output.code, output.stdout, output.stderr);
        all.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (expected, actual) = (lines(expected), lines(actual));
    let at =
        expected.iter().zip(&actual).position(|(a, b)| a != b).unwrap_or(expected.len().min(actual.len()));
    format!("  Net-SNMP:  {:?}\n  portreeve: {:?}", expected.get(at), actual.get(at))
}
