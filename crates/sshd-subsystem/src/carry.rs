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
pub(crate) enum Carried {
    /// Answers, or nothing because nothing was wanted any more.
    Something,
    /// The agent has closed while the user still waited, and never said anything.
    Nothing,
}

/// Carries until the agent closes or the output takes nothing any more. The way to the agent may still wait for its
/// input then, in a thread that ends with the process.
pub(crate) fn both_ways(agent: UnixStream, input: File, output: File) -> io::Result<Carried> {
    let asking = agent.try_clone()?;
    let finished = Arc::new(AtomicBool::new(false));
    let finishing = Arc::clone(&finished);
    thread::Builder::new().stack_size(STACK).spawn(move || {
        // How the input ends is nothing to tell of; whether the agent still takes anything, it tells by closing.
        let _ = carry(&input, &asking);
        finishing.store(true, Ordering::Relaxed);
        let _ = asking.shutdown(Shutdown::Write);
    })?;
    let carried = carry(&agent, &output)?;
    let waits = !finished.load(Ordering::Relaxed);
    Ok(if carried == 0 && waits { Carried::Nothing } else { Carried::Something })
}

/// Carries everything from one end to the other; returns how many octets came. A side that is gone is an end like another.
fn carry(mut from: impl Read, mut to: impl Write) -> io::Result<u64> {
    let mut buffer = vec![0; BUFFER];
    let mut carried = 0;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(carried),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if is_gone(&error) => return Ok(carried),
            Err(error) => return Err(error),
        };
        carried += count as u64;
        match to.write_all(buffer.get(..count).unwrap_or_default()) {
            Ok(()) => {}
            Err(error) if is_gone(&error) => return Ok(carried),
            Err(error) => return Err(error),
        }
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}

/// More than most answers; larger ones take a few turns.
const BUFFER: usize = 16 << 10;
/// The thread does next to nothing.
const STACK: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_carried_in_its_order_whatever_its_size() {
        for size in [0, 1, BUFFER - 1, BUFFER, BUFFER + 1, 10 * BUFFER + 7] {
            let octets: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
            let mut taken = Vec::new();
            assert_eq!(carry(&*octets, &mut taken).unwrap(), size as u64);
            assert_eq!(taken, octets);
        }
    }
}
