//! Certificates and keys without pain: made, signed, revoked, shown, and told to the other end.
//!
//! ```text
//! words ─▶ arguments ─▶ make/{authorities, holders, sign, renew, revoke} ─▶ authority (the crate) ─▶ files
//!                     │                                              └▶ lines: what the other ends are told
//!                     └▶ show: what a file is
//! ```
//! Everything lies in one folder, for its owner alone: authorities at its top, and a folder for each host and user that can
//! be handed over as it is. What is printed on standard output is data; what is said beside it goes to standard error.

mod arguments;
mod command_error;
mod files;
mod folder;
mod lines;
mod make;
pub mod manual;
mod names;
mod pass_phrase;
mod revocations;
mod show;

use std::ffi::OsString;

pub use arguments::UsageError;
pub use command_error::CommandError;

use arguments::Parsed;

/// Carries a command line out, which is given without the program's name.
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

/// What came of a command line.
#[derive(Debug)]
pub enum Outcome {
    /// It was done.
    Done(Report),
    /// It could not be done.
    Failed(CommandError),
    /// It means nothing.
    InvalidUsage(UsageError),
}

/// What is said in the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// For standard output.
    pub data: String,
    /// For standard error.
    pub notes: String,
    /// What could not be done beside the rest, which was.
    pub failures: Vec<CommandError>,
}

impl Report {
    fn data(data: String) -> Self {
        Self { data, ..Self::default() }
    }
}
