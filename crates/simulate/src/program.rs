//! `portreeve simulate` as a program: serves recorded agents.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program prints to the terminal")]

use std::{ffi::OsString, process::ExitCode};

use crate::{
    arguments::{self, Command},
    serve::serve,
};

/// Runs the command line, given without the program's name.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match arguments::parse(arguments) {
        Ok(Command::Help) => drop(portreeve_usage::print(std::io::stdout(), arguments::help())),
        Ok(Command::Version) => {
            let _ = portreeve_usage::print(
                std::io::stdout(),
                concat!("portreeve-simulate ", env!("CARGO_PKG_VERSION"), "\n"),
            );
        }
        Ok(Command::Serve(plan)) => {
            if let Err(error) = serve(&plan) {
                eprintln!("portreeve-simulate: {error}");
                return ExitCode::FAILURE;
            }
        }
        Err(error) => {
            eprintln!("portreeve-simulate: {error}\nhint: `portreeve-simulate --help` lists the options");
            return ExitCode::from(USAGE);
        }
    }
    ExitCode::SUCCESS
}

/// The exit status after an invalid command line.
const USAGE: u8 = 2;
