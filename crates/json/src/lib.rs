//! Writes JSON (RFC 8259). Nothing is read here.
//!
//! ```
//! use portreeve_json::{Json, quoted};
//!
//! let steps = Json::list([Json::object([("step", Json::text("connect")), ("well", Json::Bool(true))])]);
//! assert_eq!(steps.to_string(), r#"[{"step":"connect","well":true}]"#);
//! assert_eq!(quoted("a \"b\"\n"), r#""a \"b\"\n""#);
//! ```

use std::fmt::{self, Write};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A number with three digits behind the point: times, ratios.
    Decimal(f64),
    /// A string.
    Text(String),
    /// Values in order.
    List(Vec<Self>),
    /// Values by name, in the order given.
    Object(Vec<(&'static str, Self)>),
}

impl Json {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A string, or nothing.
    pub fn text_or_null(text: Option<impl Into<String>>) -> Self {
        text.map_or(Self::Null, Self::text)
    }

    /// Values in order.
    pub fn list(values: impl IntoIterator<Item = Self>) -> Self {
        Self::List(values.into_iter().collect())
    }

    /// Strings in order.
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::list(texts.into_iter().map(Self::text))
    }

    /// Values by name.
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
            // There is no other number in JSON.
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

/// A string in quotes. What steers a terminal is escaped.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Adds a string in quotes, for whoever writes many into one buffer.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // Writing to a string does not fail.
            control if control.is_control() => drop(write!(out, "\\u{:04x}", u32::from(control))),
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
