//! The command line.

use std::{ffi::OsString, fmt, path::PathBuf};

use crate::Form;

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Show [`HELP`].
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
/// For what is no option, and without exactly one file.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Misused> {
    let (mut file, mut once, mut check, mut form) = (None, false, false, Form::Json);
    for argument in arguments {
        match argument.to_str() {
            Some("-h" | "--help") => return Ok(Command::Help),
            Some("-V" | "--version") => return Ok(Command::Version),
            Some("--once") => once = true,
            Some("--check") => check = true,
            Some("--csv") => form = Form::Csv,
            Some("--jsonl") => form = Form::Json,
            Some(option) if option.starts_with('-') => {
                return Err(Misused(format!("there is no option {}", option.escape_debug())));
            }
            _ if file.is_some() => return Err(Misused("more than one file is given".into())),
            _ => file = Some(PathBuf::from(argument)),
        }
    }
    let file = file.ok_or_else(|| Misused("no file is given".into()))?;
    Ok(if check { Command::Check(file) } else { Command::Poll { file, once, form } })
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

/// What `--help` shows.
pub const HELP: &str = "\
usage: portreeve-poll [OPTION]... FILE
Asks the targets in FILE for their objects, again and again, and writes one line for each value.

  --once      poll every target once and end
  --csv       write CSV
  --jsonl     write one JSON object in each line (the default)
  --check     only say what is wrong with FILE
  -h, --help  show this
  -V, --version

SIGHUP reads FILE again; a wrong one changes nothing. SIGTERM ends.

FILE is TOML:
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
