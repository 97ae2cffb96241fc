//! Who is still there: commands that are served, and sessions that are kept.

use std::{cell::Cell, rc::Rc};

use tokio::sync::Notify;

/// Counts guests, and says when the last has gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presence(Rc<Count>);

#[derive(Debug, Default)]
struct Count {
    guests: Cell<usize>,
    changed: Notify,
}

/// One that is there, until it is dropped.
#[derive(Debug)]
pub(crate) struct Guest(Presence);

impl Presence {
    pub(crate) fn enter(&self) -> Guest {
        self.0.guests.set(self.0.guests.get() + 1);
        Guest(self.clone())
    }

    pub(crate) fn count(&self) -> usize {
        self.0.guests.get()
    }

    /// Waits until nobody is there.
    pub(crate) async fn all_gone(&self) {
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

impl Drop for Guest {
    fn drop(&mut self) {
        let count = &self.0.0;
        count.guests.set(count.guests.get().saturating_sub(1));
        // More than one may wait: the program, and its listener.
        count.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::{future::Future, pin::pin, task::Context, task::Waker};

    use super::*;

    #[test]
    fn all_who_wait_hear_of_the_last_who_goes() {
        let presence = Presence::default();
        let (first, last) = (presence.enter(), presence.enter());
        let (mut program, mut listener) = (pin!(presence.all_gone()), pin!(presence.all_gone()));
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
