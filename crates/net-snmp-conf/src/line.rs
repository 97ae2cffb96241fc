//! Parses one line: an optional section, then a directive and its value, which may be quoted.

use crate::Directive;

/// Parses a directive and its value. Returns `None` for an empty line or a comment.
pub(crate) fn read(line: &str) -> Option<Directive> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let whole = rest.trim_start();
    Some(Directive { name: name.to_owned(), value: split_value(whole).0, raw_value: whole.to_owned() })
}

/// The beginning of a line: a section in brackets or a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head<'a> {
    /// A line without a leading bracket.
    Plain(&'a str),
    /// A section in brackets, and the rest of the line.
    Section(&'a str, &'a str),
    /// A bracket that is not closed, and the text after it.
    Unclosed(&'a str),
}

impl<'a> Head<'a> {
    pub(crate) fn of(line: &'a str) -> Self {
        match line.trim_start().strip_prefix('[') {
            None => Self::Plain(line),
            Some(inside) => match inside.split_once(']') {
                Some((section, rest)) => Self::Section(section.trim(), rest),
                None => Self::Unclosed(inside.trim()),
            },
        }
    }
}

/// Splits text into its values.
pub(crate) fn values(mut text: &str) -> Vec<String> {
    let mut values = Vec::new();
    while !text.is_empty() {
        let (value, rest) = split_value(text);
        values.push(value);
        text = rest.trim_start();
    }
    values
}

/// Returns the first value without its quotes, and the text after it. A backslash escapes the next
/// character.
fn split_value(text: &str) -> (String, &str) {
    let mut characters = text.chars();
    let quote = text.chars().next().filter(|first| ['"', '\''].contains(first));
    if quote.is_some() {
        characters.next();
    }
    let mut value = String::new();
    while let Some(character) = characters.next() {
        match character {
            '\\' => value.extend(characters.next()),
            end if Some(end) == quote => break,
            blank if quote.is_none() && blank.is_whitespace() => break,
            other => value.push(other),
        }
    }
    (value, characters.as_str())
}

#[cfg(test)]
mod tests;
