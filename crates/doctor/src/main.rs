//! `portreeve-doctor`: what `portreeve doctor` executes.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_doctor::run(std::env::args_os().skip(1))
}
