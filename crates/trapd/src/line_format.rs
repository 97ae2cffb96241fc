//! The format language of `-F`, `format1` and `format2`: how a notification is printed.
//!
//! A format is parsed once, and then written for each notification. The result is that of
//! snmptrapd 5.9.3 with the option `-n`, with these exceptions: fields are padded as by printf(3),
//! where snmptrapd pads them with zeros; and the parts of the uptime (`%H`, `%J`, `%K`, `%L`, `%M`,
//! `%Y`) are those of the trap, where snmptrapd prints numbers that do not depend on it.

mod parse;
mod write;

use std::fmt;

/// A parsed format. The default prints nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineFormat {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field { field: Field, layout: Layout },
}

/// The part of the notification that a field prints.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Field {
    AgentAddress,
    AgentHost,
    Addresses,
    Host,
    ContextEngineId,
    Received(TimePart),
    UpTimePart(TimePart),
    UnixTime,
    UpTime,
    Enterprise,
    Security,
    SpecificTrap,
    Version,
    SecurityModel,
    SecurityName,
    Variables { separator: Option<String> },
    GenericTrap,
    Description,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimePart {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

/// The flags, width and precision of a field, as in printf(3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Layout {
    is_left: bool,
    has_zeros: bool,
    is_alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// A format that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFormatError {
    /// The position of the fault in characters, counted from 1.
    pub position: usize,
    reason: FormatErrorReason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum FormatErrorReason {
    UnknownField(char),
    UnknownEscape(char),
    Incomplete,
    TooWide,
    TooLong,
}

impl fmt::Display for LineFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid format at character {}: ", self.position)?;
        match &self.reason {
            FormatErrorReason::UnknownField(letter) => write!(
                f,
                "unknown field %{}: expected one of {FIELD_LETTERS}, or %% for a percent sign",
                letter.escape_default()
            ),
            FormatErrorReason::UnknownEscape(letter) => write!(
                f,
                "unknown escape \\{}: expected \\n, \\t, \\r, \\\\, \\% or \\\"",
                letter.escape_default()
            ),
            FormatErrorReason::Incomplete => {
                f.write_str("the format ends in the middle of a field or an escape: complete or remove it")
            }
            FormatErrorReason::TooWide => write!(f, "a width or precision is above {MAX_WIDTH}"),
            FormatErrorReason::TooLong => write!(f, "the format has more than {MAX_FORMAT_LEN} characters"),
        }
    }
}

impl std::error::Error for LineFormatError {}

/// The letters of all fields, for the error message.
const FIELD_LETTERS: &str = "aAbBEhHjJkKlLmMNPqsStTuvVwWyY";
/// The maximum of a width and of a precision.
const MAX_WIDTH: usize = 1000;
/// The maximum length of a format in characters.
const MAX_FORMAT_LEN: usize = 4096;

#[cfg(test)]
mod tests;
