//! Rate limit for log lines about users, such as those about accepted sessions. Each user has a
//! limit of its own, because a user can cause lines at any rate and must not suppress those about
//! other users.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use portreeve_channel::LogLimiter;

/// The limits of all users with recent lines on one worker.
pub struct UserLogLimiter {
    max_per_second: u32,
    users: RefCell<HashMap<Box<[u8]>, RecentUser>>,
    /// The limit that all other users share while there are too many recent ones.
    others: LogLimiter,
}

struct RecentUser {
    limiter: LogLimiter,
    /// True if lines have been suppressed since the last logged one.
    has_suppressed: bool,
    last_line_at: Instant,
}

impl UserLogLimiter {
    /// Allows at most `max_per_second` lines per second for each user.
    #[must_use]
    pub fn per_second(max_per_second: u32) -> Self {
        let others = LogLimiter::per_second(max_per_second);
        Self { max_per_second, users: RefCell::default(), others }
    }

    /// Returns the number of lines suppressed since the last logged line of this user if a line may
    /// be logged now, otherwise `None`.
    pub fn allow(&self, user: &[u8], now: Instant) -> Option<u64> {
        let mut users = self.users.borrow_mut();
        if let Some(recent) = users.get_mut(user) {
            recent.last_line_at = now;
            let suppressed = recent.limiter.allow(now);
            recent.has_suppressed = suppressed.is_none();
            return suppressed;
        }
        if users.len() >= MAX_USERS {
            // The next line about a user contains the number of suppressed ones.
            users.retain(|_, recent| {
                recent.has_suppressed || now.duration_since(recent.last_line_at) < FORGOTTEN_AFTER
            });
        }
        if users.len() >= MAX_USERS {
            return self.others.allow(now);
        }
        let limiter = LogLimiter::per_second(self.max_per_second);
        let suppressed = limiter.allow(now);
        users.insert(user.into(), RecentUser { limiter, has_suppressed: false, last_line_at: now });
        suppressed
    }
}

/// The maximum number of users with a limit of their own.
const MAX_USERS: usize = 1024;
/// The time after which a user without lines and suppressed lines is forgotten when there are
/// too many.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn review_l1_user_with_many_sessions_does_not_suppress_log_lines_of_others() {
        let (limiter, now) = (UserLogLimiter::per_second(10), Instant::now());
        (0..10).for_each(|_| assert_eq!(limiter.allow(b"ops", now), Some(0)));
        (0..90).for_each(|_| assert_eq!(limiter.allow(b"ops", now), None));
        assert_eq!(limiter.allow(b"monitor", now), Some(0));
        assert_eq!(limiter.allow(b"ops", now + FORGOTTEN_AFTER), Some(90));
    }

    #[test]
    fn users_above_the_maximum_share_a_limit_until_others_are_forgotten() {
        let (limiter, now) = (UserLogLimiter::per_second(1), Instant::now());
        let name = |number: usize| number.to_be_bytes();
        (0..MAX_USERS).for_each(|number| assert_eq!(limiter.allow(&name(number), now), Some(0)));
        assert_eq!(limiter.allow(&name(MAX_USERS), now), Some(0));
        assert_eq!(limiter.allow(&name(MAX_USERS + 1), now), None);
        assert_eq!(limiter.users.borrow().len(), MAX_USERS);
        assert_eq!(limiter.allow(&name(MAX_USERS + 1), now + FORGOTTEN_AFTER), Some(0));
        assert_eq!(limiter.users.borrow().len(), 1);
    }

    #[test]
    fn user_with_suppressed_lines_is_not_forgotten() {
        let (limiter, now) = (UserLogLimiter::per_second(1), Instant::now());
        assert_eq!([limiter.allow(b"ops", now), limiter.allow(b"ops", now)], [Some(0), None]);
        let later = now + FORGOTTEN_AFTER;
        (0..MAX_USERS).for_each(|number| _ = limiter.allow(&number.to_be_bytes(), later));
        assert_eq!(limiter.users.borrow().len(), MAX_USERS);
        assert_eq!(limiter.allow(b"new", later + FORGOTTEN_AFTER), Some(0));
        assert_eq!(limiter.users.borrow().len(), 2);
        assert_eq!(limiter.allow(b"ops", later + FORGOTTEN_AFTER), Some(1));
    }
}
