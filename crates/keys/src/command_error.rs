//! Why something could not be done: the place, what is wrong there, and the cure.

use std::{fmt, io, path::Path};

use portreeve_pki::PkiError;

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError {
    message: String,
    hint: Option<String>,
}

impl CommandError {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), hint: None }
    }

    /// About a file.
    pub(crate) fn at(path: &Path, message: impl fmt::Display) -> Self {
        Self::new(format_args!("{}: {message}", path.display()))
    }

    /// What the system says about a file.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let failure = Self::at(path, error);
        match error.kind() {
            io::ErrorKind::NotFound => failure.with_hint("name a file that exists"),
            io::ErrorKind::PermissionDenied => failure.with_hint("name a place that you may use, with --dir"),
            _ => failure,
        }
    }

    /// What is wrong with what a file has in it.
    pub(crate) fn problem(path: &Path, problem: &PkiError) -> Self {
        let failure = Self::at(path, problem);
        match problem.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }

    pub(crate) fn with_hint(self, hint: impl fmt::Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for CommandError {}
