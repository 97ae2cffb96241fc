//! The types for the definitions of sections and options.

/// The definition of a section, which is a table of the file.
#[derive(Debug)]
pub struct Section {
    /// The name of the section.
    pub name: &'static str,
    /// True if the section is written `[[name]]`, any number of times.
    pub repeated: bool,
    /// The description for the configuration template and the manual.
    pub doc: &'static str,
    /// The options of the section.
    pub options: &'static [OptionDefinition],
}

impl Section {
    /// Returns the heading as written in the file.
    pub fn heading(&self) -> String {
        if self.repeated { format!("[[{}]]", self.name) } else { format!("[{}]", self.name) }
    }

    /// Returns the option with this name.
    pub fn option(&self, name: &str) -> Option<&'static OptionDefinition> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// The definition of an option of a section.
#[derive(Debug)]
pub struct OptionDefinition {
    /// The name of the option.
    pub name: &'static str,
    /// The accepted TOML type.
    pub kind: ValueType,
    /// The accepted values, as printed in errors and in the manual.
    pub accepted: &'static str,
    /// The value if the option is not set.
    pub default: &'static str,
    /// The description for the configuration template and the manual.
    pub doc: &'static str,
    /// An example value in TOML.
    pub example: &'static str,
}

/// The TOML type of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A string.
    Text,
    /// A string that is never printed.
    Secret,
    /// A boolean.
    Boolean,
    /// A list of strings; a single string may be written without brackets.
    List,
    /// An integer.
    Number {
        /// The minimum value.
        min: u32,
        /// The maximum value.
        max: u32,
    },
}
