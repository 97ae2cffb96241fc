//! The session broker: opens sessions over secure transports, lends each to one command at a time,
//! and keeps them for later commands.
//!
//! ```text
//! socketpair, or the user's socket ──▶ Command ── take / open ──▶ SecureSession ──▶ agent
//!                                         └────── give back ────▶ Pool
//! ```
//! The broker parses only the length of SNMP messages. A session belongs to one command at a time,
//! so that request-ids of two commands cannot collide; a concurrent command opens a second session.
//! Everything runs on one thread. The program ends when there are no commands and no kept sessions.

mod client_count;
mod command;
mod listener;
mod pool;
mod prompt_relay;

use std::{cell::Cell, ffi::OsString, os::fd::AsFd, os::unix::net::UnixStream, process::ExitCode, rc::Rc};

use portreeve_sys::close_inherited_descriptors;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use tokio::{runtime, task::LocalSet};

use client_count::ClientCount;
use pool::Pool;

/// The state that all commands share.
#[derive(Debug, Default)]
struct Broker {
    pool: Pool,
    clients: ClientCount,
    /// Set once the broker has tried to listen on the user's socket.
    is_listening_attempted: Cell<bool>,
}

/// Serves the command that is connected to standard input. If that command requests to keep
/// sessions, serves all other commands of this user as well.
#[allow(clippy::print_stdout, clippy::print_stderr, reason = "for users who start it by hand")]
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match arguments.last() {
        None => {}
        Some(argument) if argument == "--version" => {
            let _ = portreeve_usage::print(
                std::io::stdout(),
                concat!("portreeve-broker ", env!("CARGO_PKG_VERSION"), "\n"),
            );
            return ExitCode::SUCCESS;
        }
        Some(_) => {
            let _ = portreeve_usage::print(std::io::stdout(), format_args!("{HELP}\n"));
            return ExitCode::SUCCESS;
        }
    }
    protect_process();
    let Some(first) = first_command() else {
        eprintln!("{HELP}");
        return ExitCode::FAILURE;
    };
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    match runtime {
        Ok(runtime) => {
            let broker = Rc::new(Broker::default());
            LocalSet::new().block_on(&runtime, serve(broker, first));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("portreeve-broker: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Keeps login keys in this process out of core files and away from debuggers of the same user, and
/// closes what the command has inherited from others, for example the lock of a script.
fn protect_process() {
    // Without /proc, the descriptors stay open until this program ends.
    let _ = close_inherited_descriptors();
    let limit = Rlimit { current: Some(0), maximum: Some(0) };
    // Neither call can fail: the limit is lowered, and the behavior is supported.
    let _ = setrlimit(Resource::Core, limit);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Returns the socket of the command that has started this program.
fn first_command() -> Option<UnixStream> {
    let stream = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned().ok()?);
    // Fails unless standard input is a Unix socket.
    stream.peer_addr().ok()?;
    stream.set_nonblocking(true).ok()?;
    Some(stream)
}

async fn serve(broker: Rc<Broker>, first: UnixStream) {
    if let Ok(stream) = tokio::net::UnixStream::from_std(first) {
        let guard = broker.clients.register();
        tokio::task::spawn_local(command::serve(Rc::clone(&broker), stream, guard));
    }
    broker.clients.wait_until_zero().await;
}

const HELP: &str = "portreeve-broker keeps SSH, TLS and DTLS sessions open for portreeve, which starts it.\n\
                    See --persist of portreeve(1).";
