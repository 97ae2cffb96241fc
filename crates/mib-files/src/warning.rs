//! Warnings: the problem in a file, its location, and the consequence.

use std::fmt;

use portreeve_smi::controls_display;

/// One line for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadWarning {
    /// The path of the file, or of the cache directory; empty if the warning concerns neither.
    pub path: String,
    /// The line number, counted from 1; 0 if the warning does not concern a line.
    pub line: u32,
    /// The text that describes the problem.
    pub message: String,
    /// The effect of the problem; empty if there is none.
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

    /// Creates a warning, in Net-SNMP's wording, about a module that is not in any directory.
    pub(crate) fn missing_module(name: &str) -> Self {
        let message = format!("Cannot find module ({name})");
        Self { path: String::new(), line: 0, message, consequence: "loading the other modules".into() }
    }
}

/// Formats as `FILE:LINE: problem; consequence`, without control characters.
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

/// Replaces control characters, so that the text of a file cannot control the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|character| if controls_display(character) { '.' } else { character }).collect()
}

/// Returns the consequence of an error with this `mib-rs` code. Returns `None` if the error has no
/// consequence: such errors concern the author of the module, not the user.
pub(crate) fn consequence_of(code: &str) -> Option<&'static str> {
    Some(match code {
        "import-module-not-found" | "import-not-found" => "searching all modules for the imported symbols",
        "oid-orphan" | "oid-recursive" => "this node and the nodes below it are printed as numbers",
        "type-unknown" | "type-cycle" | "primitive-type-missing" => {
            "values of this type are printed according to their type in the response"
        }
        "parse-error" | "bad-identifier-case" | "keyword-reserved" => "skipping to the next definition",
        "unterminated-string" | "unterminated-hex-bin-string" | "unexpected-character" => {
            "ignoring this text"
        }
        "index-unresolved" => "the indexes of the object's instances are printed as numbers",
        "objects-unresolved" => "the object is omitted from the list",
        "range-exchanged" | "size-illegal" | "range-illegal" => "ignoring the restriction",
        _ => return None,
    })
}
