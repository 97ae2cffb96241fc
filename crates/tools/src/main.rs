//! `portreeve-tools`: the programs that `portreeve` starts. They are one program because they share
//! most of their code.
//!
//! An installation has a hard link for each, such as `portreeve-poll`, and the name decides which
//! one runs. Called by another name, the program expects it as its first argument.

#![allow(clippy::print_stderr, reason = "a program prints to the terminal")]

use std::{
    env::{self, ArgsOs},
    ffi::OsStr,
    io, iter,
    path::Path,
    process::ExitCode,
};

fn main() -> ExitCode {
    let mut arguments = env::args_os();
    let called_as = arguments.next().unwrap_or_default();
    let own_name = Path::new(&called_as).file_name().and_then(OsStr::to_str);
    if own_name == Some(CLASSIC_RECEIVER) {
        return run_receiver(CLASSIC_RECEIVER, arguments);
    }
    if let Some(run) = own_name.and_then(|name| find(name.strip_prefix(PREFIX)?)) {
        return run(arguments);
    }
    let first = arguments.next().unwrap_or_default();
    match first.to_str() {
        Some("-h" | "--help") => print(&help()),
        Some("-V" | "--version") => print(concat!("portreeve-tools ", env!("CARGO_PKG_VERSION"), "\n")),
        name => match name.and_then(find) {
            Some(run) => run(arguments),
            None => {
                eprint!("portreeve-tools: unknown program '{}'\n{}", first.display(), help());
                ExitCode::from(USAGE)
            }
        },
    }
}

fn print(text: &str) -> ExitCode {
    // A closed pipe means that the reader needs no more output.
    let _ = portreeve_usage::print(io::stdout(), text);
    ExitCode::SUCCESS
}

fn help() -> String {
    let names = PROGRAMS.map(|(name, _)| name).join("|");
    format!("Usage: portreeve-tools {names} [ARGUMENT]...\n")
}

/// Runs a program with its arguments.
type Run = fn(ArgsOs) -> ExitCode;

fn find(name: &str) -> Option<Run> {
    PROGRAMS.into_iter().find(|(known, _)| *known == name).map(|(_, run)| run)
}

fn run_receiver(name: &str, arguments: ArgsOs) -> ExitCode {
    portreeve_trapd::command::run(iter::once(name.into()).chain(arguments))
}

/// The programs, without [`PREFIX`] in their names.
const PROGRAMS: [(&str, Run); 6] = [
    ("broker", portreeve_broker::run),
    ("doctor", portreeve_doctor::run),
    ("keys", portreeve_keys::program::run),
    ("poll", portreeve_poll::program::run),
    ("simulate", portreeve_simulate::program::run),
    ("trapd", |arguments| run_receiver("portreeve-trapd", arguments)),
];

/// Net-SNMP's name of the receiver of notifications.
const CLASSIC_RECEIVER: &str = "snmptrapd";

const PREFIX: &str = "portreeve-";

/// Exit status for an invalid command line.
const USAGE: u8 = 2;
