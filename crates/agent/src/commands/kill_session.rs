//! `portreeved kill-session`: ends a NETCONF session of the running agent, and with it its locks.

use std::{path::Path, time::Duration};

use crate::{
    control::{self, Request, Response},
    error::CommandError,
};

/// Ends the session of the agent that runs with the file `path`.
pub(crate) fn kill_session(path: &Path, session: u32) -> Result<(), CommandError> {
    let state_dir = portreeve_config::load_state_dir(path).map_err(CommandError::new)?;
    let response = control::send(&state_dir, &Request::KillSession { session }, RESPONSE_TIMEOUT);
    match response.map_err(CommandError::new)? {
        Response::Killed => Ok(()),
        Response::Refused { reason } | Response::Interrupted { reason } => Err(CommandError::new(reason)),
        _ => Err(CommandError::new("the agent does not support this command\nhint: restart the agent")),
    }
}

/// The timeout of the agent's response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
