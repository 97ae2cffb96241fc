//! Reading one table of the file by its section's definition.

use portreeve_secret::Secret;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    options::{OptionDefinition, Section, ValueType},
    problem::{Problems, TextPosition},
};

/// Something written in the file, and where.
#[derive(Clone, Debug)]
pub struct Located<T> {
    /// What.
    pub value: T,
    /// Where it begins.
    pub position: TextPosition,
}

/// One table, the keys of which are known to be the section's.
pub struct Reader<'t, 'p> {
    section: &'static Section,
    table: &'t DeTable<'t>,
    /// Where the table begins.
    pub position: TextPosition,
    /// What is wrong with the file, to be added to.
    pub problems: &'p mut Problems,
}

impl<'t, 'p> Reader<'t, 'p> {
    /// Reads `table`, which begins at `position`. Keys that the section does not have are reported.
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

    /// The string that stands for this key.
    pub fn text(&mut self, name: &str) -> Option<Located<String>> {
        let (option, value) = self.value(name)?;
        match value.get_ref() {
            DeValue::String(text) => {
                Some(Located { value: text.clone().into_owned(), position: position_of(value) })
            }
            other => self.wrong_type(option, value, other),
        }
    }

    /// The string that stands for this key, which must not be shown.
    pub fn secret(&mut self, name: &str) -> Option<Located<Secret>> {
        let (option, value) = self.value(name)?;
        match value.get_ref() {
            DeValue::String(text) => {
                Some(Located { value: Secret::from(&**text), position: position_of(value) })
            }
            other => self.wrong_type(option, value, other),
        }
    }

    /// The number that stands for this key, within its bounds.
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

    /// Whether this key is switched on.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        let (option, value) = self.value(name)?;
        match value.get_ref() {
            DeValue::Boolean(on) => Some(*on),
            other => self.wrong_type(option, value, other),
        }
    }

    /// The strings that stand for this key.
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

    /// Where the key's value stands, readable or not; `None` where the key is not there.
    pub fn position_of(&self, name: &str) -> Option<TextPosition> {
        self.table.get(name).map(position_of)
    }

    /// Reports that a key is missing without which the section means nothing.
    pub fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        // A value of the wrong type has been reported already.
        if value.is_none() && self.position_of(name).is_none() {
            let found = format!("{} needs the key `{name}`", self.section.heading());
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
        let found = format!("`{}` takes {expected}, found a TOML {}", option.name, found.type_str());
        self.problems.error(position_of(value), found).accepted(option.accepted);
        None
    }
}

/// Where a value or key begins.
pub(crate) fn position_of<T>(spanned: &Spanned<T>) -> TextPosition {
    TextPosition(spanned.span().start)
}

/// Reports a name that nobody knows, with the nearest that somebody does.
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

/// A name from the file, safe to show.
pub fn display_escaped(name: &str) -> String {
    let short: String = name.chars().take(64).flat_map(char::escape_debug).collect();
    if name.chars().nth(64).is_some() { format!("{short}…") } else { short }
}

/// How many letters have to be put in, left out or replaced to make `a` into `b`; at least 64 for what is longer.
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
