//! The command line. Each option is defined once, in `OPTIONS`.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::PathBuf,
};

use portreeve_usage::{self as usage, Flag};

use crate::Form;

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Show [`help`].
    Help,
    /// Show the version.
    Version,
    /// Only say what is wrong with the file.
    Check(PathBuf),
    /// Poll.
    Poll {
        /// What to poll.
        file: PathBuf,
        /// Every target once.
        once: bool,
        /// The form of results.
        form: Form,
    },
}

/// Reads the arguments behind the program's name.
///
/// # Errors
/// For what is no option, a value that is missing or not wanted, and without exactly one file.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Misused> {
    let (mut given, mut file) = (Given::default(), None);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy().into_owned();
        if !text.starts_with('-') {
            match file.replace(PathBuf::from(argument)) {
                None => continue,
                Some(_) => return Err(Misused("more than one file is given".into())),
            }
        }
        let (name, attached) =
            text.split_once('=').map_or((&*text, None), |(name, value)| (name, Some(value)));
        let option = OPTIONS.iter().find(|option| option.flag.names().iter().any(|known| known == name));
        let option = option.ok_or_else(|| Misused(format!("there is no option {}", name.escape_debug())))?;
        let value = match (option.flag.value, attached) {
            (None, Some(_)) => return Err(Misused(format!("{name} takes no value"))),
            (None, None) => OsString::new(),
            (Some(_), Some(value)) => value.into(),
            (Some(value), None) => {
                arguments.next().ok_or_else(|| Misused(format!("{name} needs {value}")))?
            }
        };
        (option.take)(&mut given, &value)?;
    }
    if let Some(asked) = given.asked {
        return Ok(asked);
    }
    let file = file.ok_or_else(|| Misused("no file is given".into()))?;
    let Given { once, form, .. } = given;
    Ok(if given.check { Command::Check(file) } else { Command::Poll { file, once, form } })
}

/// What `--help` shows.
pub fn help() -> String {
    let options = usage::table(OPTIONS.iter().map(|option| (option.flag.written(), option.flag.does)));
    let example: String = EXAMPLE.lines().map(|line| format!("  {line}\n")).collect();
    format!("Usage: portreeve poll {SYNOPSIS}\n\n{DOES}\n\n{options}\n{SIGNALS}\n\nFILE is TOML:\n{example}")
}

/// What stands on the command line.
#[derive(Default)]
struct Given {
    asked: Option<Command>,
    once: bool,
    check: bool,
    form: Form,
}

/// An option.
pub(crate) struct Opt {
    pub(crate) flag: Flag,
    /// Takes its value, which is empty for a switch.
    take: fn(&mut Given, &OsStr) -> Result<(), Misused>,
}

/// Arguments that mean nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct Misused(String);

impl fmt::Display for Misused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misused {}

/// Every option, in the order of the help.
pub(crate) static OPTIONS: &[Opt] = &[
    Opt {
        flag: Flag::long("once", "poll every target once and end"),
        take: |given, _| {
            given.once = true;
            Ok(())
        },
    },
    Opt {
        flag: Flag::long("csv", "write CSV"),
        take: |given, _| {
            given.form = Form::Csv;
            Ok(())
        },
    },
    Opt {
        flag: Flag::long("jsonl", "write one JSON object in each line (the default)"),
        take: |given, _| {
            given.form = Form::Json;
            Ok(())
        },
    },
    Opt {
        flag: Flag::long(
            "no-lines",
            "write no results: they are read over HTTP, as [prometheus] in FILE has it",
        ),
        take: |given, _| {
            given.form = Form::Nothing;
            Ok(())
        },
    },
    Opt {
        flag: Flag::long("check", "only say what is wrong with FILE"),
        take: |given, _| {
            given.check = true;
            Ok(())
        },
    },
    Opt {
        flag: Flag::both('h', "help", "show this"),
        take: |given, _| {
            given.asked.get_or_insert(Command::Help);
            Ok(())
        },
    },
    Opt {
        flag: Flag::both('V', "version", "show the version"),
        take: |given, _| {
            given.asked.get_or_insert(Command::Version);
            Ok(())
        },
    },
];

pub(crate) const SYNOPSIS: &str = "[OPTION]... FILE";
pub(crate) const DOES: &str =
    "Asks the targets in FILE for their objects, again and again, and writes one line for each value.";
pub(crate) const SIGNALS: &str = "SIGHUP reads FILE again; a wrong one changes nothing. SIGTERM ends.";
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
