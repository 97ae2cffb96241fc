//! `portreeve-doctor`: the program behind `portreeve doctor`.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_doctor::run(std::env::args_os().skip(1))
}
