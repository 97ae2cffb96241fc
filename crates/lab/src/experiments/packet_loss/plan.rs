//! The losses and delays of the links, and the number of walks over each link.

use super::lines::Timeout;
use crate::harness::Effort;

/// A link by its delay and its loss, in each direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// In milliseconds.
    pub(super) delay: u64,
    /// In per cent, as in variants.
    pub(super) loss: &'static str,
}

impl Cell {
    /// Returns the probability that a frame is lost.
    pub(super) fn probability(self) -> f64 {
        probability(self.loss)
    }

    /// Returns the number of walks in a round: more if frames are rarely lost, or if a lost frame
    /// costs little. A round over all links takes two to three minutes.
    pub(super) fn walks(self, timeout: Timeout, effort: Effort) -> usize {
        match (effort, self.delay, self.loss) {
            (Effort::Quick, 0, _) => 1,
            (Effort::Quick, ..) => 2,
            (_, 0 | 1, "0.1") => 32,
            (_, 0 | 1, "0.5") => 8,
            (_, 0 | 1, "2" | "5") if timeout == Timeout::Measured => 8,
            _ => 4,
        }
    }

    /// Returns the number of walks that run at the same time. With a short delay, they would
    /// disturb each other, unless they mostly wait for timeouts.
    pub(super) fn parallel(self, timeout: Timeout) -> usize {
        match (self.delay, self.loss) {
            (0 | 1, "2" | "5") if timeout != Timeout::Measured => 4,
            (0, _) => 1,
            (1, _) => 2,
            _ => 4,
        }
    }
}

/// Returns the probability of a loss in per cent.
pub(super) fn probability(loss: &str) -> f64 {
    loss.parse::<f64>().map_or(0.0, |loss| loss / 100.0)
}

/// Returns the delays in each direction, in milliseconds.
pub(super) fn delays(effort: Effort) -> &'static [u64] {
    effort.choose(&[0, 1], &[0, 1, 10, 50])
}

/// Returns every link.
pub(super) fn cells(effort: Effort) -> Vec<Cell> {
    let losses: &[&str] = effort.choose(&["0", "1"], &["0", "0.1", "0.5", "2", "5"]);
    let delays = delays(effort).iter();
    delays.flat_map(|delay| losses.iter().map(|loss| Cell { delay: *delay, loss })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_probabilities_in_each_direction() {
        let losses: Vec<f64> = cells(Effort::Full).iter().take(5).map(|cell| cell.probability()).collect();
        assert_eq!(losses, [0.0, 0.001, 0.005, 0.02, 0.05]);
        assert_eq!(cells(Effort::Full).len(), 20);
    }
}
