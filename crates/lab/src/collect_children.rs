//! `collect-children PROGRAM …`: runs PROGRAM as the parent of all processes that it starts,
//! directly or not, and whose own parent has ended.
//!
//! So the CPU time of these processes is counted for PROGRAM when they end, if it waits for its
//! children. The attribute persists through exec.

use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{getpid, set_child_subreaper};

use crate::error::{Context, Result};

/// Executes the program; does not return on success.
pub(crate) fn exec(arguments: &[String]) -> Result<()> {
    let [program, rest @ ..] = arguments else {
        return Err(crate::commands::usage_error("collect-children"));
    };
    set_child_subreaper(Some(getpid())).context("cannot become the parent of orphaned processes")?;
    Err(Command::new(program).args(rest).exec().into())
}
