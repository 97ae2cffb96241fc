//! What may be typed: every flag is defined once, in [`table`], and parsing and help derive from there.

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

/// One flag.
pub(crate) struct Flag {
    pub(crate) name: FlagName,
    /// What the value is called in the help; `None` for a switch.
    pub(crate) value: Option<&'static str>,
    pub(crate) group: FlagGroup,
    pub(crate) verbs: &'static [Verb],
    pub(crate) help: &'static str,
    pub(crate) action: Action,
}

/// What a flag does.
pub(crate) enum Action {
    /// Reads its value, empty for a switch.
    Apply(fn(&mut Settings, &OsStr) -> Result<(), FlagError>),
    /// Reads its value, and may ask for the words that follow.
    ApplyWithNext(ApplyWithNext),
    /// Its value is letters that each verb has its own of: `-C`.
    ApplicationLetters,
}

/// Gets the value, and a way to the words that follow.
type ApplyWithNext = fn(&mut Settings, &str, &mut dyn FnMut() -> Option<String>) -> Result<(), FlagError>;

/// How a flag is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlagName {
    /// `-v`
    Short(char),
    /// `--stats`
    Long(&'static str),
    /// `-h`, `--help`
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

/// Under which heading a flag is explained, in the order of the headings.
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

/// Why a flag is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FlagError {
    /// The value is wrong; says so. The usage follows.
    Usage(String),
    /// The value is wrong; says so, and that is all.
    Message(String),
    /// The usage is what was asked for.
    HelpRequested,
    /// The version is what was asked for.
    VersionRequested,
    /// Whatever was asked for has been told.
    Done,
}

impl FlagError {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}

#[cfg(test)]
mod tests;
