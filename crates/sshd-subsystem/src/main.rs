//! `portreeve-snmp`, which sshd runs as its subsystem `snmp`.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_sshd_subsystem::run(std::env::args_os().skip(1))
}
