//! `portreeved reload`: makes a running agent reload its file, and reports the outcome.

use std::{
    fs,
    io::{self, Write},
    path::{Path, absolute},
    process::ExitCode,
    time::Duration,
};

use portreeve_config::Config;
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    control::{self, ReloadOutcome, Request, RequestError, Response, socket_path},
    error::CommandError,
    prepared,
};

/// Checks the file, and returns when the running agent has applied or refused it. Lists what has
/// changed, unless `quiet` is true; settings that need a restart are always listed.
pub(crate) fn reload(path: &Path, quiet: bool) -> ExitCode {
    match request_reload(path) {
        Ok(ReloadOutcome { changes, restart_only }) => {
            if !quiet {
                print_changes(path, &changes);
            }
            if restart_only.is_empty() {
                return ExitCode::SUCCESS;
            }
            let list = restart_only.join("\n  ");
            let path = path.display();
            eprintln!("{path}: changed settings that need a restart of the agent:\n  {list}");
            ExitCode::from(RESTART_NEEDED_STATUS)
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints one line for each change.
fn print_changes(path: &Path, changes: &[String]) {
    // stdout may be closed; the exit status contains the outcome.
    let mut stdout = io::stdout().lock();
    let note = if changes.is_empty() { " (no changes)" } else { "" };
    let _ = writeln!(stdout, "{}: in effect{note}", path.display());
    for change in changes {
        let _ = writeln!(stdout, "  {change}");
    }
}

/// Returns the changes that the agent has made.
fn request_reload(path: &Path) -> Result<ReloadOutcome, CommandError> {
    let unchanged = |reason: &dyn std::fmt::Display| {
        CommandError::new(format!("{reason}\nnot reloaded; a running agent keeps its previous configuration"))
    };
    let config = prepared::check(path).map_err(|error| unchanged(&error))?.config;
    let request = Request::Reload { file: absolute(path).map_err(CommandError::new)? };
    match control::send(&config.agent.state_dir, &request, RESPONSE_TIMEOUT) {
        Ok(Response::Reloaded(outcome)) => Ok(outcome),
        Ok(Response::Refused { reason }) => Err(unchanged(&reason)),
        Ok(Response::Interrupted { reason }) => Err(CommandError::new(reason)),
        Ok(_) => Err(unchanged(&"the agent does not support this command\nhint: restart the agent")),
        Err(RequestError::NotListening(error)) => Err(signal_agent(path, &config, &error)),
        Err(error) => Err(CommandError::new(error)),
    }
}

/// Sends SIGHUP to an agent without a control socket, for example one of an earlier version. Always
/// returns an error, because the outcome is unknown even if there is such an agent.
fn signal_agent(path: &Path, config: &Config, cause: &io::Error) -> CommandError {
    let state_dir = &config.agent.state_dir;
    let socket = socket_path(state_dir);
    match find_agent(&state_dir.join("lock")) {
        None => CommandError::new(format!(
            "no agent is running with {}: {}: {cause}\nhint: start an agent with `portreeved run`; after a change of \
             state-dir, restart the agent",
            path.display(),
            socket.display()
        )),
        Some(process) => match kill_process(process, Signal::HUP) {
            Ok(()) => CommandError::new(format!(
                "the agent (process {process}) has no control socket ({}: {cause}), so SIGHUP was sent to it, and the \
                 outcome is unknown\nhint: the log of the agent contains the outcome",
                socket.display()
            )),
            Err(error) => CommandError::new(format!("cannot send a signal to process {process}: {error}")),
        },
    }
}

/// Returns the process whose ID is in the lock file of the state directory, if it is an agent. A
/// killed agent does not remove the file, and its process ID may have been given to another process
/// since.
fn find_agent(lock: &Path) -> Option<Pid> {
    let process = Pid::from_raw(fs::read_to_string(lock).ok()?.trim().parse().ok()?)?;
    let program = |process: &str| fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    (program(&process.to_string()) == program("self")).then_some(process)
}

/// Exit status if the new configuration is in effect, but some changed settings need a restart.
const RESTART_NEEDED_STATUS: u8 = 3;
/// The timeout of the agent's response. A reload usually takes milliseconds.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
