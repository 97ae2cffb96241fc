//! `portreeve lab`: what every choice costs, measured on the machine it runs on.
//!
//! A command is an experiment (`experiments`) or a part of one that has to be a process of its own: a server pinned
//! to a core, a load generator inside a network namespace. The parts are not in the help. Everything listens on
//! loopback or inside namespaces made here, and only what was started here is ended.

mod bare_exchange;
mod capture;
mod commands;
mod daemon;
mod echo;
mod experiments;
mod failure;
mod interrupt;
mod load;
pub mod manual;
mod namespaces;
mod on_core;
mod options;
mod polling;
mod process;
mod requests;
mod samples;
mod scratch;
mod session_client;
mod stopwatch;
mod table;

use std::process::ExitCode;

use commands::COMMANDS;
use failure::Result;

/// Carries a command line out, which is given without the program's name.
pub fn run(mut arguments: impl Iterator<Item = String>) -> ExitCode {
    let command = arguments.next().unwrap_or_default();
    match execute(&command, arguments.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("portreeve lab: {}", failure.sentence());
            ExitCode::FAILURE
        }
    }
}

fn execute(command: &str, arguments: Vec<String>) -> Result<()> {
    if let Some(definition) = COMMANDS.iter().find(|definition| definition.name == command) {
        return (definition.run)(&arguments);
    }
    match command {
        "echo" => echo::serve(&arguments),
        "load" => load::run(&arguments),
        "capture" => capture::run(&arguments),
        "stopwatch" => stopwatch::run(&arguments),
        "poll-rounds" => polling::run(&arguments),
        "session-client" => session_client::run(&arguments),
        "bare-exchange" => bare_exchange::run(&arguments),
        "on-core" => on_core::exec(&arguments),
        "" | "help" | "-h" | "--help" => {
            print!("{}", commands::help());
            Ok(())
        }
        "-V" | "--version" => {
            println!("portreeve-lab {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        _ => Err(format!("no command '{command}'; try 'help'").into()),
    }
}
