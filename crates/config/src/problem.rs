//! The problems of a configuration file, and how they are printed.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// A problem of a file. Printed in up to three lines: `file:line: error: …`, the accepted values,
/// and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path of the file.
    pub file: PathBuf,
    /// The line, from 1; 0 if the problem concerns the whole file.
    pub line: usize,
    /// The severity of the problem.
    pub severity: Severity,
    /// A description of the problem.
    pub message: String,
    /// The values that the option accepts.
    pub accepted: Option<String>,
    /// A hint on how to fix the problem.
    pub hint: Option<String>,
}

impl Problem {
    /// Sets the accepted values.
    pub fn accepted(&mut self, accepted: impl Into<String>) -> &mut Self {
        self.accepted = Some(accepted.into());
        self
    }

    /// Sets the hint.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if self.line > 0 {
            write!(f, "{}:", self.line)?;
        }
        write!(f, " {}: {}", self.severity, self.message)?;
        if let Some(accepted) = &self.accepted {
            write!(f, "\n    accepted: {accepted}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n    hint: {hint}")?;
        }
        Ok(())
    }
}

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but probably does not mean what was intended.
    Warning,
    /// Information about the meaning of the file, for `portreeved check`.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// A position in the text: a byte offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition(pub(crate) usize);

/// The problems found so far.
pub struct Problems {
    file: PathBuf,
    /// The byte offset of each line.
    lines: Vec<usize>,
    list: Vec<Problem>,
}

impl Problems {
    pub(crate) fn new(file: &Path, text: &str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, octet)| *octet == b'\n').map(|(end, _)| end + 1);
        Self { file: file.to_owned(), lines: std::iter::once(0).chain(starts).collect(), list: Vec::new() }
    }

    /// Adds an error and returns it for further details.
    pub fn error(&mut self, position: TextPosition, found: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, position, found.into())
    }

    /// Adds a problem that concerns the whole file.
    pub fn whole_file(&mut self, severity: Severity, found: impl Into<String>) -> &mut Problem {
        let problem = self.add(severity, TextPosition::default(), found.into());
        problem.line = 0;
        problem
    }

    /// Adds a warning.
    pub fn warning(&mut self, position: TextPosition, found: impl Into<String>) -> &mut Problem {
        self.add(Severity::Warning, position, found.into())
    }

    /// Adds a note.
    pub fn note(&mut self, position: TextPosition, found: impl Into<String>) -> &mut Problem {
        self.add(Severity::Note, position, found.into())
    }

    /// Returns the line of a position, from 1.
    pub(crate) fn line(&self, position: TextPosition) -> usize {
        self.lines.partition_point(|start| *start <= position.0)
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// Returns all problems, ordered by line; notes are omitted if there are errors.
    pub(crate) fn into_list(mut self) -> Vec<Problem> {
        if self.has_errors() {
            self.list.retain(|problem| problem.severity != Severity::Note);
        }
        self.list.sort_by_key(|problem| problem.line);
        self.list
    }

    fn add(&mut self, severity: Severity, position: TextPosition, found: String) -> &mut Problem {
        let (file, line) = (self.file.clone(), self.line(position));
        self.list.push(Problem { file, line, severity, message: found, accepted: None, hint: None });
        let last = self.list.len() - 1;
        &mut self.list[last]
    }
}
