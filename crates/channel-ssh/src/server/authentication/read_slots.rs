//! Limits the number of threads that read the files of one user, or verify the account. A file
//! system mounted below a home directory can block reads indefinitely, for example while its server
//! is down.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The reads in progress by user name.
#[derive(Debug, Default)]
pub(in crate::server) struct ReadSlots {
    users: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The right to read a user's files, released on drop.
pub(in crate::server) type ReadSlot = OwnedSemaphorePermit;

impl ReadSlots {
    /// Waits until fewer than [`MAX_READS_PER_USER`] threads read files of this user.
    pub(in crate::server) async fn acquire(&self, user: &str) -> Option<ReadSlot> {
        let slots = self.of(user);
        slots.acquire_owned().await.ok()
    }

    fn of(&self, user: &str) -> Arc<Semaphore> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slots) = users.get(user).and_then(Weak::upgrade) {
            return slots;
        }
        // Remove the entries of finished reads, so that there are at most as many entries as
        // connections.
        users.retain(|_, slots| slots.strong_count() > 0);
        let slots = Arc::new(Semaphore::new(MAX_READS_PER_USER));
        users.insert(user.to_owned(), Arc::downgrade(&slots));
        slots
    }
}

/// Maximum number of threads that read files of one user.
const MAX_READS_PER_USER: usize = 4;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::{runtime::Builder, time::timeout};

    use super::*;

    #[test]
    fn review_h2_blocked_file_reads_of_one_user_do_not_delay_other_users() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let slots = ReadSlots::default();
            let mut held = Vec::new();
            for _ in 0..MAX_READS_PER_USER {
                held.push(slots.acquire("mallory").await.unwrap());
            }
            let fifth = timeout(Duration::from_millis(20), slots.acquire("mallory")).await;
            assert!(fifth.is_err());
            let other = timeout(Duration::from_millis(20), slots.acquire("ops")).await;
            assert!(other.is_ok());
            held.pop();
            assert!(timeout(Duration::from_millis(20), slots.acquire("mallory")).await.is_ok());
            drop((held, other));
            drop(slots.acquire("root").await);
            assert_eq!(slots.users.lock().unwrap().len(), 1);
        });
    }
}
