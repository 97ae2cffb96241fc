//! The error type of this crate.

use std::{fmt, io};

/// The reason why a network or a part of it could not be set up.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum NetError {
    /// This machine cannot do it: no permission, no kernel feature, or no program. An experiment
    /// reports the text in place of its figures.
    Unavailable(String),
    /// It failed unexpectedly.
    Failed(String),
}

impl NetError {
    /// Returns the text of the error.
    #[must_use]
    pub fn reason(&self) -> &str {
        let (Self::Unavailable(reason) | Self::Failed(reason)) = self;
        reason
    }

    /// Returns true if the machine cannot do it.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }

    /// Describes a failed operation: `action: error`. Without permission, it is unavailable.
    pub(crate) fn from_io(action: impl fmt::Display, error: &io::Error) -> Self {
        let text = format!("{action}: {error}");
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Unavailable(text),
            _ => Self::Failed(text),
        }
    }
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl std::error::Error for NetError {}

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, NetError>;

/// Adds a description of the failed operation to an error of the system.
pub(crate) trait Context<T> {
    /// Prepends `action: ` to the error.
    fn context(self, action: impl fmt::Display) -> Result<T>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, action: impl fmt::Display) -> Result<T> {
        self.map_err(|error| NetError::from_io(action, &error))
    }
}

impl<T> Context<T> for std::result::Result<T, rustix::io::Errno> {
    fn context(self, action: impl fmt::Display) -> Result<T> {
        self.map_err(|error| NetError::from_io(action, &error.into()))
    }
}
