//! Commands of ours, run as people run them, and what they say of their own speed.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::ways::Way;
use crate::failure::Result;

/// What one walk has found, and how long it took.
pub(super) struct Walk {
    pub(super) objects: Vec<(String, String)>,
    pub(super) seconds: f64,
    /// What was spoken, where it was a session.
    pub(super) protocol: Option<String>,
}

/// Walks ifTable, one request after the other.
pub(super) fn walk(portreeve: &Path, way: &Way) -> Result<Walk> {
    let (lines, errors) =
        run(portreeve, "walk", &["-OnQ", "--one-by-one", "--stats"], way, "IF-MIB::ifTable")?;
    let objects = lines.lines().filter_map(|line| line.split_once(" = "));
    let statistics = errors.lines().find(|line| line.starts_with("objects="));
    let statistics = statistics.ok_or("portreeve walk printed no statistics")?;
    let field = |name: &str| statistics.split_whitespace().find_map(|word| word.strip_prefix(name));
    Ok(Walk {
        objects: objects.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect(),
        seconds: field("seconds=").ok_or("portreeve walk told no time")?.parse()?,
        protocol: field("protocol=").map(str::to_owned),
    })
}

/// Asks for one value; the seconds from the command's start to its end.
pub(super) fn first_answer(portreeve: &Path, way: &Way) -> Result<f64> {
    let started = Instant::now();
    run(portreeve, "get", &[], way, "SNMPv2-MIB::sysUpTime.0")?;
    Ok(started.elapsed().as_secs_f64())
}

/// What a command has printed, on stdout and on stderr.
fn run(portreeve: &Path, verb: &str, options: &[&str], way: &Way, name: &str) -> Result<(String, String)> {
    let mut command = Command::new(portreeve);
    command.arg(verb).args(&way.options).args(options).args([way.address.as_str(), name]);
    let done = command.envs(way.environment.iter().map(|(name, value)| (name, value))).output()?;
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    if !done.status.success() {
        let said = text(&done.stderr);
        return Err(format!("portreeve {verb} {}: {}: {}", way.address, done.status, said.trim()).into());
    }
    Ok((text(&done.stdout), text(&done.stderr)))
}
