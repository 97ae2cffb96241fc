//! What a definition says.

/// A table of the file.
#[derive(Debug)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// Whether it is written `[[name]]`, any number of times.
    pub repeated: bool,
    /// What it is for.
    pub doc: &'static str,
    /// Its keys.
    pub options: &'static [OptionDefinition],
}

impl Section {
    /// How its heading is written.
    pub fn heading(&self) -> String {
        if self.repeated { format!("[[{}]]", self.name) } else { format!("[{}]", self.name) }
    }

    /// The key of this name.
    pub fn option(&self, name: &str) -> Option<&'static OptionDefinition> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// A key of a section.
#[derive(Debug)]
pub struct OptionDefinition {
    /// Its name.
    pub name: &'static str,
    /// What TOML type it takes.
    pub kind: ValueType,
    /// Which values are accepted, as a problem and the manual say it.
    pub accepted: &'static str,
    /// What holds where it is not given.
    pub default: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// A value, as it is written.
    pub example: &'static str,
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A string.
    Text,
    /// A string that is never shown.
    Secret,
    /// A boolean.
    Boolean,
    /// A list of strings; one alone may stand without brackets.
    List,
    /// An integer.
    Number {
        /// The least accepted.
        min: u32,
        /// The greatest accepted.
        max: u32,
    },
}
