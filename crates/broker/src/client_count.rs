//! Counts the commands that are served and the sessions that are kept.

use std::{cell::Cell, rc::Rc};

use tokio::sync::Notify;

/// The number of clients, and a notification when it decreases.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientCount(Rc<SharedCount>);

#[derive(Debug, Default)]
struct SharedCount {
    clients: Cell<usize>,
    changed: Notify,
}

/// One client, counted until it is dropped.
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

    /// Waits until no client is left.
    pub(crate) async fn wait_until_zero(&self) {
        loop {
            // Register for the notification before the check, so that no later change is missed.
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
        // Two tasks may wait for this notification: the main task and the listener's task.
        count.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::{future::Future, pin::pin, task::Context, task::Waker};

    use super::*;

    #[test]
    fn all_waiting_tasks_wake_when_the_client_count_reaches_zero() {
        let clients = ClientCount::default();
        let (first, last) = (clients.register(), clients.register());
        let (mut program, mut listener) = (pin!(clients.wait_until_zero()), pin!(clients.wait_until_zero()));
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
