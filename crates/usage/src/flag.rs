//! One option, as it is written.

/// An option of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The letter behind one hyphen.
    pub short: Option<char>,
    /// The word behind two.
    pub long: Option<&'static str>,
    /// What its value is called; `None` for a switch. `FILE` and `DIR` are such, `a|b` is one of these words.
    pub value: Option<&'static str>,
    /// What it does.
    pub help: &'static str,
}

impl Flag {
    /// A switch that is a word.
    pub const fn long(long: &'static str, does: &'static str) -> Self {
        Self { short: None, long: Some(long), value: None, help: does }
    }

    /// A switch that is a letter and a word.
    pub const fn both(short: char, long: &'static str, does: &'static str) -> Self {
        Self { short: Some(short), long: Some(long), value: None, help: does }
    }

    /// The same with a value.
    pub const fn with_value(self, value: &'static str) -> Self {
        Self { value: Some(value), ..self }
    }

    /// Its names, hyphens included.
    pub fn names(&self) -> Vec<String> {
        let short = self.short.map(|letter| format!("-{letter}"));
        short.into_iter().chain(self.long.map(|word| format!("--{word}"))).collect()
    }

    /// Names and value: `-h, --help`, `--by address|port`.
    pub fn syntax(&self) -> String {
        let names = self.names().join(", ");
        self.value.map_or(names.clone(), |value| format!("{names} {value}"))
    }

    /// What can stand for the value. Words are those with bars between them, in the value's name or in brackets in
    /// what the option does.
    pub fn completion(&self) -> Completion {
        let Some(value) = self.value else { return Completion::Nothing };
        if value.starts_with("FILE") {
            return Completion::Files;
        }
        if value.starts_with("DIR") {
            return Completion::Directories;
        }
        let bracketed = self.help.split(['(', ')']).skip(1).step_by(2);
        let choice = std::iter::once(value).chain(bracketed).find(|text| is_choice(text));
        choice.map_or(Completion::Nothing, |text| Completion::Words(text.split('|').collect()))
    }
}

/// What can stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Nothing known.
    Nothing,
    /// One of these.
    Words(Vec<&'static str>),
    /// A file.
    Files,
    /// A directory.
    Directories,
    /// A host.
    Hosts,
}

fn is_choice(text: &str) -> bool {
    text.contains('|') && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "|-./".contains(letter))
}

#[cfg(test)]
mod tests;
