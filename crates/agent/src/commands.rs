//! The commands of `portreeved`, one file per command.

mod audit;
mod check;
mod demo;
mod init;
mod kill_session;
mod reload;
mod status;

use std::path::Path;

pub(crate) use audit::audit;
pub(crate) use check::check;
pub(crate) use demo::demo;
pub(crate) use init::init;
pub(crate) use kill_session::kill_session;
pub(crate) use reload::reload;
pub(crate) use status::status;

use crate::{
    arguments::{COMMANDS, DEFAULT_CONFIG},
    error::CommandError,
    process,
};

/// Runs the agent with a configuration file.
pub(crate) fn run(config: &Path, first_start: bool) -> Result<(), CommandError> {
    process::serve(config, first_start)
}

/// Prints the list of commands.
pub(crate) fn help() -> Result<(), CommandError> {
    let rows =
        COMMANDS.iter().map(|command| (format!("{} {}", command.name, command.synopsis), command.help));
    let others = [("-h, --help", "print this help"), ("-V, --version", "print the version")];
    let others = others.map(|(written, help)| (written.to_owned(), help));
    let table = portreeve_usage::format_table(rows.chain(others));
    let _ = portreeve_usage::print(
        std::io::stdout(),
        format_args!(
            "portreeved, an SNMP agent that authenticates users by SSH keys and certificates\n\nUsage: portreeved COMMAND\n\n{table}\nWithout --config, FILE is {DEFAULT_CONFIG}.\n"
        ),
    );
    Ok(())
}

/// Prints the version.
pub(crate) fn version() -> Result<(), CommandError> {
    let _ =
        portreeve_usage::print(std::io::stdout(), concat!("portreeved ", env!("CARGO_PKG_VERSION"), "\n"));
    Ok(())
}
