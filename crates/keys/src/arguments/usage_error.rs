//! Errors of the command line.

use std::fmt;

use portreeve_usage::Flag;

use super::COMMANDS;

/// An invalid command line.
pub enum UsageError {
    /// The command does not exist.
    UnknownCommand(String),
    /// The command does not have this option. The values are the command and the option.
    UnknownOption(&'static str, String),
    /// The value of the option is missing or invalid.
    InvalidValue(Flag, String),
    /// A required operand is missing.
    MissingOperand(&'static str, &'static str),
    /// There are too many operands.
    ExtraOperand(&'static str, String),
}

impl UsageError {
    /// Returns a hint for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownCommand(_) => "see `portreeve keys --help`".to_owned(),
            Self::UnknownOption(command, _)
            | Self::MissingOperand(command, _)
            | Self::ExtraOperand(command, _) => {
                format!("see `portreeve keys {command} --help`")
            }
            Self::InvalidValue(flag, _) => format!("--{}: {}", flag.long.unwrap_or_default(), flag.help),
        }
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(name) => {
                let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
                write!(f, "unknown command `{name}`; the commands are {}", names.join(", "))
            }
            Self::UnknownOption(command, name) => write!(f, "`{command}` does not accept `{name}`"),
            Self::InvalidValue(flag, value) => match (flag.long.unwrap_or_default(), flag.value) {
                (name, None) => write!(f, "--{name} does not accept a value, found `{value}`"),
                (name, Some(accepted)) if value.is_empty() => write!(f, "--{name} requires {accepted}"),
                (name, Some(accepted)) => {
                    write!(f, "invalid value `{value}` of --{name}: expected {accepted}")
                }
            },
            Self::MissingOperand(command, what) => write!(f, "`{command}` requires {what}"),
            Self::ExtraOperand(command, word) => {
                write!(f, "unexpected argument `{word}` of `{command}`")
            }
        }
    }
}

impl fmt::Debug for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for UsageError {}
