//! `portreeved reload`: has a running agent read its file again, but only a good one.

use std::{fs, path::Path, process::Command};

use crate::process::{self, Failure};

/// Checks the file, then sends SIGHUP to whoever holds its state directory.
pub(crate) fn reload(path: &Path) -> Result<(), Failure> {
    let loaded = process::read(path)?;
    let lock = loaded.config.agent.state_dir.join("lock");
    let no_agent = |reason: String| {
        Failure::new(format!(
            "no agent serves {}: {reason}\nhint: start one with `portreeved run`",
            path.display()
        ))
    };
    let pid = fs::read_to_string(&lock).map_err(|error| no_agent(format!("{}: {error}", lock.display())))?;
    let pid: u32 =
        pid.trim().parse().map_err(|_| no_agent(format!("{} names no process", lock.display())))?;
    let program = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    if program.trim() != "portreeved" {
        return Err(no_agent(format!("process {pid} is not running any more")));
    }
    let sent = Command::new("kill").args(["-HUP", &pid.to_string()]).status().map_err(Failure::new)?;
    if sent.success() { Ok(()) } else { Err(Failure::new(format!("process {pid} could not be signalled"))) }
}
