//! Why something could not be done: the place, what is wrong there, and the cure.

use std::{fmt, io, path::Path};

use portreeve_pki::Problem;

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    found: String,
    cure: Option<String>,
}

impl Failure {
    pub(crate) fn new(found: impl fmt::Display) -> Self {
        Self { found: found.to_string(), cure: None }
    }

    /// About a file.
    pub(crate) fn at(path: &Path, found: impl fmt::Display) -> Self {
        Self::new(format_args!("{}: {found}", path.display()))
    }

    /// What the system says about a file.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let failure = Self::at(path, error);
        match error.kind() {
            io::ErrorKind::NotFound => failure.cured_by("name a file that exists"),
            io::ErrorKind::PermissionDenied => failure.cured_by("name a place that you may use, with --dir"),
            _ => failure,
        }
    }

    /// What is wrong with what a file has in it.
    pub(crate) fn problem(path: &Path, problem: &Problem) -> Self {
        let failure = Self::at(path, problem);
        match problem.cure() {
            Some(cure) => failure.cured_by(cure),
            None => failure,
        }
    }

    pub(crate) fn cured_by(self, cure: impl fmt::Display) -> Self {
        Self { cure: Some(cure.to_string()), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.found)?;
        match &self.cure {
            Some(cure) => write!(f, "\nhint: {cure}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
