//! The commented file that `portreeved init` writes.
//!
//! It contains every option with its description, accepted values and default. Options that the
//! caller sets have values; all others are commented out.

use std::fmt::Write;

use crate::options::{OptionDefinition, SECTIONS, Section};

/// The given sections and values, in the order in which they are written.
#[derive(Default)]
pub struct Template {
    given: Vec<(&'static Section, Vec<(&'static str, String)>)>,
}

impl Template {
    /// Creates a template without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section with these values, which are TOML; see [`quoted`]. A section that the file
    /// may contain several times can be added several times.
    pub fn section(
        mut self,
        section: &'static Section,
        values: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Self {
        self.given.push((section, values.into_iter().collect()));
        self
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let mut text = String::from(INTRODUCTION);
        for section in SECTIONS {
            text.push('\n');
            write_paragraph(&mut text, "# ", section.doc);
            let given: Vec<_> = self.given.iter().filter(|(given, _)| given.name == section.name).collect();
            match &*given {
                [] => write_section(&mut text, section, None),
                [(_, first), rest @ ..] => {
                    write_section(&mut text, section, Some(first));
                    rest.iter().for_each(|(_, values)| write_values(&mut text, section, values));
                }
            }
        }
        text
    }
}

/// Quotes a string for TOML.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(letter))),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn write_section(text: &mut String, section: &Section, values: Option<&[(&str, String)]>) {
    let comment = if values.is_none() { "#" } else { "" };
    let _ = writeln!(text, "{comment}{}", section.heading());
    for option in section.options {
        write_explanation(text, option);
        let value = values.into_iter().flatten().find(|(name, _)| *name == option.name);
        let _ = match value {
            Some((name, value)) => writeln!(text, "{name} = {value}"),
            None => writeln!(text, "#{} = {}", option.name, option.example),
        };
    }
}

fn write_values(text: &mut String, section: &Section, values: &[(&str, String)]) {
    let _ = writeln!(text, "\n{}", section.heading());
    for (name, value) in values {
        let _ = writeln!(text, "{name} = {value}");
    }
}

fn write_explanation(text: &mut String, option: &OptionDefinition) {
    write_paragraph(text, "# ", option.doc);
    write_paragraph(text, "#   ", &format!("accepted: {}", option.accepted));
    if !option.default.is_empty() {
        write_paragraph(text, "#   ", &format!("default: {}", option.default));
    }
}

/// Writes words in lines of at most [`LINE_WIDTH`] bytes, each starting with `prefix`.
fn write_paragraph(text: &mut String, prefix: &str, words: &str) {
    let mut line = String::new();
    for word in words.split_whitespace() {
        if !line.is_empty() && prefix.len() + line.len() + word.len() > LINE_WIDTH {
            let _ = writeln!(text, "{prefix}{line}");
            line.clear();
        }
        let separator = if line.is_empty() { "" } else { " " };
        let _ = write!(line, "{separator}{word}");
    }
    let _ = writeln!(text, "{prefix}{line}");
}

const INTRODUCTION: &str = "\
# The configuration of portreeved.
#
# Lines that begin with # are comments; keys that are commented out show an example. `portreeved check FILE` prints
# all problems of a file. This file contains secrets: keep its mode at 600.
";

const LINE_WIDTH: usize = 110;

#[cfg(test)]
mod tests;
