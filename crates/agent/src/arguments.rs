//! The command line. Each command and option is defined once, in [`COMMANDS`].

use std::{ffi::OsString, fmt, path::PathBuf};

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    Run { config: PathBuf },
    Demo { directory: PathBuf, base_port: u16 },
    Init { directory: PathBuf },
    Check { config: PathBuf },
    Reload { config: PathBuf },
}

/// A command as the help shows it.
pub(crate) struct CommandHelp {
    pub(crate) usage: &'static str,
    pub(crate) does: &'static str,
    name: &'static str,
}

/// Every command.
pub(crate) const COMMANDS: &[CommandHelp] = &[
    CommandHelp {
        name: "run",
        usage: "run [--config FILE]",
        does: "serve as FILE says; SIGHUP reads it again, SIGTERM ends",
    },
    CommandHelp {
        name: "demo",
        usage: "demo --dir DIR [--base-port N]",
        does: "serve on loopback with fresh keys and users, written to DIR; no root needed",
    },
    CommandHelp {
        name: "init",
        usage: "init DIR",
        does: "write a commented portreeved.toml with fresh secrets into DIR",
    },
    CommandHelp { name: "check", usage: "check FILE", does: "say everything that is wrong with FILE" },
    CommandHelp {
        name: "reload",
        usage: "reload [--config FILE]",
        does: "check FILE and have the agent that serves it read it again",
    },
];

/// Reads the command line, without the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut arguments = arguments.into_iter();
    let Some(command) = arguments.next() else { return Ok(Command::Help) };
    let mut given = Given::default();
    while let Some(argument) = arguments.next() {
        given.take(argument, &mut arguments)?;
    }
    let command = command.to_string_lossy();
    if given.help {
        return Ok(Command::Help);
    }
    let parsed = match &*command {
        "-h" | "--help" | "help" => Command::Help,
        "-V" | "--version" | "version" => Command::Version,
        "run" => Command::Run { config: given.config.take().unwrap_or_else(default_config) },
        "reload" => Command::Reload { config: given.config.take().unwrap_or_else(default_config) },
        "demo" => Command::Demo {
            directory: given.directory.take().ok_or(UsageError::Missing("demo", "--dir DIR"))?,
            base_port: given.base_port.take().unwrap_or(DEFAULT_BASE_PORT),
        },
        "init" => {
            Command::Init { directory: given.operand.take().ok_or(UsageError::Missing("init", "DIR"))? }
        }
        "check" => {
            Command::Check { config: given.operand.take().ok_or(UsageError::Missing("check", "FILE"))? }
        }
        _ => return Err(UsageError::UnknownCommand(command.into_owned())),
    };
    given.finish(&command)?;
    Ok(parsed)
}

/// Options and operands, before it is known whether the command takes them.
#[derive(Default)]
struct Given {
    help: bool,
    config: Option<PathBuf>,
    directory: Option<PathBuf>,
    base_port: Option<u16>,
    operand: Option<PathBuf>,
}

impl Given {
    fn take(
        &mut self,
        argument: OsString,
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), UsageError> {
        let text = argument.to_string_lossy().into_owned();
        if !text.starts_with('-') {
            return match self.operand.replace(argument.into()) {
                None => Ok(()),
                Some(_) => Err(UsageError::Unexpected(text)),
            };
        }
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(OsString::from(value))),
            None => (text, None),
        };
        let mut value =
            || attached.clone().or_else(|| rest.next()).ok_or_else(|| UsageError::NoValue(name.clone()));
        match name.as_str() {
            "-h" | "--help" => self.help = true,
            "--config" => self.config = Some(value()?.into()),
            "--dir" => self.directory = Some(value()?.into()),
            "--base-port" => {
                let value = value()?.to_string_lossy().into_owned();
                self.base_port =
                    Some(value.parse().ok().filter(|port| *port > 0).ok_or(UsageError::BadPort(value))?);
            }
            _ => return Err(UsageError::UnknownOption(name)),
        }
        Ok(())
    }

    /// Insists that the command has used everything.
    fn finish(self, command: &str) -> Result<(), UsageError> {
        let left = [
            (self.config.is_some(), "--config"),
            (self.directory.is_some(), "--dir"),
            (self.base_port.is_some(), "--base-port"),
        ];
        if let Some((_, option)) = left.into_iter().find(|(left, _)| *left) {
            return Err(UsageError::NotForCommand(option, command.to_owned()));
        }
        match self.operand {
            Some(operand) => Err(UsageError::Unexpected(operand.to_string_lossy().into_owned())),
            None => Ok(()),
        }
    }
}

/// Why a command line means nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    UnknownCommand(String),
    UnknownOption(String),
    NotForCommand(&'static str, String),
    Missing(&'static str, &'static str),
    NoValue(String),
    BadPort(String),
    Unexpected(String),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(name) => {
                let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
                write!(f, "no command is called `{name}`; there are {}", names.join(", "))
            }
            Self::UnknownOption(name) => write!(f, "no option is called `{name}`"),
            Self::NotForCommand(option, command) => write!(f, "`{command}` takes no {option}"),
            Self::Missing(command, what) => write!(f, "`{command}` needs {what}"),
            Self::NoValue(option) => write!(f, "{option} needs a value"),
            Self::BadPort(value) => write!(f, "--base-port is a number from 1 to 65535, not `{value}`"),
            Self::Unexpected(argument) => write!(f, "`{argument}` is one argument too many"),
        }
    }
}

fn default_config() -> PathBuf {
    PathBuf::from(DEFAULT_CONFIG)
}

/// Where the configuration is looked for unless said otherwise.
const DEFAULT_CONFIG: &str = "/etc/portreeve/portreeved.toml";
/// Where the demo's ports begin: above those that need privileges.
const DEFAULT_BASE_PORT: u16 = 16161;

#[cfg(test)]
mod tests;
