//! Confidence levels, intervals, and estimates with a standard error.

use super::student_t;

/// The confidence level of an interval.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Level {
    /// 95 %, as the reports use it.
    P95,
    /// 99 %, as paper 003 uses it.
    P99,
}

impl Level {
    /// Returns the level as a probability.
    pub fn probability(self) -> f64 {
        match self {
            Self::P95 => 0.95,
            Self::P99 => 0.99,
        }
    }

    /// Returns the quantile of the normal distribution that bounds this share of it on both sides.
    pub fn normal_quantile(self) -> f64 {
        match self {
            Self::P95 => 1.959_963_984_540_054,
            Self::P99 => 2.575_829_303_548_901,
        }
    }

    /// Returns the level in per cent, for texts.
    pub fn percent(self) -> &'static str {
        match self {
            Self::P95 => "95 %",
            Self::P99 => "99 %",
        }
    }
}

/// A confidence interval, with its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// Reports whether a value lies within the interval or on a bound.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Reports whether the whole interval is above a value (`true`) or below it. `None` if it
    /// contains the value.
    pub fn is_above(&self, value: f64) -> Option<bool> {
        if self.low > value { Some(true) } else { (self.high < value).then_some(false) }
    }

    /// Reports whether the two intervals have a value in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// A value that was estimated from samples, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Degrees of freedom of the standard error, at least 1.
    pub freedom: usize,
}

impl Estimate {
    /// Returns the interval of Student's t around the value.
    pub fn interval(&self, level: Level) -> Interval {
        let half = student_t(level, self.freedom) * self.error;
        Interval { low: self.value - half, high: self.value + half }
    }

    /// Reports whether the value is positive (`true`) or negative. `None` if that is not
    /// significant.
    pub fn sign(&self, level: Level) -> Option<bool> {
        self.interval(level).is_above(0.0)
    }

    /// Returns the interval of a value that is positive by nature, such as a time: the relative
    /// error is that of Student's t on a logarithmic scale, so that the lower bound is positive.
    /// Small errors give nearly the same bounds as [`Self::interval`].
    pub fn log_interval(&self, level: Level) -> Interval {
        if self.value <= 0.0 {
            return self.interval(level);
        }
        let factor = (student_t(level, self.freedom) * self.error / self.value).exp();
        Interval { low: self.value / factor, high: self.value * factor }
    }
}
