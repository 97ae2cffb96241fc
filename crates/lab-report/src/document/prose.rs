//! Text of a report: plain pieces, code, and strong pieces.

use std::fmt;

/// A text with pieces of code and strong pieces.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Prose(Vec<Inline>);

/// A piece of a text. Renderers escape its contents.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Inline {
    /// Plain text.
    Text(String),
    /// The name of a program, an option, or its output.
    Code(String),
    /// Text with emphasis.
    Strong(String),
}

impl Prose {
    /// Creates an empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends plain text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Text(text.into()));
        self
    }

    /// Appends code.
    #[must_use]
    pub fn code(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Code(text.into()));
        self
    }

    /// Appends text with emphasis.
    #[must_use]
    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Strong(text.into()));
        self
    }

    /// Returns the pieces.
    pub fn pieces(&self) -> &[Inline] {
        &self.0
    }

    /// Reports whether the text has no characters.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|piece| piece.contents().is_empty())
    }
}

impl Inline {
    /// Returns the contents of the piece.
    pub fn contents(&self) -> &str {
        match self {
            Self::Text(text) | Self::Code(text) | Self::Strong(text) => text,
        }
    }
}

impl From<&str> for Prose {
    fn from(text: &str) -> Self {
        Self::new().text(text)
    }
}

impl From<String> for Prose {
    fn from(text: String) -> Self {
        Self::new().text(text)
    }
}

impl fmt::Display for Prose {
    /// Writes the contents of all pieces, without marks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| f.write_str(piece.contents()))
    }
}
