//! `portreeve-simulate`: recorded agents, served again.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program talks to people")]

use std::process::ExitCode;

use portreeve_simulate::{
    arguments::{self, Command},
    serve::serve,
};

fn main() -> ExitCode {
    match arguments::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => print!("{}", arguments::help()),
        Ok(Command::Version) => println!("portreeve-simulate {}", env!("CARGO_PKG_VERSION")),
        Ok(Command::Serve(plan)) => {
            if let Err(failure) = serve(&plan) {
                eprintln!("portreeve-simulate: {failure}");
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

/// Exit status after a command line that means nothing.
const USAGE: u8 = 2;
