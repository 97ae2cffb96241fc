//! `portreeved reload`: has a running agent read its file again, but only a good one.

use std::{fs, path::Path};

use rustix::process::{Pid, Signal, kill_process};

use crate::{failure::Failure, prepared};

/// Checks the file, then sends SIGHUP to whoever holds its state directory.
pub(crate) fn reload(path: &Path) -> Result<(), Failure> {
    let config = prepared::check(path)?;
    let lock = config.agent.state_dir.join("lock");
    let no_agent = |reason: String| {
        Failure::new(format!(
            "no agent serves {}: {reason}\nhint: start one with `portreeved run`",
            path.display()
        ))
    };
    let pid = fs::read_to_string(&lock).map_err(|error| no_agent(format!("{}: {error}", lock.display())))?;
    let pid = pid.trim().parse().ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| no_agent(format!("{} names no process", lock.display())))?;
    // An agent that was killed leaves the file behind, and its number may be somebody else's by now.
    let program = |process: &str| fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    if program(&pid.to_string()) != program("self") {
        return Err(no_agent(format!("process {pid} is not running any more")));
    }
    kill_process(pid, Signal::HUP)
        .map_err(|error| Failure::new(format!("process {pid} could not be signalled: {error}")))
}
