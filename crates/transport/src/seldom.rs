//! Log lines a peer can provoke, at most so many a second each.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Decides whether this line may be written now, and how many were not since the last.
#[derive(Debug)]
pub(crate) struct Seldom {
    most: u32,
    since: Cell<Option<Instant>>,
    written: Cell<u32>,
    suppressed: Cell<u64>,
}

impl Seldom {
    /// At most so many lines a second.
    pub(crate) fn at_most(most: u32) -> Self {
        Self { most, since: Cell::default(), written: Cell::default(), suppressed: Cell::default() }
    }

    /// `Some(lines left out since the last one)` if a line may be written now.
    pub(crate) fn allow(&self) -> Option<u64> {
        let now = Instant::now();
        if self.since.get().is_none_or(|since| now.duration_since(since) >= INTERVAL) {
            self.since.set(Some(now));
            self.written.set(0);
        }
        if self.written.get() < self.most {
            self.written.set(self.written.get() + 1);
            Some(self.suppressed.take())
        } else {
            self.suppressed.set(self.suppressed.get().saturating_add(1));
            None
        }
    }
}

const INTERVAL: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::Seldom;

    #[test]
    fn more_lines_within_a_second_are_left_out() {
        for most in [1, 10] {
            let seldom = Seldom::at_most(most);
            (0..most).for_each(|_| assert_eq!(seldom.allow(), Some(0)));
            assert_eq!(seldom.allow(), None);
            assert_eq!(seldom.suppressed.get(), 1);
        }
    }
}
