//! The bound on the number of NETCONF sessions.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The place of a session among all NETCONF sessions. Dropping it makes room for another one.
pub(super) struct SessionPlace(Arc<AtomicUsize>);

impl SessionPlace {
    pub(super) fn acquire(sessions: &Arc<AtomicUsize>, max_sessions: usize) -> Option<Self> {
        let acquired =
            sessions.fetch_update(Relaxed, Relaxed, |count| (count < max_sessions).then_some(count + 1));
        acquired.is_ok().then(|| Self(Arc::clone(sessions)))
    }
}

impl Drop for SessionPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
