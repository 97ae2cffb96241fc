//! `portreeved reload`: makes a running agent reload its file, if the file contains no errors.

use std::{fs, path::Path};

use rustix::process::{Pid, Signal, kill_process};

use crate::{error::CommandError, prepared};

/// Checks the file, then sends SIGHUP to the process that holds the lock of its state directory.
pub(crate) fn reload(path: &Path) -> Result<(), CommandError> {
    let config = prepared::check(path)?.config;
    let lock = config.agent.state_dir.join("lock");
    let no_agent = |reason: String| {
        CommandError::new(format!(
            "no agent is running with {}: {reason}\nhint: start an agent with `portreeved run`",
            path.display()
        ))
    };
    let pid = fs::read_to_string(&lock).map_err(|error| no_agent(format!("{}: {error}", lock.display())))?;
    let pid = pid.trim().parse().ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| no_agent(format!("{} does not contain a process ID", lock.display())))?;
    // A killed agent does not remove the lock file, and its process ID may have been given to
    // another process since.
    let program = |process: &str| fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    if program(&pid.to_string()) != program("self") {
        return Err(no_agent(format!("process {pid} is not an agent")));
    }
    kill_process(pid, Signal::HUP)
        .map_err(|error| CommandError::new(format!("cannot send a signal to process {pid}: {error}")))
}
