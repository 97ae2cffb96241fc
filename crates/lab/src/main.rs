//! `portreeve lab`: what every choice costs, measured on the machine it runs on.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_lab::run(std::env::args().skip(1))
}
