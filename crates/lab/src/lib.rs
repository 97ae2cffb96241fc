//! `portreeve lab`: measures the cost of each configuration choice on the machine that it runs on.
//!
//! A command is an experiment (`experiments`) or a part of one that must be a separate process: a
//! server pinned to a core, or a load generator inside a network namespace. The parts are not
//! listed in the help. All servers listen on loopback or inside namespaces created here, and only
//! processes started here are stopped.

mod analyse;
mod bare_exchange;
mod capture;
mod client;
mod collect_children;
mod commands;
mod daemon;
mod echo;
mod experiments;
mod frame_counts;
mod harness;
mod less_protection;
mod load;
pub mod manual;
mod namespaces;
mod on_core;
mod options;
mod peers;
mod plan;
mod polling;
mod private_file;
mod requests;
mod samples;
mod skips;
mod stopwatch;
mod table;

use std::process::ExitCode;

use portreeve_lab_demo::{error, interrupt, netconf_client, ports, process};

/// Runs the command line, given without the program's name.
pub fn run(mut arguments: impl Iterator<Item = String>) -> ExitCode {
    let command = arguments.next().unwrap_or_default();
    match commands::execute(&command, &arguments.collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("portreeve lab: {}", error.message());
            ExitCode::FAILURE
        }
    }
}
