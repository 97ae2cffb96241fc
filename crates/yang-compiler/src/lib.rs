//! `portreeve-yang`: compiles YANG modules to a schema file.
//!
//! ```text
//! files ─▶ libyang: parses and compiles ─▶ convert: nodes, types, identities ─▶ Schema ─▶ file
//!   └────▶ statement: lines of statements ─▶ locate ──┘
//! ```
//! It is a program of its own, because libyang is a C library: the agent only reads the file, which
//! it does not trust. The program limits its own memory and time.

mod arguments;
mod compile;
mod convert;
mod files;
#[cfg(test)]
mod fixture;
mod libyang;
mod limits;
mod locate;
pub mod manual;
mod output;
mod problem;
mod shipped;
mod show;
mod statement;

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use portreeve_yang::Schema;

pub use compile::{CompileRequest, compile};
pub use problem::Problem;

use arguments::Parsed;

/// Runs a command line, which is passed without the program's name.
#[allow(clippy::print_stderr, reason = "a command prints its errors")]
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let result = match arguments::parse(words) {
        Ok(Parsed::Help) => print(&arguments::help()),
        Ok(Parsed::Version) => print(&format!("portreeve yang {}\n", env!("CARGO_PKG_VERSION"))),
        Ok(Parsed::Compile(request, out)) => limited_compile(&request)
            .and_then(|schema| output::write(&out, &schema.encode()).map_err(|problem| vec![problem])),
        Ok(Parsed::Check(request)) => {
            limited_compile(&request).and_then(|schema| print(&show::show(&schema)))
        }
        Ok(Parsed::Show(file)) => output::read(&file)
            .map_err(|problem| vec![problem])
            .and_then(|schema| print(&show::show(&schema))),
        Err(error) => {
            eprintln!("portreeve yang: {error}\nhint: see `portreeve yang --help`");
            return ExitCode::from(USAGE);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            // Messages begin with the place, so that editors find it.
            problems.iter().for_each(|problem| eprintln!("{problem}"));
            ExitCode::FAILURE
        }
    }
}

/// Compiles modules within the limits of this process.
fn limited_compile(request: &CompileRequest) -> Result<Schema, Vec<Problem>> {
    limits::limit_resources();
    compile(request)
}

/// Prints data to standard output. A closed pipe means that the reader needs no more.
fn print(text: &str) -> Result<(), Vec<Problem>> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(vec![Problem::new(format!("cannot write to standard output: {error}"))])
        }
        _ => Ok(()),
    }
}

/// Exit status for an invalid command line.
const USAGE: u8 = 2;
