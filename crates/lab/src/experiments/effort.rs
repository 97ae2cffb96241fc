//! The duration and number of measurements.

/// The duration and number of measurements for each figure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Seconds per round.
    pub(crate) seconds: f64,
    /// Number of rounds, of which the best and the median are reported.
    pub(crate) rounds: usize,
}
