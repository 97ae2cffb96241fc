//! The octets of one session between its worker and the NETCONF thread.

use std::{
    collections::VecDeque,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use portreeve_netconf::Phase;
use portreeve_transport::CloseReason;

use super::{MAX_INPUT, MAX_OUTPUT_PIECES};

/// The pipe of one session. Clones refer to the same pipe.
#[derive(Clone)]
pub(super) struct Pipe(Arc<Shared>);

struct Shared {
    content: Mutex<Content>,
    /// Wakes the worker's side.
    wake: Box<dyn Fn() + Send + Sync>,
}

/// The content of a pipe.
struct Content {
    input: Vec<u8>,
    /// True if the NETCONF thread has taken octets that it has not handled.
    is_handling: bool,
    output: VecDeque<Vec<u8>>,
    condition: Condition,
    /// True if a message was handled since the worker last asked.
    has_progress: bool,
    end: Option<End>,
    /// True while the session waits for its turn on the NETCONF thread.
    is_scheduled: bool,
}

/// The condition of a session, as the server sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) phase: Phase,
    pub(super) holds_lock: bool,
}

/// The outcome of a turn on the NETCONF thread.
pub(super) struct Turn {
    /// A piece of output, or nothing.
    pub(super) piece: Vec<u8>,
    pub(super) condition: Condition,
    /// True if a message was handled.
    pub(super) has_progress: bool,
    /// True if octets that were taken are not handled yet.
    pub(super) is_handling: bool,
}

/// The end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The session ends when all output is sent.
    AfterOutput,
    /// The session ends at once.
    Now(CloseReason),
}

/// The reason why the worker gets no output now.
pub(super) enum NoOutput {
    None,
    Closed(CloseReason),
}

impl Pipe {
    /// Creates a pipe; `wake` wakes the worker's side.
    pub(super) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let condition = Condition { phase: Phase::Hello, holds_lock: false };
        let content = Content {
            input: Vec::new(),
            is_handling: false,
            output: VecDeque::new(),
            condition,
            has_progress: false,
            end: None,
            is_scheduled: false,
        };
        Self(Arc::new(Shared { content: Mutex::new(content), wake: Box::new(wake) }))
    }

    // The worker's side.

    /// Adds as many of the first octets as there is room for. Returns their number, and true if the
    /// session must be scheduled.
    pub(super) fn write(&self, octets: &[u8]) -> (usize, bool) {
        let mut content = self.content();
        if content.end.is_some() {
            return (octets.len(), false);
        }
        let room = MAX_INPUT.saturating_sub(content.input.len());
        let accepted = octets.get(..room).unwrap_or(octets);
        content.input.extend_from_slice(accepted);
        (accepted.len(), content.schedule())
    }

    /// Returns true if octets can be written. After the end, they are discarded.
    pub(super) fn has_room(&self) -> bool {
        let content = self.content();
        content.end.is_some() || content.input.len() < MAX_INPUT
    }

    /// Removes the oldest piece of output. The second value is true if the session must be
    /// scheduled, because there was no room for more output.
    pub(super) fn take_output(&self) -> Result<(Vec<u8>, bool), NoOutput> {
        let mut content = self.content();
        if let Some(End::Now(reason)) = content.end {
            return Err(NoOutput::Closed(reason));
        }
        let was_full = content.output.len() >= MAX_OUTPUT_PIECES;
        match content.output.pop_front() {
            Some(piece) => {
                let is_scheduled = was_full && content.schedule();
                Ok((piece, is_scheduled))
            }
            None => Err(NoOutput::None),
        }
    }

    /// Returns true if a request is not answered completely. A request that is still being received
    /// does not count, because its peer may have finished sending.
    pub(super) fn has_unanswered(&self) -> bool {
        let content = self.content();
        let works = matches!(content.condition.phase, Phase::Executing | Phase::Replying);
        let has_input = content.is_handling || !content.input.is_empty();
        content.end.is_none() && (works || has_input || !content.output.is_empty())
    }

    /// Returns true if a message was handled since the last call.
    pub(super) fn take_progress(&self) -> bool {
        mem::take(&mut self.content().has_progress)
    }

    /// Returns true if the session ends and all its output is taken.
    pub(super) fn is_finished(&self) -> bool {
        let content = self.content();
        content.end == Some(End::AfterOutput) && content.output.is_empty()
    }

    /// Returns the condition; `None` while there is no room for octets, or output or progress that
    /// the worker has not taken, so that the peer is not waited for.
    pub(super) fn condition(&self) -> Option<Condition> {
        let content = self.content();
        let is_busy = content.has_progress || content.input.len() >= MAX_INPUT || !content.output.is_empty();
        (!is_busy).then_some(content.condition)
    }

    // The side of the NETCONF thread.

    /// Marks the session as scheduled. Returns false if it was already.
    pub(super) fn schedule(&self) -> bool {
        self.content().schedule()
    }

    /// Begins a turn of the session.
    pub(super) fn begin_turn(&self) {
        self.content().is_scheduled = false;
    }

    /// Takes all octets. The next call of [`Self::update`] says whether all of them are handled.
    pub(super) fn take_input(&self) -> Vec<u8> {
        let mut content = self.content();
        let was_full = content.input.len() >= MAX_INPUT;
        let input = mem::take(&mut content.input);
        content.is_handling = !input.is_empty();
        drop(content);
        if was_full {
            (self.0.wake)();
        }
        input
    }

    /// Returns true if there are octets to take.
    pub(super) fn has_input(&self) -> bool {
        !self.content().input.is_empty()
    }

    /// Returns true if another piece of output can be added.
    pub(super) fn accepts_output(&self) -> bool {
        let content = self.content();
        content.end.is_none() && content.output.len() < MAX_OUTPUT_PIECES
    }

    /// Records the outcome of a turn, and wakes the worker if something has changed.
    pub(super) fn update(&self, turn: Turn) {
        let mut content = self.content();
        let has_changed = !turn.piece.is_empty()
            || content.condition != turn.condition
            || turn.has_progress
            || content.is_handling != turn.is_handling;
        if !turn.piece.is_empty() {
            content.output.push_back(turn.piece);
        }
        content.condition = turn.condition;
        content.has_progress |= turn.has_progress;
        content.is_handling = turn.is_handling;
        drop(content);
        if has_changed {
            (self.0.wake)();
        }
    }

    /// Ends the session. An end at once replaces one after the output.
    pub(super) fn end(&self, end: End) {
        let mut content = self.content();
        if !matches!(content.end, Some(End::Now(_))) {
            content.end = Some(end);
        }
        content.input = Vec::new();
        if let End::Now(_) = end {
            content.output.clear();
        }
        drop(content);
        (self.0.wake)();
    }

    /// The content is always consistent, even after a panic.
    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn schedule(&mut self) -> bool {
        !mem::replace(&mut self.is_scheduled, true)
    }
}

#[cfg(test)]
mod tests;
