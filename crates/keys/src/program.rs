//! `portreeve keys` as a program: prints the result and returns the exit status.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the program prints to the terminal")]

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use crate::Outcome;

/// Runs the command line, given without the program's name.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match crate::run(arguments) {
        Outcome::Done(report) => {
            eprint!("{}", report.notes);
            // A closed pipe means that the reader needs no more output.
            match io::stdout().write_all(report.data.as_bytes()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    eprintln!("portreeve keys: cannot write to standard output: {error}");
                    ExitCode::FAILURE
                }
                _ if report.failures.is_empty() => ExitCode::SUCCESS,
                _ => {
                    report.failures.iter().for_each(|failure| eprintln!("portreeve keys: {failure}"));
                    ExitCode::FAILURE
                }
            }
        }
        Outcome::Failed(failure) => {
            eprintln!("portreeve keys: {failure}");
            ExitCode::FAILURE
        }
        Outcome::InvalidUsage(error) => {
            eprintln!("portreeve keys: {error}\nhint: {}", error.hint());
            ExitCode::from(USAGE)
        }
    }
}

/// Exit status for an invalid command line.
const USAGE: u8 = 2;
