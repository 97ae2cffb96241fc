//! `portreeve-trapd`: receives notifications.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program prints to the terminal")]

use std::process::ExitCode;

use portreeve_trapd::program::{self, arguments, arguments::Command};

fn main() -> ExitCode {
    match arguments::parse(std::env::args_os()) {
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
