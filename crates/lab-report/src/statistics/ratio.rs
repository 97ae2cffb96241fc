//! Ratios of two values that were measured independently, with intervals.
//!
//! Values that were measured in the same rounds are better compared round by round:
//! [`Selection::ratios`](crate::samples::Selection::ratios).

use super::{Interval, Level, Summary};

/// Returns the ratio of two medians, and its interval if both have one.
///
/// The interval combines the two intervals on a logarithmic scale: each contributes its distance
/// from its own median, and the squares add up. Returns `None` if a value is not positive.
pub fn median_ratio(top: &Summary, bottom: &Summary, level: Level) -> Option<(f64, Option<Interval>)> {
    combine(
        (top.median, top.interval(level).map(|(interval, _)| interval)),
        (bottom.median, bottom.interval(level).map(|(interval, _)| interval)),
    )
}

/// Returns the ratio of two means, and its interval if both have one.
///
/// The interval combines those of the means as [`median_ratio`] does. Returns `None` if a mean is
/// not positive.
pub fn mean_ratio(top: &Summary, bottom: &Summary, level: Level) -> Option<(f64, Option<Interval>)> {
    combine((top.mean, top.mean_interval(level)), (bottom.mean, bottom.mean_interval(level)))
}

fn combine(
    (top, top_interval): (f64, Option<Interval>),
    (bottom, bottom_interval): (f64, Option<Interval>),
) -> Option<(f64, Option<Interval>)> {
    if !(top > 0.0 && bottom > 0.0) {
        return None;
    }
    let ratio = top / bottom;
    let interval = top_interval.zip(bottom_interval).filter(|(one, other)| one.low > 0.0 && other.low > 0.0);
    let interval = interval.map(|(one, other)| {
        let down = (top / one.low).ln().hypot((other.high / bottom).ln());
        let up = (one.high / top).ln().hypot((bottom / other.low).ln());
        Interval { low: ratio * (-down).exp(), high: ratio * up.exp() }
    });
    Some((ratio, interval))
}

#[cfg(test)]
mod tests;
