//! Reads one table of the file according to the definition of its section.

use portreeve_secret::Secret;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    options::{OptionDefinition, Section, ValueType},
    problem::{Problems, TextPosition},
};

/// A value and its position in the file.
#[derive(Clone, Debug)]
pub struct Located<T> {
    /// The value as read from the file.
    pub value: T,
    /// The position where it begins.
    pub position: TextPosition,
}

/// One table of the file. Its option names have been checked against the section's definition.
pub struct Reader<'t, 'p> {
    section: &'static Section,
    table: &'t DeTable<'t>,
    /// The position of the table.
    pub position: TextPosition,
    /// The problems found so far.
    pub problems: &'p mut Problems,
}

impl<'t, 'p> Reader<'t, 'p> {
    /// Creates a reader of `table` at `position`. Reports options that the section does not define.
    pub(crate) fn new(
        section: &'static Section,
        table: &'t DeTable<'t>,
        position: TextPosition,
        problems: &'p mut Problems,
    ) -> Self {
        let is_known = |key: &str| section.option(key).is_some() || section.has_section(key);
        for key in table.keys().filter(|key| !is_known(key.get_ref())) {
            let known = section.options.iter().map(|option| option.name);
            let (heading, name) = (section.heading(), key.get_ref());
            report_unknown(
                problems,
                position_of(key),
                &format!("{heading} has no key `{}`", display_escaped(name)),
                name,
                known,
            );
        }
        Self { section, table, position, problems }
    }

    /// Returns the string value of an option.
    pub fn text(&mut self, name: &str) -> Option<Located<String>> {
        let (option, value) = self.value(name)?;
        match value.get_ref() {
            DeValue::String(text) => {
                Some(Located { value: text.clone().into_owned(), position: position_of(value) })
            }
            other => self.wrong_type(option, value, other),
        }
    }

    /// Returns the string value of an option as a secret, so that it is never printed.
    pub fn secret(&mut self, name: &str) -> Option<Located<Secret>> {
        let (option, value) = self.value(name)?;
        match value.get_ref() {
            DeValue::String(text) => {
                Some(Located { value: Secret::from(&**text), position: position_of(value) })
            }
            other => self.wrong_type(option, value, other),
        }
    }

    /// Returns the number of an option; reports a number out of range.
    pub fn number(&mut self, name: &str) -> Option<u32> {
        let (option, value) = self.value(name)?;
        let ValueType::Number { min, max } = option.kind else { return None };
        match value.get_ref() {
            DeValue::Integer(digits) => {
                let number = u32::from_str_radix(digits.as_str(), digits.radix()).ok();
                let number = number.filter(|number| (min..=max).contains(number));
                if number.is_none() {
                    let found = format!("{} = {digits} is out of range", option.name);
                    self.problems.error(position_of(value), found).accepted(option.accepted);
                }
                number
            }
            other => self.wrong_type(option, value, other),
        }
    }

    /// Returns the boolean value of an option.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        let (option, value) = self.value(name)?;
        match value.get_ref() {
            DeValue::Boolean(on) => Some(*on),
            other => self.wrong_type(option, value, other),
        }
    }

    /// Returns the strings of an option.
    pub fn list(&mut self, name: &str) -> Option<Vec<Located<String>>> {
        let (option, value) = self.value(name)?;
        let values = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            DeValue::String(_) => vec![value],
            other => return self.wrong_type(option, value, other),
        };
        let mut texts = Vec::new();
        for value in values {
            match value.get_ref() {
                DeValue::String(text) => {
                    texts.push(Located { value: text.clone().into_owned(), position: position_of(value) });
                }
                other => drop(self.wrong_type::<()>(option, value, other)),
            }
        }
        Some(texts)
    }

    /// Returns the position of the option's value, even if it is invalid; `None` if the option is
    /// not set.
    pub fn position_of(&self, name: &str) -> Option<TextPosition> {
        self.table.get(name).map(position_of)
    }

    /// Reports an error if a required option is missing.
    pub fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        // A value of the wrong type has been reported already.
        if value.is_none() && self.position_of(name).is_none() {
            let found = format!("{} requires the key `{name}`", self.section.heading());
            let accepted = self.section.option(name).map_or("", |option| option.accepted);
            self.problems.error(self.position, found).accepted(accepted);
        }
        value
    }

    fn value(&self, name: &str) -> Option<(&'static OptionDefinition, &'t Spanned<DeValue<'t>>)> {
        Some((self.section.option(name)?, self.table.get(name)?))
    }

    fn wrong_type<T>(
        &mut self,
        option: &OptionDefinition,
        value: &Spanned<DeValue<'_>>,
        found: &DeValue<'_>,
    ) -> Option<T> {
        let expected = match option.kind {
            ValueType::Text | ValueType::Secret => "a string in quotes",
            ValueType::Boolean => "true or false",
            ValueType::List => "strings in brackets",
            ValueType::Number { .. } => "an integer",
        };
        let found = format!("`{}` must be {expected}, found a TOML {}", option.name, found.type_str());
        self.problems.error(position_of(value), found).accepted(option.accepted);
        None
    }
}

/// Returns the position where a value or key begins.
pub(crate) fn position_of<T>(spanned: &Spanned<T>) -> TextPosition {
    TextPosition(spanned.span().start)
}

/// Reports an unknown name, with the most similar known name as a hint.
pub fn report_unknown<'a>(
    problems: &mut Problems,
    position: TextPosition,
    found: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) {
    let nearest = known.clone().map(|known| (distance(name, known), known)).min();
    let problem = problems.error(position, found).accepted(known.collect::<Vec<_>>().join(", "));
    if let Some((0..=2, nearest)) = nearest {
        problem.hint(format!("did you mean `{nearest}`?"));
    }
}

/// Returns a name from the file, escaped and truncated for errors.
pub fn display_escaped(name: &str) -> String {
    let short: String = name.chars().take(64).flat_map(char::escape_debug).collect();
    if name.chars().nth(64).is_some() { format!("{short}…") } else { short }
}

/// Returns the edit distance between `a` and `b` in characters, or 64 if one is longer than 64
/// bytes.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 64 || b.len() > 64 {
        return 64;
    }
    let letters: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=letters.len()).collect();
    for (line, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, to) in letters.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[letters.len()]
}
