//! `portreeve lab`: what every choice costs, measured on the machine it runs on.
//!
//! A command is an experiment ([`experiments`]) or a part of one that has to be a process of its own: a server pinned
//! to a core, a load generator inside a network namespace. The parts are not in the help. Everything listens on
//! loopback or inside namespaces made here, and only what was started here is ended.

mod capture;
mod daemon;
mod echo;
mod experiments;
mod failure;
mod interrupt;
mod load;
mod namespaces;
mod on_core;
mod options;
mod process;
mod requests;
mod samples;
mod scratch;
mod stopwatch;
mod table;

use std::env;
use std::process::ExitCode;

use failure::Result;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    match run(&command, arguments.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("portreeve lab: {}", failure.sentence());
            ExitCode::FAILURE
        }
    }
}

fn run(command: &str, arguments: Vec<String>) -> Result<()> {
    match command {
        "bench" => interrupt::clean_up_when_interrupted().and_then(|()| experiments::bench::run(&arguments)),
        "demo" => interrupt::clean_up_when_interrupted().and_then(|()| experiments::demo::run(&arguments)),
        "samples" => samples::write(&arguments),
        "echo" => echo::serve(&arguments),
        "load" => load::run(&arguments),
        "capture" => capture::run(&arguments),
        "stopwatch" => stopwatch::run(&arguments),
        "on-core" => on_core::exec(&arguments),
        "" | "help" | "-h" | "--help" => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(format!("no command '{command}'; try 'help'").into()),
    }
}

const HELP: &str = "\
usage: portreeve lab COMMAND

  demo               start an agent on loopback and walk its interfaces over every transport and level
  bench [OPTIONS]    our agent beside a bare echo server and snmpd, in network namespaces (needs root)
      --only NAME    one of: throughput, walk, loss, allocations, codec (may be repeated)
      --seconds S    length of one measurement, default 1
      --rounds N     measurements per figure, default 5
      --json FILE    the figures also as JSON
  samples DIR        one message of every kind, as files for a dissector
";
