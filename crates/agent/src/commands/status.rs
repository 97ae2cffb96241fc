//! `portreeved status`: prints the status of the running agent.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use crate::{
    control::{self, Request, RequestError, Response, StatusFormat, socket_path},
    error::CommandError,
};

/// Prints the status of the agent that runs with the file `path`, which may contain errors outside
/// of `[agent]`.
pub(crate) fn status(path: &Path, json: bool) -> ExitCode {
    let format = if json { StatusFormat::Json } else { StatusFormat::Text };
    let printed = request_status(path, format).and_then(|text| {
        io::stdout().write_all(text.as_bytes()).map_err(|error| StatusError::Failed(CommandError::new(error)))
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let (exit_status, error) = error.into_parts();
            eprintln!("{error}");
            ExitCode::from(exit_status)
        }
    }
}

fn request_status(path: &Path, format: StatusFormat) -> Result<String, StatusError> {
    let failed = |error: &dyn std::fmt::Display| StatusError::Failed(CommandError::new(error));
    let state_dir = portreeve_config::load_state_dir(path).map_err(|error| failed(&error))?;
    match control::send(&state_dir, &Request::Status { format }, RESPONSE_TIMEOUT) {
        Ok(Response::Status { text }) => Ok(text),
        Ok(Response::Refused { reason } | Response::Interrupted { reason }) => Err(failed(&reason)),
        Ok(_) => Err(failed(&"the agent does not support this command\nhint: restart the agent")),
        Err(RequestError::NotListening(cause)) => Err(StatusError::NotRunning(CommandError::new(format!(
            "no agent is running with {}: {}: {cause}",
            path.display(),
            socket_path(&state_dir).display()
        )))),
        Err(error @ (RequestError::TimedOut { .. } | RequestError::Closed)) => {
            Err(StatusError::NoResponse(CommandError::new(error)))
        }
        Err(error) => Err(failed(&error)),
    }
}

/// The reason why there is no status.
enum StatusError {
    Failed(CommandError),
    NotRunning(CommandError),
    NoResponse(CommandError),
}

impl StatusError {
    /// Returns the exit status and the message.
    fn into_parts(self) -> (u8, CommandError) {
        match self {
            Self::Failed(error) => (1, error),
            Self::NotRunning(error) => (NOT_RUNNING_STATUS, error),
            Self::NoResponse(error) => (NO_RESPONSE_STATUS, error),
        }
    }
}

/// Exit status if no agent is running; the same as for init scripts.
const NOT_RUNNING_STATUS: u8 = 3;
/// Exit status if the agent does not respond; the same as for init scripts.
const NO_RESPONSE_STATUS: u8 = 4;
/// The timeout of the agent's response, which does not wait for transactions or reloads.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
