//! `portreeve`: asks SNMP agents. Called as `snmpget` and so on it is that command.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_cli::run(std::env::args_os())
}
