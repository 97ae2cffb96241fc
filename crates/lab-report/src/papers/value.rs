//! A value that a paper printed.

use crate::unit::Unit;

/// A value that a paper printed, in its unit and with its decimals, or that follows from such
/// values.
///
/// It is never a measured value: no conversion to a [`Summary`](crate::statistics::Summary) exists.
///
/// ```compile_fail,E0308
/// use portreeve_lab_report::{document::Cell, papers::{PaperUnit, PaperValue}, unit::Unit};
///
/// Cell::measured(PaperValue::new(16.17, 2, PaperUnit::Milliseconds), Unit::Seconds);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperValue {
    number: f64,
    decimals: usize,
    unit: PaperUnit,
    is_approximate: bool,
    is_computed: bool,
}

/// The unit in which a paper printed a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PaperUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Octets of messages or frames.
    Octets,
    /// Thousands of bytes of memory.
    Kilobytes,
    /// A number of messages, frames, objects or transactions.
    Count,
    /// A ratio of two values.
    Ratio,
    /// A ratio of two values in per cent.
    RatioPercent,
    /// A share of a whole in per cent.
    SharePercent,
}

impl PaperValue {
    /// Creates a value that was printed in this unit with this number of decimals.
    pub const fn new(number: f64, decimals: usize, unit: PaperUnit) -> Self {
        Self { number, decimals, unit, is_approximate: false, is_computed: false }
    }

    /// Marks the value as one that the paper gives as an approximation.
    #[must_use]
    pub const fn approximate(self) -> Self {
        Self { is_approximate: true, ..self }
    }

    /// Marks the value as one that is computed from values of the paper, which has not printed it.
    #[must_use]
    pub const fn computed(self) -> Self {
        Self { is_computed: true, ..self }
    }

    /// Returns the words that name the source of the value.
    pub fn source(&self) -> &'static str {
        if self.is_computed { "paper, computed" } else { "paper" }
    }

    /// Returns the value in its SI unit.
    pub fn value(&self) -> f64 {
        match self.unit {
            PaperUnit::Milliseconds => self.number / 1e3,
            PaperUnit::Kilobytes => self.number * 1e3,
            PaperUnit::RatioPercent | PaperUnit::SharePercent => self.number / 100.0,
            PaperUnit::Seconds | PaperUnit::Octets | PaperUnit::Count | PaperUnit::Ratio => self.number,
        }
    }

    /// Returns the largest error that rounding to the printed decimals can cause, in the SI unit.
    pub fn rounding(&self) -> f64 {
        let half = 0.5 * 10_f64.powi(-(self.decimals.min(20) as i32));
        Self { number: half, ..*self }.value()
    }

    /// Returns the unit of [`Self::value`].
    pub fn unit(&self) -> Unit {
        match self.unit {
            PaperUnit::Seconds | PaperUnit::Milliseconds => Unit::Seconds,
            PaperUnit::Octets => Unit::Octets,
            PaperUnit::Kilobytes => Unit::Bytes,
            PaperUnit::Count => Unit::Count,
            PaperUnit::Ratio | PaperUnit::RatioPercent => Unit::Ratio,
            PaperUnit::SharePercent => Unit::Share,
        }
    }

    /// Formats the value as the paper printed it, or would have.
    pub fn text(&self) -> String {
        let sign = if self.is_approximate { "≈\u{a0}" } else { "" };
        let number = Unit::Count.scale(self.number).fixed(self.number, self.decimals);
        let suffix = match self.unit {
            PaperUnit::Seconds => "\u{a0}s",
            PaperUnit::Milliseconds => "\u{a0}ms",
            PaperUnit::Kilobytes => "\u{a0}kB",
            PaperUnit::RatioPercent | PaperUnit::SharePercent => "\u{a0}%",
            PaperUnit::Octets | PaperUnit::Count | PaperUnit::Ratio => "",
        };
        format!("{sign}{number}{suffix}")
    }
}

/// A value in seconds.
pub(crate) const fn seconds(number: f64, decimals: usize) -> PaperValue {
    PaperValue::new(number, decimals, PaperUnit::Seconds)
}

/// A value in milliseconds.
pub(crate) const fn ms(number: f64, decimals: usize) -> PaperValue {
    PaperValue::new(number, decimals, PaperUnit::Milliseconds)
}

/// A number of octets.
pub(crate) const fn octets(number: f64, decimals: usize) -> PaperValue {
    PaperValue::new(number, decimals, PaperUnit::Octets)
}

/// An amount of memory.
pub(crate) const fn kilobytes(number: f64) -> PaperValue {
    PaperValue::new(number, 0, PaperUnit::Kilobytes)
}

/// A number of things.
pub(crate) const fn count(number: f64, decimals: usize) -> PaperValue {
    PaperValue::new(number, decimals, PaperUnit::Count)
}

/// A ratio in per cent.
pub(crate) const fn ratio_percent(number: f64, decimals: usize) -> PaperValue {
    PaperValue::new(number, decimals, PaperUnit::RatioPercent)
}

/// A share in per cent.
pub(crate) const fn share_percent(number: f64, decimals: usize) -> PaperValue {
    PaperValue::new(number, decimals, PaperUnit::SharePercent)
}

#[cfg(test)]
mod tests;
