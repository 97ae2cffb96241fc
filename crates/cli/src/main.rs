//! `portreeve`, the SNMP command-line client.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_cli::run(std::env::args_os())
}
