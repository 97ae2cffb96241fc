//! The places and cores of the programs that experiments start.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use portreeve_lab_net::Place;

use crate::error::{Context, Result};
use crate::process::{Server, log_file};

/// The cores of the manager and of the agent. On a machine with one core, nothing is pinned.
pub(crate) const MANAGER_CORE: usize = 0;
pub(crate) const AGENT_CORE: usize = 1;

/// Returns a command that runs `program` pinned to a core. Without a core, or on a machine without
/// this core, it is not pinned.
pub(crate) fn on_core(core: Option<usize>, program: &Path) -> Result<Command> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut command = match core.filter(|_| cores > AGENT_CORE) {
        None => Command::new(program),
        Some(core) => {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["on-core", &core.to_string()]).arg(program);
            command
        }
    };
    // Ctrl-C ends the run, which then stops its programs; they must not end before it.
    command.process_group(0);
    Ok(command)
}

/// Starts a server at a place; writes its output to `log`.
pub(crate) fn at(place: &Place, name: &str, mut command: Command, log: &Path) -> Result<Server> {
    let file = log_file(log)?;
    command.stdin(std::process::Stdio::null()).stdout(file.try_clone()?).stderr(file);
    Ok(Server::adopt(name, place.spawn(command).context(name)?))
}
