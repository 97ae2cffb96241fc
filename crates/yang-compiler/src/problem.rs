//! Faults of modules and files, with their places.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// A reason why modules cannot be compiled, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, if it is known.
    pub file: Option<PathBuf>,
    /// The line in this file, counted from 1.
    pub line: Option<u32>,
    /// The reason.
    pub text: String,
}

impl Problem {
    pub(crate) fn new(text: String) -> Self {
        Self { file: None, line: None, text }
    }

    pub(crate) fn in_file(file: &Path, text: String) -> Self {
        Self { file: Some(file.to_owned()), line: None, text }
    }

    pub(crate) fn at_line(file: &Path, line: u32, text: String) -> Self {
        Self { file: Some(file.to_owned()), line: (line != 0).then_some(line), text }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.text)
    }
}
