//! One line: a word, then its value, which may stand in quotes.

/// A word and its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) word: &'a str,
    pub(super) value: String,
}

impl<'a> Line<'a> {
    /// `None` for an empty line or a comment.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(Self { word, value: first_word(rest.trim_start()) })
    }
}

/// Splits off `[section]`.
pub(super) fn split_section(line: &str) -> (Option<&str>, &str) {
    let inside = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    inside.map_or((None, line), |(section, rest)| (Some(section.trim()), rest))
}

/// Whether a section's words are read by commands.
pub(super) fn is_ours(section: &str) -> bool {
    section.eq_ignore_ascii_case("snmp")
}

/// The first word of a value, without its quotes; a backslash keeps the next character as it is.
fn first_word(text: &str) -> String {
    let mut characters = text.chars();
    let quote = text.chars().next().filter(|first| ['"', '\''].contains(first));
    if quote.is_some() {
        characters.next();
    }
    let mut word = String::new();
    while let Some(character) = characters.next() {
        match character {
            '\\' => word.extend(characters.next()),
            end if Some(end) == quote => break,
            blank if quote.is_none() && blank.is_whitespace() => break,
            other => word.push(other),
        }
    }
    word
}
