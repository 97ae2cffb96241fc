//! `portreeved`: the SNMP agent.

mod allocations;
mod arguments;
mod audit;
mod commands;
mod credentials;
mod descriptors;
mod failure;
mod files;
mod fixed;
mod handler;
mod inbox;
mod local_engine;
pub mod manual;
mod observers;
mod passwords;
mod prepared;
mod process;
mod random;
mod relays;
mod service;
mod ssh_keys;
mod tally;
mod workshop;

use std::{ffi::OsString, process::ExitCode};

use arguments::{Command, parse};

/// Carries a command line out, which is given without the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = match parse(arguments) {
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
        Command::Audit { config, accepted, as_data } => return commands::audit(&config, &accepted, as_data),
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
