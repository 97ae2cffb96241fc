//! The command line.

use std::{ffi::OsString, fmt, path::PathBuf};

use portreeve_channel::DEFAULT_RELAY_SOCKET;
use portreeve_usage::{Flag, format_table};

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    /// Bring the session at the standard streams to the agent at this socket.
    Relay(PathBuf),
}

/// Reads the command line, without the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut socket = None;
    for argument in arguments {
        match argument.to_str() {
            Some("-h" | "--help") => return Ok(Command::Help),
            Some("-V" | "--version") => return Ok(Command::Version),
            Some(option) if option.starts_with('-') => {
                return Err(UsageError::UnknownOption(option.to_owned()));
            }
            _ if socket.is_some() => return Err(UsageError::Unexpected(argument)),
            _ => socket = Some(PathBuf::from(argument)),
        }
    }
    Ok(Command::Relay(socket.unwrap_or_else(|| DEFAULT_RELAY_SOCKET.into())))
}

/// What `--help` says.
pub(crate) fn help() -> String {
    let options = format_table(OPTIONS.iter().map(|flag| (flag.syntax(), flag.help)));
    format!("{SUMMARY}\n\nUsage: portreeve-snmp {SYNOPSIS}\n\n{SOCKET_HELP}\n\nOptions:\n{options}")
}

/// Why a command line means nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    UnknownOption(String),
    Unexpected(OsString),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption(name) => write!(f, "no option is called `{}`", name.escape_debug()),
            Self::Unexpected(argument) => {
                write!(f, "`{}` is one argument too many", argument.to_string_lossy().escape_debug())
            }
        }
    }
}

pub(crate) const SUMMARY: &str =
    "portreeve-snmp is the subsystem `snmp` of sshd: it brings an SSH session to portreeved.";
pub(crate) const SYNOPSIS: &str = "[SOCKET]";
pub(crate) const SOCKET_HELP: &str =
    "SOCKET is the `path` of the agent's [[listen]] transport = \"behind-sshd\" (/run/portreeve/snmp.sock).";
pub(crate) static OPTIONS: [Flag; 2] =
    [Flag::both('h', "help", "show this"), Flag::both('V', "version", "show the version")];

#[cfg(test)]
mod tests;
