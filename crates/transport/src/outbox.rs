//! The octets that a session's peer has not accepted yet, and the answers that are still expected.
//! Both are limited by handling no further requests, never by dropping an answer.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use crate::session_limits::SlotHandle;
use crate::worker::NoSessionError;

/// The destination of a session's output. `WouldBlock` means that the peer accepts nothing at the
/// moment.
pub(crate) trait MessageSink {
    /// Writes as many of the first octets as possible without blocking.
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize>;

    /// Returns whether octets written earlier are still buffered.
    fn is_congested(&self) -> bool;

    /// Returns whether octets written earlier are not on their way to the peer. They may be sent
    /// without delay.
    fn has_unsent(&self) -> bool;

    /// Sends buffered octets, and returns whether any were accepted since the last call.
    fn flush(&mut self) -> io::Result<bool>;
}

/// Octets pending for one session's peer, added by the session itself and by deferred responses.
/// Uses no memory while empty.
pub(crate) struct Outbox {
    #[expect(clippy::box_collection, reason = "most sessions have no octets, and a box is smaller")]
    octets: RefCell<Option<Box<VecDeque<u8>>>>,
    /// The number of answers that the message handler has not sent yet.
    expected: Cell<u32>,
    /// True if the session waits until fewer of its own answers are expected.
    is_blocked: Cell<bool>,
    place: Cell<Place>,
    is_closed: Cell<bool>,
    handle: Arc<SlotHandle>,
    budget: Rc<OutputBudget>,
}

/// The place of a session in the queue of its worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    None,
    /// The session waits until fewer answers of the worker are expected.
    Queued,
    /// The session has left the queue and was woken. It may handle one request before others.
    Next,
}

impl Outbox {
    pub(crate) fn new(handle: Arc<SlotHandle>, budget: Rc<OutputBudget>) -> Self {
        Self {
            octets: RefCell::default(),
            expected: Cell::new(0),
            is_blocked: Cell::new(false),
            place: Cell::default(),
            is_closed: Cell::new(false),
            handle,
            budget,
        }
    }

    /// Appends octets that the peer has not accepted.
    pub(crate) fn push(&self, octets: &[u8]) {
        self.octets.borrow_mut().get_or_insert_default().extend(octets);
        self.budget.octets.set(self.budget.octets.get() + octets.len());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.octets.borrow().is_none()
    }

    /// Returns whether the session may handle another request, whose answer may be deferred. If
    /// not, the session is woken when it may.
    pub(crate) fn admits_request(self: &Rc<Self>) -> bool {
        let is_short = self.budget.octets.get() >= MAX_SHARED_OCTETS;
        let own_limit = if is_short { 1 } else { MAX_SESSION_ANSWERS };
        self.is_blocked.set(self.expected.get() >= own_limit);
        !self.is_blocked.get() && self.budget.admits(self)
    }

    /// Returns whether the session has to wait until the handler has sent all answers.
    pub(crate) fn awaits_answers(&self) -> bool {
        self.is_blocked.set(self.expected.get() > 0);
        self.is_blocked.get()
    }

    /// Lets the next session in the queue handle a request if this session cannot use its turn.
    /// The session must call this function before it waits.
    pub(crate) fn end_turn(&self) {
        if self.place.get() == Place::Next {
            self.place.set(Place::None);
            self.budget.wake_next(0);
        }
    }

    /// Records that the session is closed, so that no more answers can be sent.
    pub(crate) fn set_closed(&self) {
        self.is_closed.set(true);
        self.end_turn();
    }

    /// Wakes the session to check its state.
    pub(crate) fn wake(&self) {
        self.handle.waker.notify_one();
    }

    /// Waits until the session is woken, by [`wake`](Self::wake) or through its slot handle.
    pub(crate) async fn woken(&self) {
        self.handle.waker.notified().await;
    }

    /// Passes octets from the front of the queue to `write` until that would block; returns whether
    /// `write` accepted any octets.
    ///
    /// # Errors
    /// The errors of `write`, except `WouldBlock`.
    pub(crate) fn drain(&self, mut write: impl FnMut(&[u8]) -> io::Result<usize>) -> io::Result<bool> {
        let mut slot = self.octets.borrow_mut();
        let Some(octets) = slot.as_mut() else { return Ok(false) };
        let before = octets.len();
        let result = loop {
            match octets.as_slices().0 {
                [] => break Ok(()),
                front => match write(front) {
                    Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                    Ok(count) => drop(octets.drain(..count)),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break Ok(()),
                    Err(error) => break Err(error),
                },
            }
        };
        let written = before - octets.len();
        self.budget.octets.set(self.budget.octets.get() - written);
        if octets.is_empty() {
            *slot = None;
        }
        result.map(|()| written > 0)
    }

    /// Records that one answer fewer is expected, and wakes the sessions that may continue.
    fn release(&self) {
        self.expected.set(self.expected.get() - 1);
        if self.is_blocked.get() && self.expected.get() <= MAX_SESSION_ANSWERS / 2 {
            self.wake();
        }
        self.budget.release();
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let octets = self.octets.borrow().as_ref().map_or(0, |octets| octets.len());
        let expected = self.expected.get();
        f.debug_struct("Outbox").field("octets", &octets).field("expected", &expected).finish()
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        let budget = &self.budget.octets;
        let octets = self.octets.get_mut().take().map_or(0, |octets| octets.len());
        budget.set(budget.get() - octets);
    }
}

/// An answer that a session expects. The handler holds one for each message that it has not
/// answered: it is counted while the value exists, so that no lost message is counted forever.
pub(crate) struct ExpectedAnswer(Rc<Outbox>);

impl ExpectedAnswer {
    pub(crate) fn new(outbox: &Rc<Outbox>) -> Self {
        outbox.expected.set(outbox.expected.get() + 1);
        outbox.budget.expected.set(outbox.budget.expected.get() + 1);
        Self(Rc::clone(outbox))
    }

    /// Sends the answer. Fails if the session is closed.
    pub(crate) fn send(&self, message: &[u8]) -> Result<(), NoSessionError> {
        if self.0.is_closed.get() {
            return Err(NoSessionError);
        }
        self.0.push(message);
        self.0.wake();
        Ok(())
    }
}

impl Clone for ExpectedAnswer {
    fn clone(&self) -> Self {
        Self::new(&self.0)
    }
}

impl fmt::Debug for ExpectedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Answers are equal if the same session expects them.
impl PartialEq for ExpectedAnswer {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Drop for ExpectedAnswer {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// The output of all sessions of one worker.
#[derive(Default)]
pub(crate) struct OutputBudget {
    /// The octets in all outboxes.
    octets: Cell<usize>,
    /// The answers that all sessions expect.
    expected: Cell<usize>,
    /// The sessions that wait until fewer answers are expected, in the order in which they
    /// continue.
    queue: RefCell<VecDeque<Weak<Outbox>>>,
}

impl OutputBudget {
    /// Returns whether a session may handle another request; if not, adds the session to the queue.
    /// A session that comes while others wait does not pass them.
    fn admits(&self, outbox: &Rc<Outbox>) -> bool {
        let place = outbox.place.get();
        let is_first = place == Place::Next || self.queue.borrow().is_empty();
        if is_first && self.expected.get() < MAX_WORKER_ANSWERS {
            outbox.place.set(Place::None);
            // The request of this session is not counted yet.
            self.wake_next(1);
            return true;
        }
        let waiting = Rc::downgrade(outbox);
        match outbox.place.replace(Place::Queued) {
            Place::None => self.queue.borrow_mut().push_back(waiting),
            Place::Next => self.queue.borrow_mut().push_front(waiting),
            Place::Queued => {}
        }
        false
    }

    /// Wakes the next session in the queue if it may handle a request while `admitted` further
    /// requests are admitted.
    fn wake_next(&self, admitted: usize) {
        if self.expected.get() + admitted >= MAX_WORKER_ANSWERS {
            return;
        }
        let mut queue = self.queue.borrow_mut();
        while let Some(outbox) = queue.pop_front() {
            if let Some(outbox) = outbox.upgrade().filter(|outbox| !outbox.is_closed.get()) {
                outbox.place.set(Place::Next);
                return outbox.wake();
            }
        }
        // Empty, and most of the time no session waits.
        *queue = VecDeque::new();
    }

    /// Records that one answer fewer is expected, and wakes the session that may continue.
    fn release(&self) {
        self.expected.set(self.expected.get() - 1);
        self.wake_next(0);
    }
}

/// The maximum number of answers that one session expects. At most so many answers are in its
/// outbox, because a session handles no request while its outbox has octets.
const MAX_SESSION_ANSWERS: u32 = 32;
/// The maximum number of answers that all sessions of one worker expect. It is lower than the
/// number of pending requests of an entity, so that requests over UDP find room.
const MAX_WORKER_ANSWERS: usize = 192;
/// The number of octets in all outboxes of a worker above which each session expects only one
/// answer.
const MAX_SHARED_OCTETS: usize = 8 << 20;

#[cfg(test)]
mod tests;
