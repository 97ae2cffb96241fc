//! `portreeve-yang`: compiles YANG modules to a schema file.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_yang_compiler::run(std::env::args_os().skip(1))
}
