//! The summary of one measured value: n, minimum, median, mean, and their intervals.

use super::{Estimate, Interval, Level, median_ranks};

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
    /// The values can be negative by nature, even if none of these is.
    is_signed: bool,
}

/// The statistic that an interval is an interval of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Basis {
    /// The median: bounds are order statistics, which assume nothing about the distribution.
    Median,
    /// The mean: bounds are those of Student's t. Of values that are positive by nature, it has a
    /// logarithmic scale, so that the lower bound is positive.
    Mean,
}

impl Summary {
    /// Summarizes differences, or other values that can be negative by nature. Their intervals can
    /// contain 0.
    pub fn of_differences(values: &[f64]) -> Option<Self> {
        Some(Self { is_signed: true, ..Self::of(values)? })
    }

    /// Summarizes the values. Returns `None` if there are none, or if one is not finite. Unless one
    /// is negative, they count as positive by nature, as times, sizes and ratios are.
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
        let is_signed = minimum < 0.0;
        Some(Self { n: sorted.len(), minimum, maximum, median, mean, deviation, is_signed, sorted })
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
    ///
    /// The mean of values that are positive by nature has the interval of its logarithm, as
    /// [`Estimate::log_interval`]. Its lower bound is at least 0 if one of them is 0.
    pub fn mean_interval(&self, level: Level) -> Option<Interval> {
        let freedom = self.n.checked_sub(1).filter(|freedom| *freedom > 0)?;
        let mean = Estimate { value: self.mean, error: self.deviation / (self.n as f64).sqrt(), freedom };
        let interval = mean.interval(level);
        Some(if self.is_signed {
            interval
        } else if self.minimum == 0.0 {
            Interval { low: interval.low.max(0.0), ..interval }
        } else {
            mean.log_interval(level)
        })
    }

    /// Returns the interval of the median, or another one by Student's t if the values are too few
    /// for it: of the mean of their logarithms if all are positive, and otherwise of their mean.
    ///
    /// On a logarithmic scale, times are about symmetric, so that this mean is near their median.
    pub fn interval(&self, level: Level) -> Option<(Interval, Basis)> {
        if let Some(interval) = self.median_interval(level) {
            return Some((interval, Basis::Median));
        }
        if self.is_signed || self.minimum == 0.0 {
            return Some((self.mean_interval(level)?, Basis::Mean));
        }
        // Logarithms of the ratios to the median lose no digits, even if the values are equal.
        let logarithms: Vec<f64> = self.sorted.iter().map(|value| (value / self.median).ln()).collect();
        let logarithms = Self::of_differences(&logarithms)?.mean_interval(level)?;
        let value = |logarithm: f64| self.median * logarithm.exp();
        let interval = Interval { low: value(logarithms.low), high: value(logarithms.high) };
        Some((interval, Basis::Mean))
    }

    /// Reports whether the values are significantly above a value (`true`) or below it. `None` if
    /// the interval contains the value, or if there is no interval.
    pub fn is_above(&self, value: f64, level: Level) -> Option<bool> {
        self.interval(level)?.0.is_above(value)
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
