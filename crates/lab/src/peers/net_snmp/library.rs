//! Sessions of Net-SNMP's library in a process of its own, measured like those of our client.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::agent_address;
use super::configuration::credential_words;
use crate::client::{Attempt, CredentialsFile, Job, Operation, Phases, WalkMethod};
use crate::error::{Context, Result};
use crate::harness::Skipped;
use crate::process::{is_installed, output};

/// The compiled program.
pub(crate) struct NetSnmpLibrary(PathBuf);

impl NetSnmpLibrary {
    /// Compiles the program in a directory, unless it is there already.
    pub(crate) fn compile(directory: &Path) -> Result<Self> {
        let (source, program) = (directory.join("net_snmp_session.c"), directory.join("net_snmp_session"));
        if program.exists() {
            return Ok(Self(program));
        }
        if !is_installed("gcc") {
            return Err("gcc is not installed".into());
        }
        fs::write(&source, include_str!("../../../peers/net_snmp_session.c")).context(source.display())?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu11", "-O2", "-o"]).arg(&program).arg(&source).arg("-lnetsnmp");
        output(&mut gcc)
            .map_err(|_| "a program with Net-SNMP's library cannot be compiled (Debian: libsnmp-dev)")?;
        Ok(Self(program))
    }

    /// Returns the command line for a job with an agent, after a number of sessions
    /// that are not measured.
    pub(crate) fn words(
        &self,
        job: &Job,
        agent: &CredentialsFile,
        warm_up: usize,
    ) -> std::result::Result<Vec<String>, Skipped> {
        let stack = job.stack()?;
        super::check(stack)?;
        let (verb, number, name) = match &job.operation {
            Operation::Get { names, count } => ("get", *count, names.first().cloned().unwrap_or_default()),
            Operation::Walk { root, method: WalkMethod::GetNext } => ("walk", 0, root.clone()),
            Operation::Walk { root, method: WalkMethod::GetBulk(repetitions) } => {
                ("walk", usize::try_from(*repetitions)?, root.clone())
            }
            Operation::Walk { method: WalkMethod::Ours, .. }
            | Operation::Open
            | Operation::SetStair { .. } => {
                return Err(Skipped("it is not an operation of Net-SNMP's library".into()));
            }
        };
        let (transport, address) = agent_address(stack, agent)?;
        let name = name.iter().map(|arc| format!(".{arc}")).collect::<String>();
        let mut words = vec![self.0.display().to_string(), format!("{transport}:{address}")];
        words.extend([warm_up, job.sessions].map(|number| number.to_string()));
        words.extend([verb.to_owned(), number.to_string(), name]);
        words.extend(credential_words(stack.message)?);
        Ok(words)
    }
}

/// Parses the lines that the program prints.
pub(crate) fn parse(text: &str) -> Result<Vec<Phases>> {
    text.lines().map(|line| parse_line(line).context(format!("unexpected output '{line}'"))).collect()
}

/// Parses the lines that the program prints, some of which may be those of failed sessions.
pub(crate) fn parse_attempts(text: &str) -> Result<Vec<Attempt>> {
    let attempt = |line: &str| match line {
        "failed" => Ok(Err("no response".to_owned())),
        _ => parse_line(line).map(Ok).context(format!("unexpected output '{line}'")),
    };
    text.lines().map(attempt).collect()
}

fn parse_line(line: &str) -> Result<Phases> {
    let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<std::result::Result<_, _>>()?;
    let [total, open, first, rest, close, cpu, exchanges, variables] = numbers[..] else {
        return Err("expected eight numbers".into());
    };
    let (exchanges, variables) = (exchanges as u64, variables as u64);
    Ok(Phases { total, open, first, rest, close, cpu, exchanges, variables, ..Phases::default() })
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_attempts};

    #[test]
    fn phases_are_parsed_from_each_line() {
        let phases = parse("0.5 0.1 0.2 0.15 0.05 0.3 9 88\n1 0 0 0 0 0 1 1\n").ok().unwrap();
        assert_eq!(phases.len(), 2);
        assert_eq!((phases[0].total, phases[0].close, phases[0].cpu), (0.5, 0.05, 0.3));
        assert_eq!((phases[0].exchanges, phases[0].variables), (9, 88));
    }

    #[test]
    fn other_output_is_rejected() {
        for text in ["no response\n", "1 2 3\n", "1 2 3 4 5 6 7 8 9\n"] {
            assert!(parse(text).is_err(), "{text}");
            assert!(parse_attempts(text).is_err(), "{text}");
        }
    }

    #[test]
    fn failed_session_is_a_result_only_of_an_attempt() {
        let text = "0.5 0.1 0.2 0.15 0.05 0.3 9 88\nfailed\n";
        assert!(parse(text).is_err());
        let attempts = parse_attempts(text).ok().unwrap();
        assert_eq!(attempts.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false]);
    }
}
