//! Why a command line means nothing.

use std::fmt;

use portreeve_usage::Flag;

use super::COMMANDS;

/// Why a command line means nothing.
pub enum UsageError {
    /// No command has this name.
    UnknownCommand(String),
    /// The command, here the first, has no option of this name.
    UnknownOption(&'static str, String),
    /// The option's value is missing or none of its values.
    InvalidValue(Flag, String),
    /// The command needs what stands second.
    MissingOperand(&'static str, &'static str),
    /// The command needs less.
    ExtraOperand(&'static str, String),
}

impl UsageError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownCommand(_) => "`portreeve keys --help` explains them".to_owned(),
            Self::UnknownOption(command, _)
            | Self::MissingOperand(command, _)
            | Self::ExtraOperand(command, _) => {
                format!("`portreeve keys {command} --help` lists what it takes")
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
                write!(f, "no command is called `{name}`; there are {}", names.join(", "))
            }
            Self::UnknownOption(command, name) => write!(f, "`{command}` has no option `{name}`"),
            Self::InvalidValue(flag, value) => match (flag.long.unwrap_or_default(), flag.value) {
                (name, None) => write!(f, "--{name} takes no value, not `{value}`"),
                (name, Some(accepted)) if value.is_empty() => write!(f, "--{name} needs {accepted}"),
                (name, Some(accepted)) => write!(f, "--{name} takes {accepted}, not `{value}`"),
            },
            Self::MissingOperand(command, what) => write!(f, "`{command}` needs {what}"),
            Self::ExtraOperand(command, word) => {
                write!(f, "`{word}` is one argument too many for `{command}`")
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
