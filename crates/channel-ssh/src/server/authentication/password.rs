//! Passwords: judged elsewhere, on threads that may block, of which there are few.

use std::{fmt, net::IpAddr, sync::Arc};

use portreeve_secret::Secret;
use tokio::sync::Semaphore;

use super::{Refusal, users};

/// Knows users' passwords.
pub trait PasswordJudge: Send + Sync {
    /// Whether the user may come in with it. May block for seconds; is called on threads for that.
    fn accepts(&self, user: &str, password: &Secret, peer: IpAddr) -> bool;
}

/// A judge, and how many passwords it looks at at once.
#[derive(Clone)]
pub struct PasswordPool {
    judge: Arc<dyn PasswordJudge>,
    places: Arc<Semaphore>,
}

impl PasswordPool {
    /// Has at most `at_once` passwords judged at a time; whoever comes then is refused.
    pub fn new(judge: Arc<dyn PasswordJudge>, at_once: usize) -> Self {
        Self { judge, places: Arc::new(Semaphore::new(at_once)) }
    }

    /// Judges one.
    pub(in crate::server) async fn judge(
        &self,
        user: String,
        password: Secret,
        peer: IpAddr,
    ) -> Result<(), Refusal> {
        users::check_name(&user)?;
        if password.len() > LONGEST || password.expose().contains(&0) {
            return Err(Refusal::Password);
        }
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Refusal::PasswordBusy)?;
        let judge = Arc::clone(&self.judge);
        // The place is given back when the judge is done, also where the session has ended meanwhile.
        let verdict = tokio::task::spawn_blocking(move || {
            let _place = place;
            judge.accepts(&user, &password, peer)
        });
        match verdict.await {
            Ok(true) => Ok(()),
            // A judge that panics has not accepted.
            Ok(false) | Err(_) => Err(Refusal::Password),
        }
    }
}

impl fmt::Debug for PasswordPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordPool")
            .field("places", &self.places.available_permits())
            .finish_non_exhaustive()
    }
}

/// Octets of a password.
const LONGEST: usize = 1024;
