//! `on-core CORE PROGRAM …`: runs PROGRAM pinned to one core, with real-time priority if permitted.
//!
//! Affinity and scheduling class persist through exec, so this works with any server.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::error::Result;

/// Executes the program; does not return on success.
pub(crate) fn exec(arguments: &[String]) -> Result<()> {
    let [core, program, rest @ ..] = arguments else {
        return Err(crate::commands::usage_error("on-core"));
    };
    portreeve_sys::pin_to_core(core.parse()?)?;
    // Without permission for this, the figures are noisier, but valid.
    let _ = portreeve_sys::set_realtime_priority(REALTIME_PRIORITY);
    Err(Command::new(program).args(rest).exec().into())
}

/// The lowest SCHED_FIFO priority: above ordinary processes, below the kernel's own threads.
const REALTIME_PRIORITY: i32 = 1;
