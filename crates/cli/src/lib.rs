//! The `portreeve` command, which queries and manages SNMP agents. When called by the name of a
//! Net-SNMP command, such as `snmpget`, it behaves as that command.
//!
//! ```text
//! arguments ─ flags ─▶ Settings, operands ─ commands (a module per verb) ─▶ snmp-manager ─▶ output
//! ```

mod agent_address;
mod assumed_protocols;
mod client_plan;
mod command_error;
mod commands;
mod debug;
mod definitions;
mod environment;
mod external;
mod flags;
mod log;
pub mod manual;
mod output;
mod progress;
mod snmp_conf;
mod verb;

use std::{ffi::OsString, path::Path, process::ExitCode, rc::Rc};

pub use assumed_protocols::AssumedProtocols;
pub use client_plan::ClientPlan;
use command_error::CommandError;
use log::Log;
use verb::Verb;

/// Runs a command line; the first word is the name by which the program was called.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let called = words.next().unwrap_or_default();
    if Path::new(&called).file_name().is_some_and(|name| name == external::CLASSIC_RECEIVER) {
        return external::exec_receiver(words);
    }
    let (verb, program) = match Verb::from_program(&called) {
        Some(verb) => (verb, verb.classic_name().to_owned()),
        None => match words.next().and_then(|word| word.into_string().ok()) {
            Some(word) => match Verb::from_name(&word) {
                Some(verb) => (verb, format!("portreeve {word}")),
                None => return external::run_verb(&word, words).unwrap_or_else(|| run_without_verb(&word)),
            },
            None => return run_without_verb(""),
        },
    };
    if verb == Verb::Doctor {
        return external::exec_program(verb.classic_name(), words);
    }
    let mut log = Rc::<Log>::default();
    let outcome = flags::parse(verb, &program, words).and_then(|(settings, operands)| {
        log.clone_from(&settings.log);
        commands::run(verb, &program, settings, operands)
    });
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => ExitCode::from(error.report(verb, &program, &log)),
    }
}

/// Handles a command line without a verb: help, version, or an error.
fn run_without_verb(word: &str) -> ExitCode {
    match word {
        "-h" | "--help" | "help" => {
            let _ = portreeve_usage::print(std::io::stdout(), flags::overview());
            ExitCode::SUCCESS
        }
        "-V" | "--version" => {
            let _ = portreeve_usage::print(
                std::io::stdout(),
                concat!("portreeve ", env!("CARGO_PKG_VERSION"), "\n"),
            );
            ExitCode::SUCCESS
        }
        "" => {
            eprint!("{}", flags::overview());
            ExitCode::from(CommandError::EXIT_CODE)
        }
        other => {
            eprintln!("portreeve: unknown verb {other:?}");
            eprint!("{}", flags::OVERVIEW_SYNOPSIS);
            eprintln!("hint: `portreeve --help` lists the verbs");
            ExitCode::from(CommandError::EXIT_CODE)
        }
    }
}
