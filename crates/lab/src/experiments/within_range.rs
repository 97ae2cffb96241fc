//! Judges statements of papers by intervals: a value is in a range, outside of it, or undecided.

use std::collections::BTreeMap;

use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::sample::Sample;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{Interval, Level, Summary};

/// Returns true if the whole interval is in the range, and false if no part of it is. Otherwise the
/// samples decide nothing.
pub(super) fn is_within(interval: Interval, range: Interval) -> Option<bool> {
    if range.low <= interval.low && interval.high <= range.high {
        return Some(true);
    }
    (!interval.overlaps(&range)).then_some(false)
}

/// Returns the range around a value of a paper, with a share of it on both sides.
pub(super) fn around(printed: PaperValue, share: f64) -> Interval {
    let value = printed.value();
    Interval { low: value * (1.0 - share), high: value * (1.0 + share) }
}

/// The range of all values below a bound.
pub(super) fn below(bound: f64) -> Interval {
    Interval { low: f64::NEG_INFINITY, high: bound }
}

/// Returns the 95 % interval of a summary; of a single value, nothing.
pub(super) fn interval(summary: &Summary) -> Option<Interval> {
    summary.interval(Level::P95).map(|(interval, _)| interval)
}

/// Summarizes the differences of what `compute` returns for the samples of two selections, round by
/// round.
pub(super) fn differences(
    top: &Selection<'_>,
    bottom: &Selection<'_>,
    compute: impl Fn(&Sample) -> Option<f64>,
) -> Option<Summary> {
    let by_round = |selection: &Selection<'_>| -> BTreeMap<usize, f64> {
        selection.samples().filter_map(|sample| Some((sample.round, compute(sample)?))).collect()
    };
    let (top, bottom) = (by_round(top), by_round(bottom));
    let differences = top.iter().filter_map(|(round, value)| Some(value - bottom.get(round)?));
    Summary::of_differences(&differences.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use portreeve_lab_report::sample::{Record, Variant};
    use portreeve_lab_report::samples::Samples;

    use super::*;

    #[test]
    fn interval_that_crosses_a_bound_decides_nothing() {
        let range = Interval { low: 1.0, high: 2.0 };
        let within = |low, high| is_within(Interval { low, high }, range);
        assert_eq!(within(1.0, 2.0), Some(true));
        assert_eq!(within(2.1, 3.0), Some(false));
        assert_eq!((within(0.9, 1.5), within(0.0, 9.0)), (None, None));
    }

    #[test]
    fn differences_of_both_signs_have_an_interval_around_0() {
        let record = |name: &str, round, value| {
            let variant = Variant::of([("stack", name)]);
            Record::Sample(Sample::new("walk", variant, round).value("octets", value))
        };
        let values = [("with", [101.0, 99.0, 102.0, 98.5]), ("without", [100.0; 4])];
        let records = values.iter().flat_map(|(name, values)| {
            values.iter().enumerate().map(|(round, value)| record(name, round, *value))
        });
        let samples = Samples::new(records.collect());
        let of = |name| samples.experiment("walk").with("stack", name);
        let octets = |sample: &Sample| sample.values.get("octets").copied();
        let found = interval(&differences(&of("with"), &of("without"), octets).unwrap()).unwrap();
        assert!(found.low < 0.0 && found.high > 0.0, "{found:?}");
    }
}
