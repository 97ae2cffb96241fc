//! What `portreeved` can be told to do, one file per command.

mod audit;
mod check;
mod demo;
mod init;
mod reload;

use std::path::Path;

pub(crate) use audit::audit;
pub(crate) use check::check;
pub(crate) use demo::demo;
pub(crate) use init::init;
pub(crate) use reload::reload;

use crate::{
    arguments::{COMMANDS, DEFAULT_CONFIG},
    failure::Failure,
    process,
};

/// Serves as the file says.
pub(crate) fn run(config: &Path) -> Result<(), Failure> {
    process::serve(config)
}

/// Lists the commands.
pub(crate) fn help() -> Result<(), Failure> {
    println!("portreeved, an SNMP agent whose users are the keys you have\n\nUsage: portreeved COMMAND\n");
    let rows =
        COMMANDS.iter().map(|command| (format!("{} {}", command.name, command.synopsis), command.does));
    let others = [("-h, --help", "show this"), ("-V, --version", "show the version")];
    let others = others.map(|(written, does)| (written.to_owned(), does));
    print!("{}", portreeve_usage::table(rows.chain(others)));
    println!("\nWithout --config, FILE is {DEFAULT_CONFIG}.");
    Ok(())
}

/// Prints the version.
pub(crate) fn version() -> Result<(), Failure> {
    println!("portreeved {}", env!("CARGO_PKG_VERSION"));
    Ok(())
}
