//! `portreeve poll` as a program: polls agents periodically and prints the values.

use std::{
    ffi::OsString,
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use crate::{
    arguments::{self, Command},
    configuration,
    driver::{self, CommandError},
};

/// Runs the command line, given without the program's name.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let command = match arguments::parse(arguments) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("portreeve-poll: {error}\nhint: `portreeve-poll --help` shows the usage");
            return ExitCode::from(USAGE);
        }
    };
    match execute(command) {
        Ok(()) => ExitCode::SUCCESS,
        // The program that reads the output has closed the pipe.
        Err(CommandError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<(), CommandError> {
    let mut stdout = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    match command {
        Command::Help => write!(stdout, "{}", arguments::help())?,
        Command::Version => writeln!(stdout, "portreeve-poll {}", env!("CARGO_PKG_VERSION"))?,
        Command::Check(file) => {
            let (_, warnings) = configuration::load(&file).map_err(CommandError::Rejected)?;
            warnings.iter().for_each(|warning| eprintln!("{warning}"));
        }
        Command::Poll { file, once, format } => return driver::run(&file, once, format, stdout),
    }
    Ok(stdout.flush()?)
}

/// The exit status after an invalid command line.
const USAGE: u8 = 2;
