//! What is wrong in a file, where, and what was done instead.

use std::fmt;

/// One line for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadWarning {
    /// The file, or the directory of the cache; empty where neither is to blame.
    pub path: String,
    /// From 1; 0 where no line is to blame.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What was done about it; empty where nothing could be.
    pub consequence: String,
}

impl LoadWarning {
    pub(crate) fn of_file(path: &str, message: impl Into<String>, consequence: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: 0, message: message.into(), consequence: consequence.into() }
    }

    pub(crate) fn into_parts(self) -> (String, u32, String, String) {
        (self.path, self.line, self.message, self.consequence)
    }

    pub(crate) fn from_parts((path, line, message, consequence): (String, u32, String, String)) -> Self {
        Self { path, line, message, consequence }
    }

    /// As Net-SNMP tells of a module that is in no directory.
    pub(crate) fn missing_module(name: &str) -> Self {
        let message = format!("Cannot find module ({name})");
        Self { path: String::new(), line: 0, message, consequence: "the other modules are read".into() }
    }
}

/// `FILE:LINE: what is wrong; what was done instead`, without control characters.
impl fmt::Display for LoadWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            f.write_str(&printable(&self.path))?;
            if self.line > 0 {
                write!(f, ":{}", self.line)?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&printable(&self.message))?;
        if !self.consequence.is_empty() {
            write!(f, "; {}", printable(&self.consequence))?;
        }
        Ok(())
    }
}

/// A file's text must not steer anybody's terminal.
fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '.' } else { character }).collect()
}

/// What reading does about a kind of mistake, by the name the reader has for it. `None` where nothing is lost: such a
/// mistake is its author's business, not the user's.
pub(crate) fn consequence_of(code: &str) -> Option<&'static str> {
    Some(match code {
        "import-module-not-found" | "import-not-found" => "what it would import is looked for in all modules",
        "oid-orphan" | "oid-recursive" => "it and what is below it stay numbers",
        "type-unknown" | "type-cycle" | "primitive-type-missing" => "its values are shown by their own types",
        "parse-error" | "bad-identifier-case" | "keyword-reserved" => "skipped up to the next definition",
        "unterminated-string" | "unterminated-hex-bin-string" | "unexpected-character" => "read on behind it",
        "index-unresolved" => "its instances are shown as numbers",
        "objects-unresolved" => "it is left out of the list",
        "range-exchanged" | "size-illegal" | "range-illegal" => "the restriction is not applied",
        _ => return None,
    })
}
