//! The command line. Every flag is defined once, in [`table`]; parsing and help use these
//! definitions.

mod application;
mod help;
pub(crate) mod input_names;
pub(crate) mod keys;
mod manual;
mod output_letters;
mod parse;
mod pass_phrase;
mod settings;
mod table;

use std::ffi::OsStr;

use crate::verb::Verb;

pub(crate) use help::{OVERVIEW_SYNOPSIS, appendix, overview, synopsis, usage};
pub(crate) use manual::groups;
pub(crate) use parse::parse;
pub(crate) use settings::{
    ApplicationOptions, DeltaOptions, NetstatOptions, SecureOptions, Settings, TableOptions, TranslateReport,
    Version,
};
pub(crate) use table::parse_time;

/// The definition of a flag.
pub(crate) struct Flag {
    pub(crate) name: FlagName,
    /// The name of the value in the help; `None` for a switch.
    pub(crate) value: Option<&'static str>,
    pub(crate) group: FlagGroup,
    pub(crate) verbs: &'static [Verb],
    pub(crate) help: &'static str,
    pub(crate) action: Action,
}

/// The effect of a flag.
pub(crate) enum Action {
    /// Applies the value, which is empty for a switch.
    Apply(fn(&mut Settings, &OsStr) -> Result<(), FlagError>),
    /// Applies the value, and may take the words that follow.
    ApplyWithNext(ApplyWithNext),
    /// The value consists of letters that depend on the verb: `-C`.
    ApplicationLetters,
}

/// Takes the value, and a function that returns the next word.
type ApplyWithNext = fn(&mut Settings, &str, &mut dyn FnMut() -> Option<String>) -> Result<(), FlagError>;

/// The names of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlagName {
    /// A name of one letter, such as `-v`.
    Short(char),
    /// A long name, such as `--stats`.
    Long(&'static str),
    /// A letter and a long name for the same flag, such as `-h` and `--help`.
    Both(char, &'static str),
}

impl FlagName {
    fn short(self) -> Option<char> {
        match self {
            Self::Short(letter) | Self::Both(letter, _) => Some(letter),
            Self::Long(_) => None,
        }
    }

    fn long(self) -> Option<&'static str> {
        match self {
            Self::Long(word) | Self::Both(_, word) => Some(word),
            Self::Short(_) => None,
        }
    }
}

/// The groups of flags, in the order of the help text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlagGroup {
    General,
    Community,
    User,
    Communication,
    Debugging,
    Extensions,
}

impl FlagGroup {
    const ALL: [Self; 6] =
        [Self::General, Self::Community, Self::User, Self::Communication, Self::Debugging, Self::Extensions];

    fn heading(self) -> &'static str {
        match self {
            Self::General => "OPTIONS:",
            Self::Community => "SNMP Version 1 or 2c specific",
            Self::User => "SNMP Version 3 specific",
            Self::Communication => "General communication options",
            Self::Debugging => "Debugging",
            Self::Extensions => "Beyond Net-SNMP",
        }
    }
}

/// The reason why parsing stops at a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FlagError {
    /// The value is invalid. The message is followed by the usage.
    Usage(String),
    /// The value is invalid. Only the message is printed.
    Message(String),
    /// The user has requested the help.
    HelpRequested,
    /// The user has requested the version.
    VersionRequested,
    /// The requested output has been printed.
    Done,
}

impl FlagError {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}

#[cfg(test)]
mod tests;
