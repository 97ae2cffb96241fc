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
#[cfg(test)]
mod oracle;
mod output;
mod problem;
mod served;
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
        Ok(Parsed::Help) => print(arguments::help().as_bytes()),
        Ok(Parsed::Version) => print(format!("portreeve yang {}\n", env!("CARGO_PKG_VERSION")).as_bytes()),
        Ok(Parsed::Compile(request, out)) => limited_compile(&request).and_then(|schema| {
            if out.as_os_str() == "-" {
                output::encode(&schema).map_err(|problem| vec![problem]).and_then(|octets| print(&octets))
            } else {
                output::save(&out, &schema).map_err(|problem| vec![problem])
            }
        }),
        Ok(Parsed::Check(request)) => {
            limited_compile(&request).and_then(|schema| print(show::show(&schema).as_bytes()))
        }
        Ok(Parsed::Show(file)) => output::read(&file)
            .map_err(|problem| vec![problem])
            .and_then(|schema| print(show::show(&schema).as_bytes())),
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
fn print(octets: &[u8]) -> Result<(), Vec<Problem>> {
    let mut stdout = io::stdout();
    match stdout.write_all(octets).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(vec![Problem::new(format!("cannot write to standard output: {error}"))])
        }
        _ => Ok(()),
    }
}

/// Exit status for an invalid command line.
const USAGE: u8 = 2;
