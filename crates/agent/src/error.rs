//! The error that ends a command.

use std::fmt;

/// The error message that ends a command, with a hint.
#[derive(Debug)]
pub(crate) struct CommandError(String);

impl CommandError {
    pub(crate) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
