//! `portreeved`: the SNMP agent.

mod allocations;
mod arguments;
mod commands;
mod files;
mod fixed;
mod handler;
mod inbox;
mod process;
mod random;
mod service;

use std::process::ExitCode;

use arguments::{Command, parse};

fn main() -> ExitCode {
    let command = match parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("portreeved: {error}\nhint: `portreeved --help` lists the commands");
            return ExitCode::from(USAGE);
        }
    };
    let result = match command {
        Command::Help => commands::help(),
        Command::Version => commands::version(),
        Command::Run { config } => commands::run(&config),
        Command::Demo { directory, base_port } => commands::demo(&directory, base_port),
        Command::Init { directory } => commands::init(&directory),
        Command::Check { config } => commands::check(&config),
        Command::Reload { config } => commands::reload(&config),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Exit status after a command line that means nothing.
const USAGE: u8 = 2;
