//! The error type of this crate: a message for the user.

use std::fmt;

/// An error message for the user.
#[derive(Debug)]
pub struct LabError(String);

impl<E: fmt::Display> From<E> for LabError {
    fn from(reason: E) -> Self {
        Self(reason.to_string())
    }
}

impl LabError {
    /// Returns the message. (This type does not implement `Display`, which would overlap with the
    /// conversion above.)
    pub fn message(&self) -> &str {
        &self.0
    }
}

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, LabError>;

/// Adds a description of the failed operation to errors.
pub trait Context<T> {
    /// Prepends `what: ` to the message.
    fn context(self, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: Into<LabError>> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl fmt::Display) -> Result<T> {
        self.map_err(|reason| LabError(format!("{what}: {}", reason.into().0)))
    }
}
