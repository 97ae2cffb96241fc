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
        while self.count() > 0 {
            self.0.changed.notified().await;
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let count = &self.0.0;
        count.guests.set(count.guests.get().saturating_sub(1));
        count.changed.notify_one();
    }
}
