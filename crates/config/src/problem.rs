//! What is wrong with a file, and what to do about it.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// One thing wrong with a file. Shown in up to three lines: `file:line: error: …`, what is accepted, and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 where it is the file as a whole.
    pub line: usize,
    /// Whether the file can be used nevertheless.
    pub severity: Severity,
    /// What was found.
    pub message: String,
    /// What is accepted.
    pub accepted: Option<String>,
    /// What to do.
    pub hint: Option<String>,
}

impl Problem {
    /// Says what is accepted.
    pub fn accepted(&mut self, accepted: impl Into<String>) -> &mut Self {
        self.accepted = Some(accepted.into());
        self
    }

    /// Says what to do.
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

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// It can, but hardly means what was meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// Where something stands in the text: its first octet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition(pub(crate) usize);

/// The problems found so far.
pub struct Problems {
    file: PathBuf,
    /// Where each line starts.
    lines: Vec<usize>,
    list: Vec<Problem>,
}

impl Problems {
    pub(crate) fn new(file: &Path, text: &str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, octet)| *octet == b'\n').map(|(end, _)| end + 1);
        Self { file: file.to_owned(), lines: std::iter::once(0).chain(starts).collect(), list: Vec::new() }
    }

    /// Notes an error; what it returns can be told more.
    pub fn error(&mut self, position: TextPosition, found: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, position, found.into())
    }

    /// Notes something about the file as a whole.
    pub fn whole_file(&mut self, severity: Severity, found: impl Into<String>) -> &mut Problem {
        let problem = self.add(severity, TextPosition::default(), found.into());
        problem.line = 0;
        problem
    }

    /// Notes a warning.
    pub fn warning(&mut self, position: TextPosition, found: impl Into<String>) -> &mut Problem {
        self.add(Severity::Warning, position, found.into())
    }

    /// The line of this place, from 1.
    pub(crate) fn line(&self, position: TextPosition) -> usize {
        self.lines.partition_point(|start| *start <= position.0)
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// All of them, in the order of their lines.
    pub(crate) fn into_list(mut self) -> Vec<Problem> {
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
