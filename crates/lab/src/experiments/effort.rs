//! How long and how often each figure is measured.

/// What is spent on one figure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Seconds that one round takes.
    pub(crate) seconds: f64,
    /// Rounds, of which the quiet one and the median are told.
    pub(crate) rounds: usize,
}
