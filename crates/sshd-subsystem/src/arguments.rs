//! The command line of `portreeve-snmp`.

use std::{ffi::OsString, fmt, path::PathBuf};

use portreeve_channel::DEFAULT_RELAY_SOCKET;
use portreeve_usage::{Flag, format_table};

/// The requested action.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    /// Relay the session on standard input and output to the agent at this socket.
    Relay(PathBuf),
}

/// Parses the command line, without the program name.
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

/// Returns the text of `--help`.
pub(crate) fn help() -> String {
    let options = format_table(OPTIONS.iter().map(|flag| (flag.syntax(), flag.help)));
    format!("{SUMMARY}\n\nUsage: portreeve-snmp {SYNOPSIS}\n\n{SOCKET_HELP}\n\nOptions:\n{options}")
}

/// The reason why a command line is invalid.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    UnknownOption(String),
    Unexpected(OsString),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption(name) => write!(f, "unknown option `{}`", name.escape_debug()),
            Self::Unexpected(argument) => {
                write!(f, "unexpected argument `{}`", argument.to_string_lossy().escape_debug())
            }
        }
    }
}

pub(crate) const SUMMARY: &str =
    "portreeve-snmp is sshd's subsystem `snmp`: it relays an SSH session to portreeved.";
pub(crate) const SYNOPSIS: &str = "[SOCKET]";
pub(crate) const SOCKET_HELP: &str = "SOCKET is the `path` of the agent's [[listen]] section with transport = \"behind-sshd\" (default: /run/portreeve/snmp.sock).";
pub(crate) static OPTIONS: [Flag; 2] =
    [Flag::both('h', "help", "print this help"), Flag::both('V', "version", "print the version")];

#[cfg(test)]
mod tests;
