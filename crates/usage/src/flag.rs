//! The definition of one option.

/// An option of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The letter after one hyphen.
    pub short: Option<char>,
    /// The word after two hyphens.
    pub long: Option<&'static str>,
    /// The name of the value, such as `FILE` or `DIR`; `a|b` means that the value is the word `a`
    /// or the word `b`. `None` for a switch.
    pub value: Option<&'static str>,
    /// The text that describes the option in the help.
    pub help: &'static str,
}

impl Flag {
    /// Creates a switch with a long name.
    pub const fn long(long: &'static str, help: &'static str) -> Self {
        Self { short: None, long: Some(long), value: None, help }
    }

    /// Creates a switch with a letter.
    pub const fn short(short: char, help: &'static str) -> Self {
        Self { short: Some(short), long: None, value: None, help }
    }

    /// Creates a switch with a letter and a long name.
    pub const fn both(short: char, long: &'static str, help: &'static str) -> Self {
        Self { short: Some(short), long: Some(long), value: None, help }
    }

    /// Returns the option with a value of this name.
    pub const fn with_value(self, value: &'static str) -> Self {
        Self { value: Some(value), ..self }
    }

    /// Returns the names, including the hyphens.
    pub fn names(&self) -> Vec<String> {
        let short = self.short.map(|letter| format!("-{letter}"));
        short.into_iter().chain(self.long.map(|word| format!("--{word}"))).collect()
    }

    /// Returns names and value: `-h, --help`, `--by address|port`.
    pub fn syntax(&self) -> String {
        let names = self.names().join(", ");
        self.value.map_or(names.clone(), |value| format!("{names} {value}"))
    }

    /// Returns the completion of the value. Words are taken from a list `a|b`, either the name of
    /// the value or in parentheses in the help text.
    pub fn completion(&self) -> Completion {
        let Some(value) = self.value else { return Completion::Nothing };
        if value.starts_with("FILE") || value.starts_with("SOCKET") {
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

/// The words that a shell offers for a value or an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The shell offers nothing.
    Nothing,
    /// The shell offers these words.
    Words(Vec<&'static str>),
    /// The shell offers the names of files.
    Files,
    /// The shell offers the names of directories.
    Directories,
    /// The shell offers the names of hosts.
    Hosts,
}

fn is_choice(text: &str) -> bool {
    text.contains('|') && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "|-./".contains(letter))
}

#[cfg(test)]
mod tests;
