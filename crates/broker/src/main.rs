//! `portreeve-broker`: holds secure sessions for commands. Commands start it; its standard input is the socket of the
//! first one.

use std::process::ExitCode;

fn main() -> ExitCode {
    portreeve_broker::run(std::env::args().skip(1))
}
