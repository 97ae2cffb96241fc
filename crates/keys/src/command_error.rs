//! The error that ends a command: file, problem and hint.

use std::{fmt, io, path::Path};

use portreeve_pki::PkiError;

/// The error that ends a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError {
    message: String,
    hint: Option<String>,
}

impl CommandError {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), hint: None }
    }

    /// Creates an error about a file.
    pub(crate) fn at(path: &Path, message: impl fmt::Display) -> Self {
        Self::new(format_args!("{}: {message}", path.display()))
    }

    /// Creates an error from a system error about a file.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let failure = Self::at(path, error);
        match error.kind() {
            io::ErrorKind::NotFound => failure.with_hint("specify an existing file"),
            io::ErrorKind::PermissionDenied => {
                failure.with_hint("use --dir to specify a directory that you can access")
            }
            _ => failure,
        }
    }

    /// Creates an error about the content of a file.
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
