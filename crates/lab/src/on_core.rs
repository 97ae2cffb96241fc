//! `on-core CORE PROGRAM …`: becomes PROGRAM, pinned to one core and with real-time priority where that is allowed.
//!
//! Affinity and scheduling class outlive exec, so this is how a server that knows nothing of either is held still.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::failure::Result;

/// Never returns on success.
pub(crate) fn exec(arguments: &[String]) -> Result<()> {
    let [core, program, rest @ ..] = arguments else {
        return Err("on-core CORE PROGRAM [ARGUMENT]...".into());
    };
    portreeve_sys::pin_to_core(core.parse()?)?;
    // Without the privilege the figures are noisier, not wrong.
    let _ = portreeve_sys::try_realtime(REALTIME_PRIORITY);
    Err(Command::new(program).args(rest).exec().into())
}

/// The lowest of SCHED_FIFO: above everything ordinary, below the kernel's own threads.
const REALTIME_PRIORITY: i32 = 1;
