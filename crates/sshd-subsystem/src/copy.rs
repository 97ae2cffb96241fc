//! Octets both ways, until the agent or the user's side ends.
//!
//! ```text
//! input ──▶ agent ── its end is passed on, and the agent still answers what it has been asked
//! output ◀── agent ── its end is the session's
//! ```
//! Each way has one buffer, and reads only when that has been taken: whoever does not read blocks the other and no
//! memory fills.

use std::{
    fs::File,
    io::{self, ErrorKind, Read, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// What the user has got out of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyOutcome {
    /// Answers, or nothing because nothing was wanted any more.
    Completed,
    /// The agent has closed while the user still waited, and never said anything.
    ClosedByAgent,
}

/// Carries until the agent closes or the output takes nothing any more. The way to the agent may still wait for its
/// input then, in a thread that ends with the process.
pub(crate) fn copy_both_ways(agent: UnixStream, input: File, output: File) -> io::Result<CopyOutcome> {
    let agent_writer = agent.try_clone()?;
    let is_input_finished = Arc::new(AtomicBool::new(false));
    let input_finished = Arc::clone(&is_input_finished);
    thread::Builder::new().stack_size(STACK_LEN).spawn(move || {
        // How the input ends is nothing to tell of; whether the agent still takes anything, it tells by closing.
        let _ = copy(&input, &agent_writer);
        input_finished.store(true, Ordering::Relaxed);
        let _ = agent_writer.shutdown(Shutdown::Write);
    })?;
    let copied = copy(&agent, &output)?;
    let waits = !is_input_finished.load(Ordering::Relaxed);
    Ok(if copied == 0 && waits { CopyOutcome::ClosedByAgent } else { CopyOutcome::Completed })
}

/// Carries everything from one end to the other; returns how many octets came. A side that is gone is an end like another.
fn copy(mut from: impl Read, mut to: impl Write) -> io::Result<u64> {
    let mut buffer = vec![0; BUFFER_LEN];
    let mut copied = 0;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if is_gone(&error) => return Ok(copied),
            Err(error) => return Err(error),
        };
        copied += count as u64;
        match to.write_all(buffer.get(..count).unwrap_or_default()) {
            Ok(()) => {}
            Err(error) if is_gone(&error) => return Ok(copied),
            Err(error) => return Err(error),
        }
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}

/// More than most answers; larger ones take a few turns.
const BUFFER_LEN: usize = 16 << 10;
/// The thread does next to nothing.
const STACK_LEN: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_of_any_size_is_copied_in_order() {
        for size in [0, 1, BUFFER_LEN - 1, BUFFER_LEN, BUFFER_LEN + 1, 10 * BUFFER_LEN + 7] {
            let octets: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
            let mut written = Vec::new();
            assert_eq!(copy(&*octets, &mut written).unwrap(), size as u64);
            assert_eq!(written, octets);
        }
    }
}
