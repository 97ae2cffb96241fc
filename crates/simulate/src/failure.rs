//! Why nothing is simulated.

use std::{fmt, io, path::Path};

use portreeve_transport::BindError;

use crate::users::BadUser;

/// Why nothing is simulated, in words, and what to do about it.
#[derive(Debug)]
pub struct Failure(pub(crate) String);

impl Failure {
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self(format!("{}: {error}", path.display()))
    }

    /// What a library of a secure channel, or a file of it, says.
    pub(crate) fn because(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl From<BindError> for Failure {
    fn from(error: BindError) -> Self {
        Self(error.to_string())
    }
}

impl From<BadUser> for Failure {
    fn from(error: BadUser) -> Self {
        Self(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self(format!("the simulator could not be started: {error}"))
    }
}
