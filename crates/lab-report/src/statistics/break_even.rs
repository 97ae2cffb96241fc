//! The break-even of two lines: the number of messages above which the second one is cheaper.

use super::{Estimate, Interval, Level, Line, student_t};

/// The comparison of two lines for all x > 0. Only significant differences decide it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BreakEven {
    /// The first line is lower below this x, the second one above it.
    At {
        /// The crossing point.
        value: f64,
        /// Fieller's interval of the crossing point.
        interval: Interval,
    },
    /// The first line is lower for all x > 0.
    FirstIsCheaper,
    /// The second line is lower for all x > 0.
    SecondIsCheaper,
    /// The second line is lower below this x, the first one above it.
    Reversed {
        /// The crossing point.
        value: f64,
        /// Fieller's interval of the crossing point.
        interval: Interval,
    },
    /// The slopes or the intercepts do not differ significantly.
    NotDecided {
        /// The first line is significantly lower below this x, so that a break-even is above it.
        above: Option<f64>,
    },
}

/// Computes the break-even of `first`, which has the lower set-up cost, and `second`, which has the
/// lower cost of each message.
///
/// The interval is Fieller's: it contains each x at which the difference of the two lines is not
/// significant. Degrees of freedom are those of the line with fewer points, which is cautious.
pub fn break_even(first: &Line, second: &Line, level: Level) -> BreakEven {
    let rise = difference(&second.intercept, &first.intercept);
    let gain = difference(&first.slope, &second.slope);
    let value = rise.value / gain.value;
    match (rise.sign(level), gain.sign(level)) {
        (Some(true), Some(false)) => BreakEven::FirstIsCheaper,
        (Some(false), Some(true)) => BreakEven::SecondIsCheaper,
        (Some(rises), Some(_)) => match region(&rise, &gain, first, second, level) {
            Region { low: Some(low), high: Some(high) } => {
                let interval = Interval { low, high };
                if rises {
                    BreakEven::At { value, interval }
                } else {
                    BreakEven::Reversed { value, interval }
                }
            }
            Region { low, .. } => BreakEven::NotDecided { above: low.filter(|_| rises) },
        },
        (Some(true), None) => BreakEven::NotDecided { above: region(&rise, &gain, first, second, level).low },
        _ => BreakEven::NotDecided { above: None },
    }
}

/// Returns the difference of two independent estimates. Degrees of freedom are those of the
/// estimate with fewer points, which is cautious.
pub fn difference(of: &Estimate, less: &Estimate) -> Estimate {
    Estimate {
        value: of.value - less.value,
        error: of.error.hypot(less.error),
        freedom: of.freedom.min(less.freedom),
    }
}

/// The bounds of the x > 0 at which the difference of the lines is not significant.
struct Region {
    low: Option<f64>,
    high: Option<f64>,
}

/// Solves (rise - x · gain)² ≤ t² · variance(rise - x · gain), which is a·x² - 2b·x + c ≤ 0.
fn region(rise: &Estimate, gain: &Estimate, first: &Line, second: &Line, level: Level) -> Region {
    let covariance = -(first.covariance + second.covariance);
    let t = student_t(level, gain.freedom);
    let a = gain.value * gain.value - t * t * gain.error * gain.error;
    let b = rise.value * gain.value - t * t * covariance;
    let c = rise.value * rise.value - t * t * rise.error * rise.error;
    let root = (b * b - a * c).max(0.0).sqrt();
    let positive = |x: f64| Some(x).filter(|x| *x > 0.0 && x.is_finite());
    if a > 0.0 {
        Region { low: positive((b - root) / a), high: positive((b + root) / a) }
    } else {
        // One root is negative, and above the other one nothing is significant. This form of it
        // remains exact if `a` is nearly zero.
        Region { low: positive(c / (b + root)), high: None }
    }
}

#[cfg(test)]
mod tests;
