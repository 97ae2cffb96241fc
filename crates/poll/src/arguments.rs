//! The command line. Each option is defined once, in `OPTIONS`.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::PathBuf,
};

use portreeve_usage::{self as usage, Flag};

use crate::OutputFormat;

/// The command to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Prints [`help`].
    Help,
    /// Prints the version of the program.
    Version,
    /// Checks the configuration file and prints its problems.
    Check(PathBuf),
    /// Polls the targets of the configuration file.
    Poll {
        /// The configuration file.
        file: PathBuf,
        /// True to poll every target once and exit.
        once: bool,
        /// The output format.
        format: OutputFormat,
    },
}

/// Parses the arguments after the program's name.
///
/// # Errors
/// An unknown option, an option without its value or with an unexpected one, or not exactly one
/// file.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let (mut args, mut file) = (Args::default(), None);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy().into_owned();
        if !text.starts_with('-') {
            match file.replace(PathBuf::from(argument)) {
                None => continue,
                Some(_) => return Err(UsageError("more than one file is given".into())),
            }
        }
        let (name, attached) =
            text.split_once('=').map_or((&*text, None), |(name, value)| (name, Some(value)));
        let option = OPTIONS.iter().find(|option| option.flag.names().iter().any(|known| known == name));
        let option = option.ok_or_else(|| UsageError(format!("unknown option {}", name.escape_debug())))?;
        let value = match (option.flag.value, attached) {
            (None, Some(_)) => return Err(UsageError(format!("{name} takes no value"))),
            (None, None) => OsString::new(),
            (Some(_), Some(value)) => value.into(),
            (Some(value), None) => {
                arguments.next().ok_or_else(|| UsageError(format!("{name} needs {value}")))?
            }
        };
        (option.apply)(&mut args, &value)?;
    }
    if let Some(info) = args.info {
        return Ok(info);
    }
    let file = file.ok_or_else(|| UsageError("no file is given".into()))?;
    let Args { once, format, .. } = args;
    Ok(if args.check { Command::Check(file) } else { Command::Poll { file, once, format } })
}

/// Returns the text of `--help`.
pub fn help() -> String {
    let options = usage::format_table(OPTIONS.iter().map(|option| (option.flag.syntax(), option.flag.help)));
    let example: String = EXAMPLE.lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "Usage: portreeve poll {SYNOPSIS}\n\n{DESCRIPTION}\n\n{options}\n{SIGNALS}\n\nFILE is in TOML format:\n{example}"
    )
}

/// The parsed arguments.
#[derive(Default)]
struct Args {
    info: Option<Command>,
    once: bool,
    check: bool,
    format: OutputFormat,
}

/// The definition of an option.
pub(crate) struct CommandOption {
    pub(crate) flag: Flag,
    /// Applies the option's value, which is empty for a switch.
    apply: fn(&mut Args, &OsStr) -> Result<(), UsageError>,
}

/// The reason why the command line is invalid.
#[derive(Debug, PartialEq, Eq)]
pub struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Every option, in the order of the help.
pub(crate) static OPTIONS: &[CommandOption] = &[
    CommandOption {
        flag: Flag::long("once", "poll every target once and exit"),
        apply: |args, _| {
            args.once = true;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long("csv", "write results as CSV"),
        apply: |args, _| {
            args.format = OutputFormat::Csv;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long("jsonl", "write one JSON object per line (the default)"),
        apply: |args, _| {
            args.format = OutputFormat::Json;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long(
            "no-output",
            "write no results to standard output; serve them over HTTP only, as [prometheus] in FILE specifies",
        ),
        apply: |args, _| {
            args.format = OutputFormat::Nothing;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long("check", "check FILE and exit"),
        apply: |args, _| {
            args.check = true;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::both('h', "help", "print this help"),
        apply: |args, _| {
            args.info.get_or_insert(Command::Help);
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::both('V', "version", "print the version"),
        apply: |args, _| {
            args.info.get_or_insert(Command::Version);
            Ok(())
        },
    },
];

pub(crate) const SYNOPSIS: &str = "[OPTION]... FILE";
pub(crate) const DESCRIPTION: &str = "Polls the targets in FILE periodically and writes one line per value.";
pub(crate) const SIGNALS: &str =
    "SIGHUP reloads FILE; an invalid FILE is reported and has no effect. SIGTERM\nends the program.";
pub(crate) const EXAMPLE: &str = "\
[credentials.readers]
version = \"2c\"
community-file = \"readers.community\"
[objects.system]
get = [\"sysUpTime.0\", \"sysName.0\"]
[targets.core]
address = \"192.0.2.1\"
credentials = \"readers\"
objects = [\"system\"]
";

#[cfg(test)]
mod tests;
