//! Creates, signs, revokes and displays certificates and keys, and prints configuration lines for
//! them.
//!
//! ```text
//! arguments ─▶ make/{authorities, holder, sign, renew, revoke} ─▶ pki (the crate) ─▶ files
//! │                                                 └▶ lines: configuration lines
//! └▶ show: displays files
//! ```
//! All files are in one directory that only its owner can read: the authorities at the top, and a
//! directory for each host and user that can be copied to its owner unchanged. Standard output
//! contains only data; notes go to standard error.

mod arguments;
mod command_error;
mod files;
mod folder;
mod lines;
mod make;
pub mod manual;
mod names;
mod pass_phrase;
pub mod program;
mod revocations;
mod show;

use std::ffi::OsString;

pub use arguments::UsageError;
pub use command_error::CommandError;

use arguments::Parsed;

/// Runs the command line, given without the program's name.
pub fn run(words: impl IntoIterator<Item = OsString>) -> Outcome {
    match arguments::parse(words) {
        Ok(Parsed::Help(command)) => Outcome::Done(Report::data(arguments::help(command))),
        Ok(Parsed::Version) => {
            Outcome::Done(Report::data(format!("portreeve-keys {}\n", env!("CARGO_PKG_VERSION"))))
        }
        Ok(Parsed::Run(command, args)) => match (command.run)(&args) {
            Ok(report) => Outcome::Done(report),
            Err(failure) => Outcome::Failed(failure),
        },
        Err(error) => Outcome::InvalidUsage(error),
    }
}

/// The result of a command line.
#[derive(Debug)]
pub enum Outcome {
    /// The command succeeded.
    Done(Report),
    /// The command failed.
    Failed(CommandError),
    /// The command line is invalid.
    InvalidUsage(UsageError),
}

/// The output of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The text for standard output.
    pub data: String,
    /// The text for standard error.
    pub notes: String,
    /// Failures of parts of the command; the other parts succeeded.
    pub failures: Vec<CommandError>,
}

impl Report {
    fn data(data: String) -> Self {
        Self { data, ..Self::default() }
    }
}
