//! Runs our commands as users do, and reads their statistics.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::access_methods::AccessMethod;
use crate::error::Result;

/// The result and duration of a walk.
pub(crate) struct Walk {
    pub(crate) objects: Vec<(String, String)>,
    pub(crate) seconds: f64,
    /// The protocol that the session negotiated.
    pub(crate) protocol: Option<String>,
}

/// Walks ifTable with one outstanding request.
pub(crate) fn walk(portreeve: &Path, method: &AccessMethod) -> Result<Walk> {
    let (lines, errors) =
        run(portreeve, "walk", &["-OnQ", "--one-by-one", "--stats"], method, "IF-MIB::ifTable")?;
    let objects = lines.lines().filter_map(|line| line.split_once(" = "));
    let statistics = errors.lines().find(|line| line.starts_with("objects="));
    let statistics = statistics.ok_or("portreeve walk printed no statistics")?;
    let field = |name: &str| statistics.split_whitespace().find_map(|word| word.strip_prefix(name));
    Ok(Walk {
        objects: objects.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect(),
        seconds: field("seconds=").ok_or("portreeve walk printed no time")?.parse()?,
        protocol: field("protocol=").map(str::to_owned),
    })
}

/// Reads one value; returns the seconds from the command's start to its exit.
pub(crate) fn first_answer(portreeve: &Path, method: &AccessMethod) -> Result<f64> {
    let started = Instant::now();
    run(portreeve, "get", &[], method, "SNMPv2-MIB::sysUpTime.0")?;
    Ok(started.elapsed().as_secs_f64())
}

/// Reads one value; returns the line that the command prints.
pub(crate) fn read_value(portreeve: &Path, method: &AccessMethod, name: &str) -> Result<String> {
    Ok(run(portreeve, "get", &[], method, name)?.0.trim().to_owned())
}

/// Runs a command; returns its stdout and stderr.
fn run(
    portreeve: &Path,
    verb: &str,
    options: &[&str],
    method: &AccessMethod,
    name: &str,
) -> Result<(String, String)> {
    let mut command = Command::new(portreeve);
    command.arg(verb).args(&method.options).args(options).args([method.address.as_str(), name]);
    let done = command.envs(method.environment.iter().map(|(name, value)| (name, value))).output()?;
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    if !done.status.success() {
        let stderr = text(&done.stderr);
        return Err(format!("portreeve {verb} {}: {}: {}", method.address, done.status, stderr.trim()).into());
    }
    Ok((text(&done.stdout), text(&done.stderr)))
}
