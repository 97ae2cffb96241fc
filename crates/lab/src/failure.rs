//! Why an experiment could not be done: one sentence for the person who runs it.

use std::fmt;

/// The reason, already worded.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl<E: fmt::Display> From<E> for Failure {
    fn from(reason: E) -> Self {
        Self(reason.to_string())
    }
}

impl Failure {
    /// The whole sentence. (Failure is no `Display`, which would overlap with the conversion above.)
    pub(crate) fn sentence(&self) -> &str {
        &self.0
    }
}

/// What everything here returns.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// Says what was being done when something failed.
pub(crate) trait Context<T> {
    /// Puts `what: ` before the reason.
    fn context(self, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: Into<Failure>> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl fmt::Display) -> Result<T> {
        self.map_err(|reason| Failure(format!("{what}: {}", reason.into().0)))
    }
}
