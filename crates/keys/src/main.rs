//! `portreeve-keys`: creates, signs, revokes and displays certificates and keys.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the program prints to the terminal")]

use std::{
    io::{self, Write},
    process::ExitCode,
};

use portreeve_keys::{Outcome, run};

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
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
