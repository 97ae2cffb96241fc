//! What a session's peer has not taken yet.

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::Arc;

use crate::session_limits::SlotHandle;

/// Octets waiting for one session's peer, filled by the session itself and by answers that took time. While it is
/// empty it holds no memory.
#[derive(Debug)]
pub(crate) struct Outbox {
    pending: RefCell<Vec<u8>>,
    overflowed: Cell<bool>,
    handle: Arc<SlotHandle>,
}

impl Outbox {
    pub(crate) fn new(handle: Arc<SlotHandle>) -> Self {
        Self { pending: RefCell::default(), overflowed: Cell::new(false), handle: handle }
    }

    /// Appends a message and rouses the session. Past `limit` octets the message is dropped, and the session will
    /// be closed: half an answer is worse than none.
    pub(crate) fn push(&self, message: &[u8], limit: usize) {
        let mut waiting = self.pending.borrow_mut();
        if waiting.len() + message.len() > limit {
            self.overflowed.set(true);
        } else {
            waiting.extend_from_slice(message);
        }
        self.wake();
    }

    /// Appends what could not be written of a message whose beginning has been; this is always taken.
    pub(crate) fn push_rest(&self, rest: &[u8]) {
        self.pending.borrow_mut().extend_from_slice(rest);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pending.borrow().is_empty()
    }

    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflowed.get()
    }

    /// Has the session look after its state.
    pub(crate) fn wake(&self) {
        self.handle.attention.notify_one();
    }

    /// Waits for [`wake`](Self::rouse) or for anyone else who holds the session's handle.
    pub(crate) async fn woken(&self) {
        self.handle.attention.notified().await;
    }

    /// Lets `write` take from the front what it can; returns whether it took anything.
    ///
    /// # Errors
    /// Those of `write`, except `WouldBlock`.
    pub(crate) fn drain(&self, mut write: impl FnMut(&[u8]) -> io::Result<usize>) -> io::Result<bool> {
        let mut waiting = self.pending.borrow_mut();
        let mut taken = 0;
        let result = loop {
            match waiting.get(taken..) {
                None | Some([]) => break Ok(taken > 0),
                Some(rest) => match write(rest) {
                    Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                    Ok(count) => taken += count,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break Ok(taken > 0),
                    Err(error) => break Err(error),
                },
            }
        };
        if taken >= waiting.len() {
            *waiting = Vec::new();
        } else {
            waiting.drain(..taken);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Outbox;

    #[test]
    fn unwritten_bytes_keep_order_and_empty_outbox_frees_memory() {
        let outbox = Outbox::new(Default::default());
        outbox.push(b"abc", 8);
        outbox.push_rest(b"defgh");
        let mut taken = Vec::new();
        let mut room = 5;
        let progress = outbox.drain(|bytes| {
            let count = bytes.len().min(2).min(room);
            if count == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            room -= count;
            taken.extend_from_slice(&bytes[..count]);
            Ok(count)
        });
        assert!(progress.unwrap());
        assert_eq!(taken, b"abcde");
        outbox
            .drain(|bytes| {
                taken.extend_from_slice(bytes);
                Ok(bytes.len())
            })
            .unwrap();
        assert_eq!(taken, b"abcdefgh");
        assert_eq!(outbox.pending.borrow().capacity(), 0);
        assert!(!outbox.has_overflowed());
    }

    #[test]
    fn message_over_limit_is_dropped_whole() {
        let outbox = Outbox::new(Default::default());
        outbox.push(b"abc", 4);
        outbox.push(b"de", 4);
        assert!(outbox.has_overflowed());
        assert_eq!(*outbox.pending.borrow(), b"abc");
    }
}
