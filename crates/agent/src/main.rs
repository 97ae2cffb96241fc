//! `portreeved`: the SNMP agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_agent::run(std::env::args_os().skip(1))
}
