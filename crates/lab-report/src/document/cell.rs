//! Cells of a table: measured values, values of a paper, and reasons why there is no value.

use super::Prose;
use crate::papers::PaperValue;
use crate::samples::Selection;
use crate::statistics::{Basis, Interval, Level, Summary};
use crate::unit::Unit;

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Nothing: the table has no such value.
    #[default]
    Empty,
    /// A text.
    Text(Prose),
    /// A value that this run measured. Ratios of measured values are measured too.
    Measured(Measured),
    /// A value that was computed from several measured values.
    Computed(Computed),
    /// A value that a paper printed.
    Paper(PaperValue),
    /// A value that could not be measured, with the reason.
    Unavailable(String),
}

/// A value that this run measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// All measurements.
    pub summary: Summary,
    /// The unit of the measurements.
    pub unit: Unit,
    /// The statistic that is shown: the median, or the mean.
    pub basis: Basis,
    /// The level of its interval.
    pub level: Level,
}

/// A value that was computed from measured values, such as a slope, a break-even or a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Computed {
    /// The value.
    pub value: f64,
    /// Its interval, if one is known.
    pub interval: Option<Interval>,
    /// The level of the interval.
    pub level: Level,
    /// The unit of the value.
    pub unit: Unit,
}

impl Cell {
    /// Creates a cell with a text.
    pub fn text(text: impl Into<Prose>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a cell with the median of the measurements and its 95 % interval.
    pub fn measured(summary: Summary, unit: Unit) -> Self {
        Self::Measured(Measured::new(summary, unit))
    }

    /// Creates a cell with the mean of the measurements and its 99 % interval, as in paper 003.
    pub fn mean99(summary: Summary, unit: Unit) -> Self {
        Self::Measured(Measured { basis: Basis::Mean, level: Level::P99, ..Measured::new(summary, unit) })
    }

    /// Creates a cell with a value that was computed from measured values.
    pub fn computed(value: f64, interval: Option<Interval>, unit: Unit) -> Self {
        Self::Computed(Computed { value, interval, level: Level::P95, unit })
    }

    /// Creates a cell with a value of a paper, or an empty one.
    pub fn paper(value: impl Into<Option<PaperValue>>) -> Self {
        value.into().map_or(Self::Empty, Self::Paper)
    }

    /// Creates a cell with one value of a selection, or with the reason why there is none.
    pub fn of(selection: &Selection<'_>, value: &str, unit: Unit) -> Self {
        match selection.summary(value) {
            Some(summary) => Self::measured(summary, unit),
            None => Self::missing(selection),
        }
    }

    /// Creates a cell with the mean of one value of a selection and its 99 % interval, or with the
    /// reason why there is none.
    pub fn mean99_of(selection: &Selection<'_>, value: &str, unit: Unit) -> Self {
        match selection.summary(value) {
            Some(summary) => Self::mean99(summary, unit),
            None => Self::missing(selection),
        }
    }

    /// Creates a cell with the ratios of one value of two selections, paired by round, or with the
    /// reason why one of them has none.
    pub fn ratio_of(top: &Selection<'_>, bottom: &Selection<'_>, value: &str) -> Self {
        match top.ratios(bottom, value) {
            Some(ratios) => Self::measured(ratios, Unit::Ratio),
            None if top.summary(value).is_none() => Self::missing(top),
            None => Self::missing(bottom),
        }
    }

    /// Creates a cell with the reason why a selection has no value.
    pub fn missing(selection: &Selection<'_>) -> Self {
        Self::Unavailable(selection.reason().to_owned())
    }
}

impl Measured {
    /// Creates a value that is shown as the median with its 95 % interval.
    pub fn new(summary: Summary, unit: Unit) -> Self {
        Self { summary, unit, basis: Basis::Median, level: Level::P95 }
    }

    /// Returns the statistic that is shown.
    pub fn value(&self) -> f64 {
        match self.basis {
            Basis::Median => self.summary.median,
            Basis::Mean => self.summary.mean,
        }
    }

    /// Returns the interval, and the statistic that it belongs to. For the median of few values, it
    /// is that of the mean. `None` for one value.
    pub fn interval(&self) -> Option<(Interval, Basis)> {
        match self.basis {
            Basis::Median => self.summary.interval(self.level),
            Basis::Mean => Some((self.summary.mean_interval(self.level)?, Basis::Mean)),
        }
    }

    /// Returns the value with its interval, for sentences.
    pub fn text(&self) -> String {
        let interval = self.interval().map(|(interval, _)| interval);
        self.unit.estimate_text(self.value(), interval, self.level)
    }
}
