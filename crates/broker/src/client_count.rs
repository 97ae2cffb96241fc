//! Who is still there: commands that are served, and sessions that are kept.

use std::{cell::Cell, rc::Rc};

use tokio::sync::Notify;

/// Counts guests, and says when the last has gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientCount(Rc<SharedCount>);

#[derive(Debug, Default)]
struct SharedCount {
    clients: Cell<usize>,
    changed: Notify,
}

/// One that is there, until it is dropped.
#[derive(Debug)]
pub(crate) struct ClientGuard(ClientCount);

impl ClientCount {
    pub(crate) fn register(&self) -> ClientGuard {
        self.0.clients.set(self.0.clients.get() + 1);
        ClientGuard(self.clone())
    }

    pub(crate) fn count(&self) -> usize {
        self.0.clients.get()
    }

    /// Waits until nobody is there.
    pub(crate) async fn wait_until_zero(&self) {
        loop {
            // Made before looking: whoever goes in between wakes it all the same.
            let changed = self.0.changed.notified();
            if self.count() == 0 {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        let count = &self.0.0;
        count.clients.set(count.clients.get().saturating_sub(1));
        // More than one may wait: the program, and its listener.
        count.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::{future::Future, pin::pin, task::Context, task::Waker};

    use super::*;

    #[test]
    fn all_waiters_wake_when_the_last_client_leaves() {
        let presence = ClientCount::default();
        let (first, last) = (presence.register(), presence.register());
        let (mut program, mut listener) =
            (pin!(presence.wait_until_zero()), pin!(presence.wait_until_zero()));
        let mut context = Context::from_waker(Waker::noop());
        assert!(program.as_mut().poll(&mut context).is_pending());
        assert!(listener.as_mut().poll(&mut context).is_pending());
        drop(first);
        assert!(listener.as_mut().poll(&mut context).is_pending());
        drop(last);
        assert!(listener.as_mut().poll(&mut context).is_ready());
        assert!(program.as_mut().poll(&mut context).is_ready());
    }
}
