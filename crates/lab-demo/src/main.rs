//! `portreeve-demo`, which `make demo` runs. Installations have `portreeve lab demo`, which is the
//! same.

use std::process::ExitCode;

use portreeve_lab_demo::error::Result;
use portreeve_lab_net::{Cleaner, run_clean_up_process};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("portreeve-demo: {}", error.message());
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => portreeve_lab_demo::run(),
        [Cleaner::ARGUMENT] => Ok(run_clean_up_process()?),
        _ => Err("the demo accepts no arguments".into()),
    }
}
