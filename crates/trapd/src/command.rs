//! `portreeve trapd` as a program: receives notifications.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program prints to the terminal")]

use std::{ffi::OsString, process::ExitCode};

use crate::program::{self, arguments, arguments::Command};

/// Runs the command line, whose first word is the program's name: called as `snmptrapd`, it reads
/// the configuration of Net-SNMP.
pub fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    match arguments::parse(words) {
        Ok(Command::Help) => drop(portreeve_usage::print(std::io::stdout(), arguments::help())),
        Ok(Command::Version) => {
            let _ = portreeve_usage::print(
                std::io::stdout(),
                concat!("portreeve-trapd ", env!("CARGO_PKG_VERSION"), "\n"),
            );
        }
        Ok(Command::Run(plan)) => {
            if let Err(error) = program::run(&plan) {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
        Err(error) => {
            eprintln!("portreeve-trapd: {error}\nhint: `portreeve-trapd --help` lists the options");
            return ExitCode::from(USAGE);
        }
    }
    ExitCode::SUCCESS
}

/// The exit status after an invalid command line.
const USAGE: u8 = 2;
