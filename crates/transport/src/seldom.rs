//! Log lines a peer can provoke, at most one a second each.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Decides whether this line may be written now, and how many were not since the last.
#[derive(Debug, Default)]
pub(crate) struct Seldom {
    last: Cell<Option<Instant>>,
    suppressed: Cell<u64>,
}

impl Seldom {
    /// `Some(lines left out since the last one)` if a line may be written now.
    pub(crate) fn allow(&self) -> Option<u64> {
        let now = Instant::now();
        match self.last.get() {
            Some(last) if now.duration_since(last) < INTERVAL => {
                self.suppressed.set(self.suppressed.get().saturating_add(1));
                None
            }
            _ => {
                self.last.set(Some(now));
                Some(self.suppressed.take())
            }
        }
    }
}

const INTERVAL: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::Seldom;

    #[test]
    fn the_second_line_within_a_second_is_left_out() {
        let seldom = Seldom::default();
        assert_eq!(seldom.allow(), Some(0));
        assert_eq!(seldom.allow(), None);
        assert_eq!(seldom.suppressed.get(), 1);
    }
}
