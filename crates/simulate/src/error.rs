//! Errors that end the simulator.

use std::{fmt, io, path::Path};

use portreeve_transport::BindError;

use crate::users::UserFileError;

/// The message for an error that ends the simulator, with a hint.
#[derive(Debug)]
pub struct CommandError(pub(crate) String);

impl CommandError {
    pub(crate) fn for_file(path: &Path, error: &io::Error) -> Self {
        Self(format!("{}: {error}", path.display()))
    }

    /// Creates an error from a message, for example of a library.
    pub(crate) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CommandError {}

impl From<BindError> for CommandError {
    fn from(error: BindError) -> Self {
        Self(error.to_string())
    }
}

impl From<UserFileError> for CommandError {
    fn from(error: UserFileError) -> Self {
        Self(error.to_string())
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self(format!("cannot start the simulator: {error}"))
    }
}
