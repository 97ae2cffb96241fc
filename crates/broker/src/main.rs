//! `portreeve-broker`: keeps secure sessions open for commands. A command starts it, with the
//! command's socket as its standard input.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_broker::run(std::env::args().skip(1))
}
