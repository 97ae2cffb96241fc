//! `portreeve lab`: measures the cost of each configuration choice on the machine that it runs on.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_lab::run(std::env::args().skip(1))
}
