//! Writes JSON (RFC 8259) and CSV fields (RFC 4180). This crate does not parse these formats.
//!
//! ```
//! use portreeve_json::{Json, quoted};
//!
//! let step = Json::object([("step", Json::text("connect")), ("ok", Json::Bool(true))]);
//! let steps = Json::list([step]);
//! assert_eq!(steps.to_string(), r#"[{"step":"connect","ok":true}]"#);
//! assert_eq!(quoted("a \"b\"\n"), r#""a \"b\"\n""#);
//! assert_eq!(quoted("\u{202e}"), r#""\u202e""#);
//! ```

mod csv;

pub use csv::csv_field;

use std::fmt::{self, Write};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// The value `null`.
    Null,
    /// The value `true` or `false`.
    Bool(bool),
    /// An integer number.
    Number(i64),
    /// A number with three decimal places, for times and ratios. Written as `null` if it is not
    /// finite.
    Decimal(f64),
    /// A JSON string.
    Text(String),
    /// A JSON array.
    List(Vec<Self>),
    /// An object, with its members in this order.
    Object(Vec<(&'static str, Self)>),
}

impl Json {
    /// Creates a JSON string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a JSON string, or `null` for `None`.
    pub fn text_or_null(text: Option<impl Into<String>>) -> Self {
        text.map_or(Self::Null, Self::text)
    }

    /// Creates a JSON array.
    pub fn list(values: impl IntoIterator<Item = Self>) -> Self {
        Self::List(values.into_iter().collect())
    }

    /// Creates a JSON array of strings.
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::list(texts.into_iter().map(Self::text))
    }

    /// Creates a JSON object.
    pub fn object(fields: impl IntoIterator<Item = (&'static str, Self)>) -> Self {
        Self::Object(fields.into_iter().collect())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(number) => number.fmt(f),
            // JSON cannot represent NaN or infinity.
            Self::Decimal(number) if !number.is_finite() => f.write_str("null"),
            Self::Decimal(number) => write!(f, "{number:.3}"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::List(values) => write_separated(f, ['[', ']'], values, |f, value| value.fmt(f)),
            Self::Object(fields) => write_separated(f, ['{', '}'], fields, |f, (name, value)| {
                write!(f, "{}:{value}", quoted(name))
            }),
        }
    }
}

/// Returns a quoted JSON string. Characters that control the display are escaped, so that it is
/// safe to print on a terminal.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Appends a quoted JSON string to `out`, for callers that write many strings into one buffer.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // Bidirectional controls are escaped too, because they reorder text on a terminal.
            control
                if control.is_control()
                    || matches!(control, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

fn write_separated<T>(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [char; 2],
    values: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        write(f, value)?;
    }
    f.write_char(close)
}
