//! `portreeved`: the SNMP agent.

mod allocations;
mod arguments;
mod audit;
mod commands;
mod configured_rows;
mod control;
mod datastore_thread;
mod descriptors;
mod error;
mod files;
mod handler;
mod handler_factory;
mod host_collectors;
mod local_engine;
mod log_summary;
pub mod manual;
mod netconf;
mod notifications;
mod prepared;
mod process;
mod random;
mod relays;
mod reload_changes;
mod reload_thread;
mod reloader;
mod restart_only;
mod schema_file;
mod service;
mod set_log;
mod status;
mod submissions;
mod target_files;
mod worker_queue;
mod yang_modules;

use std::{ffi::OsString, process::ExitCode};

use arguments::{Command, parse};

/// Runs the command line, given without the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = match parse(arguments) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("portreeved: {error}\nhint: see `portreeved --help`");
            return ExitCode::from(USAGE_ERROR_STATUS);
        }
    };
    let result = match command {
        Command::Help => commands::help(),
        Command::Version => commands::version(),
        Command::Run { config, first_start } => commands::run(&config, first_start),
        Command::Demo { directory, base_port } => commands::demo(&directory, base_port),
        Command::Init { directory } => commands::init(&directory),
        Command::Check { config } => commands::check(&config),
        Command::Audit { config, accepted, json } => return commands::audit(&config, &accepted, json),
        Command::Reload { config, quiet } => return commands::reload(&config, quiet),
        Command::KillSession { config, session } => commands::kill_session(&config, session),
        Command::Status { config, json } => return commands::status(&config, json),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Exit status for an invalid command line.
const USAGE_ERROR_STATUS: u8 = 2;
