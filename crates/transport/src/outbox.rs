//! The queue of octets that a session's peer has not accepted yet.

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::Arc;

use crate::session_limits::SlotHandle;

/// Octets pending for one session's peer, added by the session itself and by deferred responses.
/// Uses no memory while empty.
#[derive(Debug)]
pub(crate) struct Outbox {
    pending: RefCell<Vec<u8>>,
    overflowed: Cell<bool>,
    handle: Arc<SlotHandle>,
}

impl Outbox {
    pub(crate) fn new(handle: Arc<SlotHandle>) -> Self {
        Self { pending: RefCell::default(), overflowed: Cell::new(false), handle }
    }

    /// Appends a message and wakes the session. If more than `limit` octets would be pending, the
    /// message is dropped and the session will be closed: a dropped response is better than a
    /// truncated one.
    pub(crate) fn push(&self, message: &[u8], limit: usize) {
        let mut pending = self.pending.borrow_mut();
        if pending.len() + message.len() > limit {
            self.overflowed.set(true);
        } else {
            pending.extend_from_slice(message);
        }
        self.wake();
    }

    /// Appends the unwritten rest of a response, which may be the whole response; no limit applies.
    pub(crate) fn push_rest(&self, rest: &[u8]) {
        self.pending.borrow_mut().extend_from_slice(rest);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pending.borrow().is_empty()
    }

    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflowed.get()
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
        let mut pending = self.pending.borrow_mut();
        let mut written = 0;
        let result = loop {
            match pending.get(written..) {
                None | Some([]) => break Ok(written > 0),
                Some(rest) => match write(rest) {
                    Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                    Ok(count) => written += count,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break Ok(written > 0),
                    Err(error) => break Err(error),
                },
            }
        };
        if written >= pending.len() {
            *pending = Vec::new();
        } else {
            pending.drain(..written);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Outbox;

    #[test]
    fn outbox_preserves_octet_order_and_frees_memory_when_empty() {
        let outbox = Outbox::new(Default::default());
        outbox.push(b"abc", 8);
        outbox.push_rest(b"defgh");
        let mut written = Vec::new();
        let mut room = 5;
        let progress = outbox.drain(|bytes| {
            let count = bytes.len().min(2).min(room);
            if count == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            room -= count;
            written.extend_from_slice(&bytes[..count]);
            Ok(count)
        });
        assert!(progress.unwrap());
        assert_eq!(written, b"abcde");
        outbox
            .drain(|bytes| {
                written.extend_from_slice(bytes);
                Ok(bytes.len())
            })
            .unwrap();
        assert_eq!(written, b"abcdefgh");
        assert_eq!(outbox.pending.borrow().capacity(), 0);
        assert!(!outbox.has_overflowed());
    }

    #[test]
    fn message_that_exceeds_the_outbox_limit_is_dropped_completely() {
        let outbox = Outbox::new(Default::default());
        outbox.push(b"abc", 4);
        outbox.push(b"de", 4);
        assert!(outbox.has_overflowed());
        assert_eq!(*outbox.pending.borrow(), b"abc");
    }
}
