//! The summary of one measured value: n, minimum, median, mean, and their intervals.

use super::{Interval, Level, median_ranks, student_t};

/// The summary of repeated measurements of one value. It does not depend on their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    sorted: Vec<f64>,
    /// Number of measurements, at least 1.
    pub n: usize,
    /// The smallest value.
    pub minimum: f64,
    /// The largest value.
    pub maximum: f64,
    /// The middle value, or the mean of the two middle values.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// Standard deviation of the sample, with n - 1 in the denominator. 0 for one value.
    pub deviation: f64,
}

/// The statistic that an interval is an interval of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Basis {
    /// The median: bounds are order statistics, which assume nothing about the distribution.
    Median,
    /// The mean: bounds are those of Student's t.
    Mean,
}

impl Summary {
    /// Summarizes the values. Returns `None` if there are none, or if one is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        if !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (minimum, maximum) = (*sorted.first()?, *sorted.last()?);
        let median = quantile_of(&sorted, 0.5);
        // Differences from the median lose no digits, even if the values are nearly equal.
        let n = sorted.len() as f64;
        let mean = median + sorted.iter().map(|value| value - median).sum::<f64>() / n;
        let squares: f64 = sorted.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = if sorted.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        Some(Self { n: sorted.len(), minimum, maximum, median, mean, deviation, sorted })
    }

    /// Returns a quantile between 0 and 1, interpolated between the two closest values.
    pub fn quantile(&self, share: f64) -> f64 {
        quantile_of(&self.sorted, share)
    }

    /// Returns the interval of the median. `None` below 6 values for 95 %, and below 8 for 99 %.
    pub fn median_interval(&self, level: Level) -> Option<Interval> {
        let (low, high) = median_ranks(level, self.n)?;
        Some(Interval { low: *self.sorted.get(low)?, high: *self.sorted.get(high)? })
    }

    /// Returns the interval of the mean. `None` for one value.
    pub fn mean_interval(&self, level: Level) -> Option<Interval> {
        let freedom = self.n.checked_sub(1).filter(|freedom| *freedom > 0)?;
        let half = student_t(level, freedom) * self.deviation / (self.n as f64).sqrt();
        Some(Interval { low: self.mean - half, high: self.mean + half })
    }

    /// Returns the interval of the median, or of the mean if the values are too few for the median.
    pub fn interval(&self, level: Level) -> Option<(Interval, Basis)> {
        let median = self.median_interval(level).map(|interval| (interval, Basis::Median));
        median.or_else(|| Some((self.mean_interval(level)?, Basis::Mean)))
    }

    /// Reports whether all values are equal, as numbers of frames usually are.
    pub fn is_constant(&self) -> bool {
        self.minimum == self.maximum
    }

    /// Returns the values in ascending order.
    pub fn sorted(&self) -> &[f64] {
        &self.sorted
    }
}

/// The quantile of sorted values. The position of the first value is 0, that of the last one is 1.
fn quantile_of(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let position = share.clamp(0.0, 1.0) * last as f64;
    let below = (position.floor() as usize).min(last);
    let low = sorted.get(below).copied().unwrap_or(f64::NAN);
    let high = sorted.get((below + 1).min(last)).copied().unwrap_or(f64::NAN);
    let part = position - below as f64;
    if low == high { low } else { low + (high - low) * part }
}

#[cfg(test)]
mod tests;
