//! The interface between a session and the protocol that it carries, such as SNMP.
//!
//! ```text
//! octets ──▶ SessionState ── receive ──▶ SessionProtocol      one message, or a part of one
//!                 │  ◀──── Received ────────┘                 progress
//!                 └────── produce ──────▶ next piece of output, when the peer has taken the last
//! ```
//! The session guards its slot, deadlines and memory; the protocol divides the octets into messages
//! and answers them. A protocol limits its own unanswered messages: as long as it wants no input,
//! the session reads nothing from the peer.

use std::sync::Arc;
use std::time::Duration;

use crate::outbox::{MessageSink, Outbox};
use crate::session_limits::SlotHandle;
use crate::session_source::SessionSource;
use crate::statistics::CloseReason;

/// A protocol in one session. All calls come from the task of the session, never re-entrantly. A
/// panic closes only this session.
pub trait SessionProtocol {
    /// Handles octets from the front of `input`, which may be modified: one message, or a part of
    /// one. Called only while [`wants_input`](Self::wants_input) is true and the peer has accepted
    /// all earlier output.
    ///
    /// # Errors
    /// The reason to close the session at once, for example because the octets are malformed.
    fn receive(
        &mut self,
        source: &SessionSource,
        input: &mut [u8],
        output: &mut SessionOutput<'_>,
    ) -> Result<Received, CloseReason>;

    /// Returns whether the protocol handles more input now. While it returns false, the session
    /// does not read from the peer; the protocol wakes the session when that changes.
    fn wants_input(&self) -> bool {
        true
    }

    /// Sends the next piece of output, if one is ready, and returns whether there was one. Called
    /// when the peer has accepted all earlier output. A piece should have at most
    /// [`OUTPUT_PIECE_SIZE`] octets.
    ///
    /// # Errors
    /// The reason to close the session at once.
    fn produce(&mut self, output: &mut SessionOutput<'_>) -> Result<bool, CloseReason> {
        let _ = output;
        Ok(false)
    }

    /// Returns whether received messages are still to be answered by [`produce`](Self::produce). A
    /// session whose peer has finished sending stays open until then.
    fn has_unanswered_messages(&self) -> bool {
        false
    }

    /// Returns the progress since the last call, of a protocol that handles its input on another
    /// thread. The protocol wakes the session when there is progress.
    fn take_progress(&mut self) -> Progress {
        Progress::None
    }

    /// Returns the event that an active session waits for, on which its deadline depends.
    fn awaited(&self) -> Awaited {
        Awaited::Message
    }

    /// Reports that the session is closed.
    fn closed(&mut self, source: &SessionSource, reason: CloseReason) {
        let _ = (source, reason);
    }
}

/// The result of passing octets to a protocol.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Received {
    /// The number of octets that were handled. If it is 0 and there is no progress, the session
    /// stores the octets and passes them again, followed by those that the peer sends next.
    pub octets: usize,
    /// The progress that these octets have made.
    pub progress: Progress,
}

/// The progress of a session, on which its deadlines depend.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Progress {
    /// No message is complete.
    None,
    /// A message was handled, but it does not make the session active: for example, it was dropped.
    Message,
    /// A message of a peer that may use the protocol. The session is active from now on.
    Accepted,
    /// Like `Accepted`, and the peer ends the session with this message: it is closed when all
    /// output is sent.
    Last,
}

/// The event that an active session waits for. The peer must have accepted all output; until then,
/// only [`Limits::stall_timeout`](crate::Limits::stall_timeout) applies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Awaited {
    /// The next message, within [`Limits::idle_timeout`](crate::Limits::idle_timeout).
    Message,
    /// The next message, within this time.
    MessageWithin(Duration),
    /// The next message, or the end of the protocol's own work, at any time.
    Any,
    /// The rest of a message, which the peer must send at
    /// [`Limits::min_receive_rate`](crate::Limits::min_receive_rate).
    RestOfMessage,
}

/// The output of a session. Accepts all octets, in order; those that the peer does not accept at
/// once are stored.
pub struct SessionOutput<'a> {
    sink: &'a mut dyn MessageSink,
    outbox: &'a Outbox,
    octets: usize,
    has_failed: bool,
}

impl<'a> SessionOutput<'a> {
    pub(crate) fn new(sink: &'a mut dyn MessageSink, outbox: &'a Outbox) -> Self {
        Self { sink, outbox, octets: 0, has_failed: false }
    }

    /// Sends octets. If the connection has failed, the session is closed after the current call.
    pub fn send(&mut self, octets: &[u8]) {
        if octets.is_empty() {
            return;
        }
        self.octets += octets.len();
        // Octets that are stored already must be sent first.
        let written = if self.outbox.is_empty() { self.sink.try_write(octets) } else { Ok(0) };
        let written = match written {
            Ok(written) => written,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => 0,
            Err(_) => {
                self.has_failed = true;
                return;
            }
        };
        if let Some(rest @ [_, ..]) = octets.get(written..) {
            self.outbox.push(rest);
        }
    }

    /// Returns the number of octets sent so far.
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }

    /// Returns whether a write has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed
    }
}

/// Wakes a session from any thread, so that its protocol is asked for output and for its state.
#[derive(Clone, Debug)]
pub struct SessionWaker(Arc<SlotHandle>);

impl SessionWaker {
    pub(crate) fn new(handle: &Arc<SlotHandle>) -> Self {
        Self(Arc::clone(handle))
    }

    /// Wakes the session. Several calls before it runs count as one.
    pub fn wake(&self) {
        self.0.waker.notify_one();
    }
}

/// The recommended maximum number of octets that a protocol sends in one call.
pub const OUTPUT_PIECE_SIZE: usize = 64 * 1024;
