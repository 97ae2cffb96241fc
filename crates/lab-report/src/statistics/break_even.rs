//! The break-even of two lines: the number of messages above which the second one is cheaper.

use super::{Interval, Level, Line, student_t};

/// The comparison of two lines for all x > 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BreakEven {
    /// The first line is lower below this x, the second one above it.
    At {
        /// The crossing point.
        value: f64,
        /// Fieller's interval of the crossing point.
        interval: Interval,
    },
    /// The lines cross here, but their slopes differ too little for a bounded interval.
    Unbounded {
        /// The crossing point.
        value: f64,
    },
    /// The first line is lower for all x > 0.
    FirstIsCheaper,
    /// The second line is lower for all x > 0.
    SecondIsCheaper,
    /// The second line is lower below this x, the first one above it.
    Reversed {
        /// The crossing point.
        value: f64,
    },
}

/// Computes the break-even of `first`, which has the lower set-up cost, and `second`, which has the
/// lower cost of each message.
///
/// The interval is Fieller's: it contains each x at which the difference of the two lines is not
/// significant. Degrees of freedom are those of the line with fewer points, which is cautious.
pub fn break_even(first: &Line, second: &Line, level: Level) -> BreakEven {
    let rise = second.intercept.value - first.intercept.value;
    let gain = first.slope.value - second.slope.value;
    match (rise > 0.0, gain > 0.0) {
        (true, false) => return BreakEven::FirstIsCheaper,
        (false, true) => return BreakEven::SecondIsCheaper,
        (false, false) if rise == 0.0 && gain == 0.0 => return BreakEven::FirstIsCheaper,
        (false, false) if gain == 0.0 => return BreakEven::SecondIsCheaper,
        (false, false) if rise == 0.0 => return BreakEven::FirstIsCheaper,
        (false, false) => return BreakEven::Reversed { value: rise / gain },
        (true, true) => {}
    }
    let value = rise / gain;
    let square = |error: f64| error * error;
    let rise_variance = square(first.intercept.error) + square(second.intercept.error);
    let gain_variance = square(first.slope.error) + square(second.slope.error);
    let covariance = -(first.covariance + second.covariance);
    let t = student_t(level, first.slope.freedom.min(second.slope.freedom));
    // (rise - x · gain)² ≤ t² · variance(rise - x · gain) is the quadratic a·x² - 2b·x + c ≤ 0.
    let a = gain * gain - t * t * gain_variance;
    let b = rise * gain - t * t * covariance;
    let c = rise * rise - t * t * rise_variance;
    let root = (b * b - a * c).max(0.0).sqrt();
    if a <= 0.0 || !root.is_finite() {
        return BreakEven::Unbounded { value };
    }
    BreakEven::At { value, interval: Interval { low: ((b - root) / a).max(0.0), high: (b + root) / a } }
}

#[cfg(test)]
mod tests;
