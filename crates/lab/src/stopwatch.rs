//! `stopwatch ROUNDS FILE`: measures the run time of processes; each line of FILE is a command with
//! tabs between words.
//!
//! The commands are interleaved, so that a disturbance affects all of them. The stopwatch is a
//! separate process that already runs in the client's namespace and on its core, so that entering
//! them is not part of the measurement.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::error::{Context, Result};
use crate::namespaces::Namespaces;
use crate::process::output;

/// Prints a line for each command with the seconds of its rounds.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [rounds, file] = arguments else { return Err(crate::commands::usage_error("stopwatch")) };
    let text = fs::read_to_string(file).context(file)?;
    let commands: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let mut times = vec![Vec::new(); commands.len()];
    for _ in 0..rounds.parse()? {
        for (words, times) in commands.iter().zip(&mut times) {
            times.push(once(words)?.to_string());
        }
    }
    times.iter().for_each(|seconds| println!("{}", seconds.join(" ")));
    Ok(())
}

fn once(words: &[&str]) -> Result<f64> {
    let [program, arguments @ ..] = words else { return Err("the line contains no command".into()) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let started = Instant::now();
    let status = command.status().context(program)?;
    let seconds = started.elapsed().as_secs_f64();
    if status.success() {
        Ok(seconds)
    } else {
        Err(format!("{program} {}: {status}", arguments.join(" ")).into())
    }
}

/// Measures commands in the client's namespace on `core`, with additional variables in their
/// `environment`. Returns the seconds of each round.
pub(crate) fn time(
    namespaces: &Namespaces,
    core: Option<usize>,
    scratch: &Path,
    rounds: usize,
    commands: &[Vec<String>],
    environment: &[(String, String)],
) -> Result<Vec<Vec<f64>>> {
    let file: PathBuf = scratch.join("commands");
    let lines: Vec<String> = commands.iter().map(|words| words.join("\t")).collect();
    fs::write(&file, lines.join("\n")).context(file.display())?;
    let lab = std::env::current_exe()?.display().to_string();
    let mut command = namespaces.in_client(core, &lab)?;
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    let lines = output(command.args(["stopwatch", &rounds.to_string()]).arg(&file))?;
    lines.lines().map(|line| line.split(' ').map(|number| Ok(number.parse()?)).collect()).collect()
}
