//! The command of a handler.

use std::{fmt, path::PathBuf};

/// A program and its arguments. It runs without a shell.
#[derive(Clone, PartialEq, Eq)]
pub struct HandlerCommand {
    /// The absolute path of the program.
    pub program: PathBuf,
    /// The arguments after the name of the program.
    pub arguments: Vec<String>,
}

/// Omits the arguments, which may contain secrets.
impl fmt::Debug for HandlerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandlerCommand").field("program", &self.program).finish_non_exhaustive()
    }
}
