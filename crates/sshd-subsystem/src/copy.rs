//! Copies octets in both directions until the agent or the client closes.
//!
//! ```text
//! input ──▶ agent     the end of the input is passed on; the agent still sends its responses
//! output ◀── agent    the agent's end is the end of the session
//! ```
//! Each direction has one buffer, and reads again only after the buffer is written. So memory use
//! is bounded: while one side does not read, the other side cannot continue to send.

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

/// The result of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyOutcome {
    /// The client has received responses, or did not wait for any.
    Completed,
    /// The agent has closed the session without a response while the client was waiting.
    ClosedByAgent,
}

/// Copies until the agent closes or the output is closed. The thread that copies to the agent may
/// then still wait for input; it ends with the process.
pub(crate) fn copy_both_ways(agent: UnixStream, input: File, output: File) -> io::Result<CopyOutcome> {
    let agent_writer = agent.try_clone()?;
    let is_input_finished = Arc::new(AtomicBool::new(false));
    let input_finished = Arc::clone(&is_input_finished);
    thread::Builder::new().stack_size(STACK_LEN).spawn(move || {
        // The end of the input is not an error. If the agent no longer reads, it closes its side.
        let _ = copy(&input, &agent_writer);
        input_finished.store(true, Ordering::Relaxed);
        let _ = agent_writer.shutdown(Shutdown::Write);
    })?;
    let copied = copy(&agent, &output)?;
    let waits = !is_input_finished.load(Ordering::Relaxed);
    Ok(if copied == 0 && waits { CopyOutcome::ClosedByAgent } else { CopyOutcome::Completed })
}

/// Copies everything from `from` to `to`; returns the number of octets. A closed pipe counts as the
/// end.
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

/// The size of a copy buffer in bytes, larger than most responses.
const BUFFER_LEN: usize = 16 << 10;
/// The stack size in bytes of the thread that copies, which needs almost no stack.
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
