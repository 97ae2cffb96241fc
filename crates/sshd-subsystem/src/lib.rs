//! `portreeve-snmp`: relays a session from sshd's subsystem to the agent (RFC 5592, with the SSH
//! part done by sshd).
//!
//! ```text
//! client ◀── SSH ──▶ sshd ◀── stdin, stdout ──▶ portreeve-snmp ◀── Unix socket ──▶ portreeved
//! ```
//! It runs as the user that sshd has authenticated, and sends no user name itself: the kernel
//! reports the user of the peer process to the agent. It does not inspect the data.

mod arguments;
mod copy;
mod error;
pub mod manual;
mod report;

use std::{
    ffi::OsString,
    fs::File,
    io::{self, IsTerminal},
    os::{fd::AsFd, unix::net::UnixStream},
    path::Path,
    process::ExitCode,
};

use arguments::Command;
use copy::CopyOutcome;
use error::CommandError;

/// Runs a command line, which is passed without the program name.
#[allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints its help and its errors")]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let result = match arguments::parse(arguments) {
        Ok(Command::Help) => {
            let _ = portreeve_usage::print(std::io::stdout(), arguments::help());
            Ok(())
        }
        Ok(Command::Version) => {
            let _ = portreeve_usage::print(
                std::io::stdout(),
                concat!("portreeve-snmp ", env!("CARGO_PKG_VERSION"), "\n"),
            );
            Ok(())
        }
        Ok(Command::Relay(socket)) => relay(&socket),
        Err(error) => {
            eprintln!("portreeve-snmp: {error}\nhint: see `portreeve-snmp --help`");
            return ExitCode::from(USAGE_EXIT_STATUS);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::report(&error);
            ExitCode::FAILURE
        }
    }
}

/// Relays one session from start to end.
fn relay(socket: &Path) -> Result<(), CommandError> {
    if io::stdin().is_terminal() {
        return Err(CommandError::Terminal);
    }
    let agent =
        UnixStream::connect(socket).map_err(|error| CommandError::Unreachable(socket.to_owned(), error))?;
    let (input, output) = (unbuffered(&io::stdin()), unbuffered(&io::stdout()));
    let (input, output) = (input.map_err(CommandError::Io)?, output.map_err(CommandError::Io)?);
    match copy::copy_both_ways(agent, input, output).map_err(CommandError::Io)? {
        CopyOutcome::ClosedByAgent => Err(CommandError::Closed),
        CopyOutcome::Completed => Ok(()),
    }
}

/// Returns a file for a standard stream. It has no buffer, so that data is passed on at once.
fn unbuffered(stream: &impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// The exit status after an invalid command line.
const USAGE_EXIT_STATUS: u8 = 2;
